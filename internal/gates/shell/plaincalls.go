package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads calls in inline R and Julia whose arguments count: those that run the
// project's own tests, checks and documents, and those that read a file.

// plainCall is a call of a listed function: what it does with a text, and where it ends.
type plainCall struct {
	files  []string // run
	writes []string
	end    int
}

// projectSettings are names of arguments of those functions that name no file (testthat 3.2:
// test_dir, test_file; devtools 2.4: test, check, document; rmarkdown 2.29: render; Pkg.test;
// styler 1.10: style_pkg; covr 3.6: package_coverage; renv 1.1: restore).
const projectSettings = "dry type prompt test_args filter reporter quiet stop_on_failure stop_on_warning load_package export_all helpers reset document manual cran error_on verbose echo clean output_format coverage allow_reresolve force_latest_compatible_version"

// projectOutputs are those that name a file or directory that is written.
const projectOutputs = "output_file output_dir check_dir"

// projectCall reads a call of one of the language's tests at i, with texts, numbers and
// constants as its arguments. A text without a name is a path where the function takes
// one, and a package where it is Julia's.
func (c *plainReader) projectCall(i int) (call plainCall, ok bool) {
	n := c.callee(i)
	if n == 0 || !hasWord(c.l.tests, c.text[i:i+n]) {
		return call, false
	}
	name, depth := "", 0
	for j := i + n; j < len(c.text); {
		kind, word := c.step(j)
		after := strings.TrimLeft(c.text[j+len(word):], " \n")
		named := strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
		switch {
		case kind == 'n' && named && depth == 1:
			name = word
		case kind == 'n' && (hasWord("TRUE FALSE NULL true false", word) || word == "c" && strings.HasPrefix(after, "(")), kind == 'd':
		case kind == 's' && !call.text(c, name, strings.Trim(word, `"'`)):
			return call, false
		case kind == 's':
		case kind == 'o' && word == "(":
			depth++
		case kind == 'o' && word == ")":
			if depth--; depth == 0 {
				call.end = j + 1
				return call, true
			}
		case kind == 'o' && depth > 0 && strings.Trim(word, " \n,;=[]") == "":
			if word == "," && depth == 1 {
				name = ""
			}
		default:
			return call, false
		}
		j += len(word)
	}
	return call, false
}

// text notes a text that is an argument.
func (call *plainCall) text(c *plainReader, name, text string) bool {
	switch {
	case elsewhere(text):
		return false
	case hasWord(projectSettings, name):
		return !strings.Contains(text, "/")
	case hasWord(projectOutputs, name):
		call.writes = append(call.writes, text)
	case name != "" && !hasWord("path pkg file input", name):
		return false
	case c.l.name == "R":
		call.files = append(call.files, text)
	default:
		return juliaPackage(text) || strings.HasSuffix(text, ".jl") && call.run(text)
	}
	return true
}

func (call *plainCall) run(file string) bool {
	call.files = append(call.files, file)
	return true
}

// juliaPackage says whether a text is the name of a package: letters and digits alone.
func juliaPackage(text string) bool { return text != "" && nameLen(text) == len(text) }

// callee is the length of the name of a function at i, with its package or module, where
// it is called.
func (c *plainReader) callee(i int) int {
	n := 0
	for {
		k := nameLen(c.text[i+n:])
		if k == 0 {
			return 0
		}
		n += k
		rest := c.text[i+n:]
		sep := "."
		if strings.HasPrefix(rest, "::") && c.l.name == "R" {
			sep = "::"
		}
		if !strings.HasPrefix(rest, sep) {
			break
		}
		n += len(sep)
	}
	if !strings.HasPrefix(c.text[i+n:], "(") {
		return 0
	}
	return n
}

