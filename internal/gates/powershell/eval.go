package powershell

import (
	"slices"
	"strings"
)

// value is what an expression or a statement comes to. Whatever runs for it is in its word, or
// in what is to run before.
func (e *emitter) value(n node) val {
	if !e.deeper() {
		return val{}
	}
	defer func() { e.depth-- }()
	switch n := n.(type) {
	case *lit:
		return known(n.s)
	case *number:
		if n.s != "0" && (n.s[0] == '0' || strings.Trim(n.s, "0123456789") != "" || len(n.s) > 9) {
			return computed() // it is printed otherwise than it is written
		}
		return val{consts: []string{n.s}, known: true}
	case *text:
		var parts []val
		for _, p := range n.parts {
			parts = append(parts, e.value(p))
		}
		if len(parts) == 0 {
			return known("")
		}
		return e.joined(parts)
	case *variable:
		return e.variable(n.name)
	case *list:
		return e.listed(n.elems)
	case *paren:
		return e.value(n.x)
	case *sub:
		if len(n.b.list) == 0 {
			return val{known: true}
		}
		if len(n.b.list) == 1 {
			return e.value(n.b.list[0])
		}
	case *member:
		return e.member(n)
	case *index:
		of, at := e.value(n.of), e.value(n.at)
		out := computed(of, at)
		out.str, out.path = of.str, of.path && at.known
		if of.files != nil && at.known {
			out.files = of.files
		}
		return out
	case *typed:
		return e.typed(n)
	case *binary:
		return e.binary(n)
	case *unary:
		if n.op == "-" {
			if m, ok := n.x.(*number); ok {
				return val{consts: []string{"-" + m.s}, known: true}
			}
		}
		return computed(e.value(n.x))
	case *table:
		var of []val
		for _, v := range n.values {
			of = append(of, e.value(v))
		}
		return computed(of...)
	case *script:
		return e.blockValue(n)
	case *expr:
		if len(n.redirs) == 0 {
			return e.value(n.x)
		}
	case *pipe:
		if x, ok := n.elems[0].(*expr); ok && len(n.elems) == 1 && len(x.redirs) == 0 && !n.async {
			return e.value(x.x)
		}
		e.inside++
		f := e.pipeline(n)
		e.inside--
		return e.held(&f)
	case *assign: // in a parenthesis, or behind another one, it has a value
		e.fail("an assignment as a value")
		return val{}
	case *command:
		e.inside++
		f := e.command(n, nil)
		e.inside--
		return e.held(&f)
	}
	text := n
	if s, ok := n.(*sub); ok {
		text = s.b
	}
	sh := e.nested(func() string { return e.statement(text) })
	e.forgetIn(&block{list: []node{text}})
	return val{word: opaque(sh)}
}

// held is the value that the output of a pipeline comes to.
func (e *emitter) held(f *flow) val {
	if f.items != nil {
		return *f.items
	}
	if f.native {
		return val{word: `"$(` + f.sh + `)"`, str: f.str}
	}
	v := val{word: opaque(e.printed(f)), str: f.str}
	if f.find != nil {
		v.files = f
	}
	return v
}

func (e *emitter) listed(elems []node) val {
	out := val{known: true, str: true}
	var all []val
	for _, x := range elems {
		v := e.value(x)
		all = append(all, v)
		out.known, out.str = out.known && v.known, out.str && v.str
		out.consts = append(out.consts, v.consts...)
	}
	if out.known {
		return out
	}
	return computed(all...)
}

// blockValue is a script block as a value: whoever is handed it may run it, for each object. So
// it must run nothing by itself.
func (e *emitter) blockValue(n *script) val {
	e.forgetIn(n.b)
	ran, it := e.ran, e.vars["_"]
	e.vars["_"] = computed()
	text := e.nested(func() string { return e.block(n.b) })
	e.vars["_"] = it
	e.forgetIn(n.b)
	if namesMore(n.b) {
		e.fail("a script block as a value that shows more than what it is given")
	}
	if e.ran != ran || strings.Contains(text, "export ") || strings.Contains(text, ">") { // also a redirection of what it prints
		e.fail("a script block as a value that runs something")
	}
	return computed()
}

