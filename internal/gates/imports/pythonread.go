package imports

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// pythonStatements finds the import statements among the tokens, and names by which code
// brings in what it does not name.
func (r *reader) pythonStatements() {
	for i := 0; i < len(r.toks); {
		switch {
		case r.toks[i].kind != word:
			i++
		case r.toks[i].text == "import" && r.begins(i):
			i = r.importStatement(i + 1)
		case r.toks[i].text == "from" && r.begins(i):
			i = r.fromStatement(i + 1)
		case r.toks[i].text == "import":
			r.refuse("has an import that cannot be read")
			i++
		default:
			r.pythonWord(i)
			i++
		}
	}
}

// begins says whether a statement begins at a place.
func (r *reader) begins(i int) bool {
	before := r.at(i - 1)
	return before.kind == newline || before.kind == op && (before.text == ";" || before.text == ":") ||
		before.kind == word && before.text == "lazy" && r.begins(i-1) // PEP 810
}

// ends says whether a statement ends at a place.
func (r *reader) ends(i int) bool { return r.at(i).kind == newline || r.is(i, ";") }

// dotted reads a dotted name.
func (r *reader) dotted(i int) (name string, next int) {
	for {
		if r.at(i).kind != word {
			r.refuse("has an import that cannot be read")
			return name, i + 1
		}
		name += r.at(i).text
		if !r.is(i+1, ".") {
			return name, i + 1
		}
		name, i = name+".", i+2
	}
}

// renamed skips "as name".
func (r *reader) renamed(i int) int {
	if r.is(i, "as") {
		if r.at(i+1).kind != word {
			r.refuse("has an import that cannot be read")
		}
		return i + 2
	}
	return i
}

// importStatement reads "import a.b as c, d" behind its first word.
func (r *reader) importStatement(i int) int {
	for {
		var name string
		name, i = r.dotted(i)
		r.module(name)
		if i = r.renamed(i); !r.is(i, ",") {
			break
		}
		i++
	}
	if !r.ends(i) {
		r.refuse("has an import that cannot be read")
	}
	return i
}

// fromStatement reads "from a.b import c as d, e" behind its first word. What is taken is
// named with the module: a list may have either.
func (r *reader) fromStatement(i int) int {
	from := ""
	for r.is(i, ".") {
		from, i = from+".", i+1
	}
	if !r.is(i, "import") {
		var name string
		name, i = r.dotted(i)
		from += name
	}
	if !r.is(i, "import") {
		r.refuse("has an import that cannot be read")
		return i
	}
	if i++; r.is(i, "*") {
		r.module(from)
		return i + 1
	}
	if from == "__future__" { // no module's code: PEP 236
		from = ""
	}
	bracket := r.is(i, "(")
	if bracket {
		i++
	}
	for r.at(i).kind == word {
		name := r.at(i).text
		if slices.Contains(pyLoaders, name) || slices.Contains(pyBuiltins, name) || hidden(name) {
			r.refuse("uses " + name)
		}
		if from != "" {
			r.module(strings.TrimSuffix(from, ".") + "." + name)
		}
		if i = r.renamed(i + 1); !r.is(i, ",") {
			break
		}
		i++
	}
	if bracket && r.is(i, ")") {
		i++
	}
	if !r.ends(i) {
		r.refuse("has an import that cannot be read")
	}
	return i
}

var (
	// pyLoaders load modules or code, whatever they are taken from.
	pyLoaders = []string{
		"_getframe", "ag_frame", "attrgetter", "cr_frame", "exec_module", "execfile", "f_builtins", "f_globals", "f_locals", "find_loader", "find_module", "find_spec", "func_globals", "get_ipython", "getattr_static", "import_module", "load_dynamic", "load_entry_point", "gi_frame", "load_module",
		"load_source", "methodcaller", "module_from_spec", "mro", "resolve_name", "run_cell", "run_line_magic", "run_module", "run_path", "runcode", "runsource", "spec_from_file_location",
		"spec_from_loader", "tb_frame",
	}
	// pyBuiltins do so by themselves.
	pyBuiltins = []string{"breakpoint", "compile", "eval", "exec", "globals", "locals", "vars"}
	// pyReaching are modules of the standard library that others hold, and that reach the
	// machine or any other module. Named behind a dot, or in front of one, they are used.
	pyReaching = "_os _sys builtins ctypes importlib nt os posix pty runpy shutil socket subprocess sys"
	// pyPlain are names with two underscores on both sides by which nothing is reached.
	pyPlain = "abs add aenter aexit aiter all and anext annotations array author await bool bytes call cause ceil class class_getitem complex contains context copy copyright credits " +
		"dataclass_fields date debug deepcopy del delattr delete delitem dir divmod doc email enter eq exit file float floor floordiv format fspath future ge get getitem getnewargs " +
		"getstate gt hash iadd iand idiv ifloordiv ilshift imod imul index init init_subclass int invert ior ipow irshift isabstractmethod isub iter itruediv ixor le len length_hint " +
		"license lshift lt main match_args matmul missing mod module mul name ne neg new next notes or origin package pos post_init pow qualname radd rand rdivmod repr reversed " +
		"rfloordiv rlshift rmatmul rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor set set_name setattr setitem setstate sizeof slots stderr stdin stdout str sub " +
		"suppress_context test traceback truediv trunc version website wrapped xor"
)

// hidden says whether a name is one of Python's own by which anything may be reached.
func hidden(name string) bool {
	inner, ok := strings.CutPrefix(name, "__")
	inner, ok2 := strings.CutSuffix(inner, "__")
	return ok && ok2 && inner != "" && !mark.Among(pyPlain, inner)
}

// pythonWord judges a name in an expression.
func (r *reader) pythonWord(i int) {
	name, attribute := r.toks[i].text, r.is(i-1, ".")
	switch {
	case r.is(i-1, "def"): // a method of the code's own
	case mark.Among(pyReaching, name) && (attribute || r.is(i+1, ".")):
		r.module(strings.TrimPrefix(name, "_"))
	case (name == "__import__" || name == "import_module") && r.namesModule(i):
	case slices.Contains(pyLoaders, name), hidden(name):
		r.refuse("uses " + name)
	case attribute:
		r.pythonAttribute(i, name)
	case r.is(i+1, "="): // the name of an argument, or a variable
	case slices.Contains(pyBuiltins, name):
		r.refuse("uses " + name)
	case name == "getattr":
		if value, ok := r.argument(i+1, 1); !ok || hidden(value) || slices.Contains(pyLoaders, value) || slices.Contains(pyBuiltins, value) {
			r.refuse("uses getattr with a name that is computed, or reaches anything")
		} else if mark.Among(pyReaching, value) {
			r.module(strings.TrimPrefix(value, "_"))
		}
	}
}

// pythonAttribute judges a name behind a dot. Of the names that run code, methods of
// models and patterns have some (re.compile, model.eval).
func (r *reader) pythonAttribute(i int, name string) {
	switch {
	case name == "exec",
		name == "eval" && !(r.is(i+1, "(") && r.is(i+2, ")")),
		name == "modules" && !r.is(i+1, "("):
		r.refuse("uses ." + name)
	}
}

// namesModule reads __import__("name") and import_module("name").
func (r *reader) namesModule(i int) bool {
	name, ok := r.argument(i+1, 0)
	if !ok || Fault(name) != "" || strings.HasPrefix(name, nodePrefix) {
		return false
	}
	r.module(name)
	return true
}