// readCall is the file that a call at i reads, if it is one of the language's functions
// that read the file of their first argument, a text.
func (c *plainReader) readCall(i int) (file string, end int, ok bool) {
	n := c.callee(i)
	if n == 0 || !hasWord(c.l.reads, c.text[i:i+n]) && !hasWord(c.l.draws, c.text[i:i+n]) || i+n+1 >= len(c.text) {
		return "", 0, false
	}
	kind, word := c.step(i + n + 1)
	file = strings.Trim(word, `"'`)
	if kind != 's' || elsewhere(file) || file == "" || file[0] == '|' || file == "clipboard" || file == "stdin" {
		return "", 0, false
	}
	return file, i + n + 1 + len(word), true
}

// ownName says whether a name is one of the project's, after its code was loaded: with
// underscores, a value or a function, as no function of R that acts but those whose beginnings are listed (the
// indexes of help of base, stats, utils, methods, graphics, grDevices and datasets of R
// 4.2, and of testthat, which load_all attaches).
func (c *plainReader) ownName(word string) bool {
	if !c.sourced || c.l.name != "R" || !strings.Contains(strings.Trim(word, "_"), "_") {
		return false
	}
	for _, begin := range [...]string{"aspell_", "cairo_", "test_", "source_", "auto_", "local_", "with_"} {
		if strings.HasPrefix(word, begin) {
			return false
		}
	}
	return strings.ToLower(word) == word
}

// plainEffects records what the calls of such code do.
func (m *machine) plainEffects(c *plainReader) {
	for _, call := range c.calls {
		m.build()
		for _, file := range call.files {
			m.script(file)
		}
		for _, file := range call.writes {
			m.write(file, effect.OpCreate)
		}
	}
	for _, file := range c.files {
		m.read(file)
	}
	for _, file := range c.drawn {
		m.write(file, effect.OpCreate)
	}
}

// plainOptions are options before the code that change nothing of what it may do (R.1,
// Rscript.1, julia.1).
const plainOptions = "--vanilla --no-save --no-restore --no-environ --no-site-file --no-init-file --quiet --silent --no-echo --slave --project --startup-file=no --color=yes --color=no"

// plainWords is the code that stands in the arguments of such a program, if nothing else
// does but options that change nothing.
//
// Code that is its input is read as well: with nothing but such options and a dash for
// Rscript and julia, and with none of that for R and julia.
func (m *machine) plainWords(name string, args []string, in data) (code string, ok bool) {
	input := name == "R" || name == "julia"
	for i := 0; i < len(args); i++ {
		dir, project := cutPrefix(args[i], "--project=")
		switch {
		case i+1 < len(args) && (args[i] == "-e" && (name != "elixir" || code == "") || (args[i] == "-E" || args[i] == "--print") && name == "julia" || args[i] == "--eval" && (name == "julia" || name == "elixir" && code == "")):
			code += args[i+1] + "\n"
			input = false
			i++
		case args[i] == "-" && i == len(args)-1 && (name == "Rscript" || name == "julia") && code == "":
			input = true
		case name == "julia" && i+1 < len(args) && (args[i] == "-t" || args[i] == "--threads") && (number(args[i+1]) > 0 || args[i+1] == "auto"):
			i++
		case name == "julia" && plainJulia(args[i]):
		case name != "elixir" && hasWord(plainOptions, args[i]) || name == "R" && (args[i] == "-q" || args[i] == "-s"):
		case project && name == "julia" && !reachesOut(dir):
		default:
			return "", false
		}
	}
	if input && !in.tty && in.known() {
		code = in.text
	}
	return code, code != ""
}

// plainJulia says whether an option of julia's only says how much is made of the code: how
// many threads there are and how well it is compiled.
func plainJulia(arg string) bool {
	for _, begin := range [...]string{"-t", "--threads=", "-O", "--optimize=", "-g", "--check-bounds=", "--depwarn="} {
		if value, ok := cutPrefix(arg, begin); ok && value != "" && strings.Trim(value, "0123456789,abcdefghijklmnopqrstuvwxyz") == "" {
			return true
		}
	}
	return false
}