// automatic are variables that PowerShell sets itself and that hold nothing that runs
// (about_Automatic_Variables). Their members can be looked at.
const automatic = " ? ^ $ lastexitcode pid psversiontable psedition psculture psuiculture error matches islinux ismacos iswindows iscoreclr psscriptroot pscommandpath pshome " +
	"shellid stacktrace host "

func (e *emitter) variable(name string) val {
	switch name {
	case "true", "false":
		return val{consts: []string{strings.ToUpper(name[:1]) + name[1:]}, known: true}
	case "null":
		return val{known: true}
	case "home", "pwd":
		return known(string(opens) + strings.ToUpper(name) + string(closes))
	case "_", "psitem":
		if v, ok := e.vars["_"]; ok {
			return v
		}
		return computed()
	}
	if isScoped(name) {
		e.fail("$" + name + ", a variable of another scope")
		return val{}
	}
	if v, ok := e.vars[name]; ok {
		return v
	}
	if env, ok := strings.CutPrefix(name, "env:"); ok {
		return e.environment(env)
	}
	if strings.Contains(automatic, " "+name+" ") || !strings.Contains(name, ":") && !reserved(name) {
		return computed()
	}
	e.fail("$" + name)
	return val{}
}

// reserved says whether a variable is one that PowerShell itself reads or fills, beside those
// of automatic.
func reserved(name string) bool {
	return strings.HasPrefix(name, "ps") || slices.Contains([]string{"args", "input", "executioncontext", "myinvocation", "this", "switch", "foreach", "sender", "event", "eventargs", "profile", "ofs"}, name)
}

func (e *emitter) environment(name string) val {
	if e.windows {
		name = strings.ToUpper(name)
	} else if name = e.cased(name); name == "" {
		return computed()
	}
	for _, r := range name {
		if r > 0x7f || !word(r) {
			return computed()
		}
	}
	return known(string(opens) + name + string(closes))
}

// cased is the name of a variable of the environment as the line writes it, where that is one
// way: names are kept in lower case here, and differ by case where the system is no Windows.
func (e *emitter) cased(name string) string {
	found := ""
	rest := e.line
	for {
		i := indexFold(rest, "env:"+name)
		if i < 0 {
			return found
		}
		w := rest[i+len("env:") : i+len("env:")+len(name)]
		if found != "" && found != w {
			return ""
		}
		found, rest = w, rest[i+len("env:"):]
	}
}

func indexFold(s, sub string) int { return strings.Index(strings.ToLower(s), sub) }

// isScoped says whether a name has a scope in front of it (about_Scopes), which may hold another
// variable of that name.
func isScoped(name string) bool {
	scope, _, ok := strings.Cut(name, ":")
	return ok && slices.Contains([]string{"global", "script", "local", "private", "using", "workflow"}, scope)
}

// textual are properties of a file that hold text; located are those of a file
// that hold its path.
const (
	textual = " name basename extension fullname path line value directoryname psparentpath content username pspath providerpath root message displayname version productversion "
	located = " fullname path pspath providerpath "
)

// plainMethods are methods of text, of numbers, dates and lists, that change nothing; those in
// textMethods do so only for text: a file has one of that name that changes it.
const (
	plainMethods = " split trim trimend trimstart substring tolower toupper tolowerinvariant toupperinvariant contains startswith endswith indexof lastindexof tostring padleft padright " +
		"compareto equals gettype getvalue tochararray containskey adddays addhours addminutes addseconds tolocaltime touniversaltime toshortdatestring totitlecase isnullorempty getenumerator "
	textMethods = " replace insert remove "
)

func (e *emitter) member(n *member) val {
	name := strings.ToLower(n.name)
	if n.static {
		return e.static(n, name)
	}
	of := e.value(n.of)
	all := []val{of}
	for _, a := range n.args {
		all = append(all, e.value(a))
	}
	if n.call {
		switch {
		case strings.Contains(textMethods, " "+name+" ") && of.str, strings.Contains(plainMethods, " "+name+" "):
		default:
			e.fail("the method " + n.name)
		}
		out := computed(all...)
		out.str = of.str && name != "split"
		return out
	}
	if s, ok := n.of.(*variable); ok && (s.name == "host" || s.name == "error") && name != "version" && name != "name" && name != "count" && name != "exception" {
		e.fail("$" + s.name + "." + n.name)
	}
	e.members = append(e.members, name)
	switch {
	case of.files != nil && strings.Contains(located, " "+name+" "):
		of.word = `"$(` + e.printed(of.files) + `)"` // a file as text may be its name alone
		return of
	case of.path && strings.Contains(located, " "+name+" ") || of.known && of.named() && name == "path":
		return of
	}
	out := computed(of)
	out.str = (of.path || of.files != nil) && strings.Contains(textual, " "+name+" ") // a table holds anything under any name
	return out
}

// statics are members of types that only compute (Microsoft's .NET API reference).
var statics = map[string]string{
	"math":                               " abs ceiling floor max min pow round sqrt truncate pi ",
	"string":                             " isnullorempty isnullorwhitespace join format concat empty compare equals ",
	"datetime":                           " now utcnow today parse parseexact minvalue maxvalue ",
	"timespan":                           " frommilliseconds fromseconds fromminutes zero ",
	"guid":                               " newguid empty ",
	"environment":                        " newline osversion processorcount is64bitoperatingsystem currentdirectory machinename ",
	"io.path":                            " combine getfilename getfilenamewithoutextension getextension getdirectoryname directoryseparatorchar getrelativepath changeextension gettemppath ",
	"int":                                " maxvalue minvalue parse ",
	"regex":                              " escape matches match ismatch split ",
	"text.encoding":                      " utf8 ascii unicode default ",
	"net.httpstatuscode":                 " ok ",
	"stringcomparison":                   " ordinal ordinalignorecase ",
	"console":                            " outputencoding inputencoding ",
	"security.principal.windowsidentity": " ",
}

func (e *emitter) static(n *member, name string) val {
	t, ok := n.of.(*typed)
	if !ok || t.of != nil {
		e.fail("a static member of what is no type")
		return val{}
	}
	if !strings.Contains(statics[strings.TrimPrefix(t.name, "system.")], " "+name+" ") {
		e.fail("[" + t.name + "]::" + n.name)
	}
	var all []val
	for _, a := range n.args {
		all = append(all, e.value(a))
	}
	out := computed(all...)
	out.str = strings.HasSuffix(t.name, "path") || strings.HasSuffix(t.name, "string")
	return out
}

// casts are types that a value can be made of without anything running (about_Type_Accelerators).
const casts = " int int32 int64 long double float decimal bool boolean string char byte datetime timespan array object version guid regex hashtable ordered pscustomobject psobject " +
	"string[] int[] object[] byte[] char[] switch void nullable uint32 uint64 "

func (e *emitter) typed(n *typed) val {
	name := strings.TrimPrefix(n.name, "system.")
	switch {
	case n.of == nil:
		return computed()
	case !strings.Contains(casts, " "+name+" "):
		e.fail("made a " + n.name)
	}
	v := e.value(n.of)
	if name == "string" || name == "string[]" {
		if v.known {
			v.str = true
		}
		return v
	}
	return computed(v)
}

// binary puts together what is text, and knows nothing of the rest.
func (e *emitter) binary(n *binary) val {
	var all []val
	sum, texts := true, true
	for i, o := range n.operands {
		if n.ops[max(i-1, 0)] == "as" && i > 0 || n.ops[max(i-1, 0)] == "is" && i > 0 || n.ops[max(i-1, 0)] == "isnot" && i > 0 {
			if _, ok := o.(*typed); ok {
				continue // a type
			}
		}
		v := e.value(o)
		all = append(all, v)
		texts = texts && (v.str && (!v.known || len(v.consts) == 1) || i > 0 && v.known && len(v.consts) == 1)
	}
	for _, op := range n.ops {
		sum = sum && op == "+"
	}
	if sum && texts {
		return e.joined(all)
	}
	if len(n.ops) == 1 && n.ops[0] == ".." {
		if v, ok := integers(all[0], all[1]); ok {
			return v
		}
	}
	out := computed(all...)
	out.str = len(n.ops) == 1 && slices.Contains([]string{"replace", "join", "f", "split"}, n.ops[0]) || sum && !slices.ContainsFunc(all, func(v val) bool { return !v.str })
	return out
}
