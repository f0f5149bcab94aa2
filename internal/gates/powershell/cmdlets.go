package powershell

import (
	"maps"
	"slices"
	"strings"
)

// takers are the cmdlets for which what is piped to them is looked at.
const takers = " get-content import-csv format-hex get-childitem get-item get-itemproperty get-itempropertyvalue get-acl resolve-path convert-path test-path split-path get-filehash select-string " +
	"set-content add-content out-file export-csv export-clixml tee-object clear-content copy-item move-item rename-item remove-item select-object sort-object get-unique group-object measure-object " +
	"format-table format-list format-wide format-custom out-string out-host out-default convertto-json convertto-csv convertfrom-json convertfrom-csv get-member convertto-html convertto-xml test-json " +
	"out-null write-output write-host foreach-object stop-process invoke-expression "

// cmdlet writes a cmdlet of params. ok is false where it was not followed.
func (e *emitter) cmdlet(name string, c *command, in *flow) (flow, bool) {
	b := e.bind(name, c.args)
	if in != nil && !strings.Contains(takers, " "+name+" ") {
		e.fail("what is piped to " + name)
	}
	if e.why != "" {
		return flow{sh: ":"}, false
	}
	was := e.looking
	e.looking = strings.HasPrefix(name, "get-") || strings.HasSuffix(name, "-location") || strings.HasSuffix(name, "-path") && name != "test-path" || name == "select-string" || name == "import-csv"
	defer func() { e.looking = was }()
	for _, write := range [...]func(string, *bound, *flow) (flow, bool){e.reads, e.writes, e.passes, e.goes, e.reaches} {
		if out, ok := write(name, b, in); ok || e.why != "" {
			e.keep(b, in, &out)
			if b.on["passthru"] { // it hands on what it made, too
				out = flow{sh: group(blurred(e.printed(&out)))}
			}
			return out, e.why == ""
		}
	}
	e.fail(name)
	return flow{sh: ":"}, false
}

// keep writes, before a command, what its arguments and what is piped to it run, where the
// command itself leaves that out.
func (e *emitter) keep(b *bound, in, out *flow) {
	text := e.printed(out) + strings.Join(e.before, " ")
	left := func(word string) {
		if word != "" && !strings.Contains(text, word) && word != computedWord() {
			e.before = append(e.before, ": "+word)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(b.v)) {
		left(b.v[s].word)
	}
	for _, v := range b.rest {
		left(v.word)
	}
	switch {
	case in == nil:
	case in.items != nil:
		left(in.items.word)
	case in.sh != "" && !strings.Contains(text, in.sh):
		e.before = append(e.before, in.sh+" >/dev/null")
	}
}

// where is what a cmdlet works on: the files that come in, or the words of its paths.
func (e *emitter) where(b *bound, in *flow) (files *flow, words []string) {
	for _, p := range [...]string{"path", "literalpath", "filepath"} {
		v, ok := b.v[p]
		switch {
		case !ok:
		case v.files != nil:
			files = v.files
		default:
			words = append(words, e.paths(v, p != "path")...)
		}
	}
	if files != nil || len(words) > 0 {
		if in != nil {
			e.fail("what is piped to a cmdlet beside its path")
		}
		return files, words
	}
	switch {
	case in == nil:
	case in.find != nil:
		return in, nil
	case in.items != nil && in.items.known:
		return nil, e.paths(*in.items, false)
	case in.items != nil:
		return nil, e.paths(*in.items, false)
	default:
		return nil, e.paths(e.held(in), false)
	}
	return nil, nil
}

// found are the files that Get-ChildItem finds.
func (e *emitter) found(b *bound, in *flow) flow {
	files, words := e.where(b, in)
	for _, p := range [...]string{"path", "literalpath"} {
		if v, ok := b.v[p]; ok && !v.known && v.files == nil {
			e.fail("Get-ChildItem of a place that is known only when it runs")
		}
	}
	depth := " -maxdepth 1"
	if b.on["recurse"] || b.has("depth") {
		depth = ""
	}
	leaf := ""
	if v, ok := b.v["path"]; ok && depth == "" { // the last part of a path that is a pattern narrows what is found below
		if t, ok := v.text(); ok && !v.named() {
			dir, last := "", t
			if i := strings.LastIndexAny(t, `/\`); i >= 0 {
				dir, last = t[:i+1], t[i+1:]
			}
			if strings.ContainsAny(last, "*?[") {
				if dir == "" {
					dir = "."
				}
				leaf, words = " -iname "+quoted(last), e.pathWords(dir, false)
			}
		}
	}
	if files != nil { // what lies in them: all below where they were looked for
		words, leaf, depth = files.find, "", ""
	}
	if len(words) == 0 {
		words = []string{"."}
	}
	kind := ""
	if b.on["file"] {
		kind = " -type f"
	} else if b.on["directory"] {
		kind = " -type d"
	}
	tests, ok := narrowed(b, depth+leaf+kind)
	if !ok {
		e.fail("a filter that is computed")
	}
	if b.on["followsymlink"] && depth == "" && files == nil {
		words = append([]string{"-L"}, words...)
	}
	out := flow{find: words, tests: tests}
	if b.on["name"] {
		return flow{sh: e.printed(&out), str: true}
	}
	return out
}

// onFiles runs a command on files that come in, or on paths.
func (e *emitter) onFiles(b *bound, in *flow, sh string) flow {
	files, words := e.where(b, in)
	if files != nil {
		return flow{sh: "find " + strings.Join(files.find, " ") + files.tests + " -exec " + sh + " {} +"}
	}
	if len(words) == 0 {
		e.fail("no path where one belongs")
	}
	if v, ok := b.v["path"]; ok && !b.has("literalpath") && len(v.consts) == 1 {
		tests, ok := narrowed(b, "")
		if !ok || tests != "" && strings.ContainsAny(unquoted(strings.Join(words, " ")), "*?[") {
			e.fail("a filter of what a pattern names")
		}
		if tests != "" {
			return flow{sh: "find " + strings.Join(words, " ") + tests + " -exec " + sh + " {} +"}
		}
	}
	return flow{sh: sh + " " + strings.Join(words, " ")}
}

// variables are those of the environment that paths on the drive Env: name; ok is false for
// other paths (about_Environment_Provider).
func (e *emitter) variables(b *bound) (names []string, all, ok bool) {
	v, given := b.v["path"]
	if !given {
		v, given = b.v["literalpath"]
	}
	if !given || !v.known || v.named() {
		return nil, false, false
	}
	for _, c := range v.consts {
		name, on := strings.CutPrefix(strings.ToLower(c), "env:")
		if !on {
			return nil, false, false
		}
		name = strings.TrimLeft(name, `/\`)
		if name == "" || strings.ContainsAny(name, "*?[") {
			all = true
			continue
		}
		x := e.environment(name)
		text := strings.Trim(strings.Join(x.consts, ""), string(opens)+string(closes))
		if text == "" {
			e.fail("a variable of the environment whose name is not plain")
		}
		names = append(names, text)
	}
	return names, all, true
}

// reads writes the cmdlets that look at files.
func (e *emitter) reads(name string, b *bound, in *flow) (flow, bool) {
	if strings.HasPrefix(name, "get-") || name == "test-path" {
		if vars, all, ok := e.variables(b); ok && name != "get-acl" && name != "get-filehash" {
			switch {
			case name == "test-path" && !all:
				return flow{sh: `test -n "$` + strings.Join(vars, `" -a -n "$`) + `"`}, true
			case all:
				v := b.v["path"]
				if t, one := v.text(); one && name != "test-path" { // by a pattern of their names
					if pattern := matched(strings.TrimLeft(t[len("env:"):], `/\`), true); pattern != "" {
						return flow{sh: "env | grep -iE '" + pattern + "'"}, true
					}
				}
				return flow{sh: "env"}, true
			}
			return flow{sh: "printenv " + strings.Join(vars, " ")}, true
		}
	}
	if out, ok := e.registry(name, b, in); ok {
		return out, true
	}
	switch name {
	case "get-content", "import-csv", "format-hex":
		sh := "cat"
		if b.on["wait"] {
			sh = "tail -f"
		} else if b.has("tail") {
			sh = "tail -n " + b.number("tail", "10")
		} else if b.has("totalcount") {
			sh = "head -n " + b.number("totalcount", "10")
		}
		if name == "format-hex" && !b.has("path") && !b.has("literalpath") && (in == nil || in.find == nil) {
			if in == nil || !in.str {
				e.fail("Format-Hex of objects, which may name files")
			}
			return e.filtered(in, "cat"), true
		}
		if in != nil && in.find == nil && in.items == nil { // values that are no files' names are none it can read
			e.fail("files that another command names")
		}
		out := e.onFiles(b, in, sh)
		out.str = name == "get-content"
		return out, true
	case "get-childitem":
		return e.found(b, in), true
	case "get-item", "get-itemproperty", "get-itempropertyvalue", "get-acl", "resolve-path", "convert-path":
		files, words := e.where(b, in)
		if files != nil {
			return *files, true
		}
		if len(words) == 0 {
			e.fail("no path where one belongs")
		}
		tests, ok := narrowed(b, " -maxdepth 0")
		if !ok {
			e.fail("a filter that is computed")
		}
		out := flow{find: words, tests: tests}
		if strings.HasPrefix(name, "get-item") && name != "get-item" || name == "get-acl" {
			out = flow{sh: e.printed(&out)}
		}
		return out, true
	case "test-path":
		files, words := e.where(b, in)
		switch {
		case b.on["isvalid"]:
			return flow{sh: "date"}, true
		case files != nil || len(words) != 1:
			out := e.found(&bound{v: b.v, n: b.n, on: b.on}, in)
			return flow{sh: e.printed(&out)}, true
		case b.has("filter") || b.has("include") || b.has("exclude") || b.has("olderthan") || b.has("newerthan") || strings.ContainsAny(unquoted(words[0]), "*?["):
			return flow{sh: "[ " + words[0] + computedWord() + " = x ]"}, true
		}
		kind := b.v["pathtype"]
		switch t, ok := kind.text(); {
		case !b.has("pathtype") || ok && strings.EqualFold(t, "any"):
			return flow{sh: "test -e " + words[0]}, true
		case ok && strings.EqualFold(t, "container"):
			return flow{sh: "test -d " + words[0]}, true
		case ok && strings.EqualFold(t, "leaf"):
			return flow{sh: "test -f " + words[0]}, true
		}
		return flow{sh: "[ " + words[0] + computedWord() + " = x ]"}, true
	case "split-path":
		return e.split(b, in), true
	case "join-path":
		return e.join(b), true
	case "get-filehash":
		return e.onFiles(b, in, "sha256sum"), true
	case "select-string":
		return e.search(b, in), true
	}
	return flow{}, false
}

// search writes Select-String: in files, or in what is printed.
func (e *emitter) search(b *bound, in *flow) flow {
	p := b.v["pattern"]
	sh := "grep"
	if b.on["simplematch"] {
		sh += " -F"
	}
	if !p.known || len(p.consts) == 0 {
		sh += " -e " + p.asWord()
		if !b.has("pattern") {
			e.fail("Select-String without a pattern")
		}
	}
	for _, w := range p.words() {
		if p.known {
			sh += " -e " + w
		}
	}
	if !b.has("path") && !b.has("literalpath") && (in == nil || in.find == nil) {
		if v, ok := b.v["inputobject"]; ok {
			f := of(v)
			return flow{sh: e.piped(&f, sh)}
		}
		if in == nil || !in.str && !(in.items != nil && in.items.known) {
			e.fail("Select-String of objects, which may name files")
			return flow{sh: ":"}
		}
		return flow{sh: e.piped(in, sh)}
	}
	return e.onFiles(b, in, sh)
}

func (e *emitter) split(b *bound, in *flow) flow {
	v, ok := b.v["path"]
	if !ok {
		v, ok = b.v["literalpath"]
	}
	if !ok && in != nil {
		v, ok = e.held(in), true
	}
	if t, plain := v.text(); plain && e.plainPath(t) && !b.on["qualifier"] && !b.on["resolve"] && !b.on["isabsolute"] && !b.on["noqualifier"] && len(t) > 3 {
		t = strings.TrimRight(strings.ReplaceAll(t, `\`, "/"), "/")
		i := strings.LastIndexByte(t, '/')
		out := known(t[:max(i, 0)])
		switch {
		case b.on["leaf"]:
			out = known(t[i+1:])
		case b.on["leafbase"] || b.on["extension"]:
			out = computed()
		}
		return of(out)
	}
	out := computed(v)
	out.str = true
	if b.on["resolve"] {
		e.fail("Split-Path -Resolve")
	}
	return of(out)
}

// join writes Join-Path: the parts with a slash between them.
func (e *emitter) join(b *bound) flow {
	parts := []val{}
	for _, p := range [...]string{"path", "childpath", "additionalchildpath"} {
		v, ok := b.v[p]
		if !ok {
			continue
		}
		if v.known && len(v.consts) != 1 {
			e.fail("Join-Path of several")
		}
		if len(parts) > 0 {
			parts = append(parts, known("/"))
		}
		parts = append(parts, v)
	}
	if b.on["resolve"] || b.has("extension") {
		e.fail("Join-Path -Resolve")
	}
	return of(e.joined(parts))
}

// filtered is a flow behind a command of the shell that only reads it.
func (e *emitter) filtered(in *flow, sh string) flow {
	if in == nil {
		return flow{sh: "date"}
	}
	return flow{sh: e.piped(in, sh), str: in.str}
}

// expands says whether a property is one that holds the path of a file.
func expands(v val) bool {
	t, ok := v.text()
	return ok && strings.Contains(located, " "+strings.ToLower(t)+" ")
}

// passes writes the cmdlets that order, pick and print what comes in.
func (e *emitter) passes(name string, b *bound, in *flow) (flow, bool) {
	if v, ok := b.v["inputobject"]; ok && in == nil {
		f := of(v)
		in = &f
	}
	same := func(sh string) (flow, bool) {
		if in != nil && in.find != nil {
			return *in, true
		}
		return e.filtered(in, sh), true
	}
	switch name {
	case "select-object":
		if in != nil && in.key && e.picks(b, in) {
			return flow{sh: "date"}, true
		}
		sh := "cat"
		if b.has("first") {
			sh = "head -n " + b.number("first", "10")
		} else if b.has("last") {
			sh = "tail -n " + b.number("last", "10")
		}
		v, expand := b.v["expandproperty"]
		if expand {
			t, _ := v.text()
			e.members = append(e.members, strings.ToLower(t))
		}
		if expand && !expands(v) || b.has("property") {
			return e.filtered(in, sh), true
		}
		return same(sh)
	case "sort-object", "get-unique":
		return same("sort")
	case "group-object":
		return e.filtered(in, "sort"), true
	case "measure-object":
		return e.filtered(in, "wc"), true
	case "compare-object":
		return e.compared(b), true
	case "format-custom", "convertto-json", "convertto-xml": // these show what objects hold, at depth
		e.members = append(e.members, name)
		return e.filtered(in, "cat"), true
	case "format-table", "format-list", "format-wide", "out-string", "out-host", "out-default", "convertto-csv", "convertfrom-json", "convertfrom-csv", "get-member",
		"convertto-html", "test-json":
		return e.filtered(in, "cat"), true
	case "out-null":
		if in == nil {
			return flow{sh: ":"}, true
		}
		return flow{sh: e.printed(in) + " >/dev/null"}, true
	case "write-output", "write-host":
		if len(b.rest) == 0 {
			if in == nil {
				in = &flow{items: &val{known: true, consts: []string{""}}}
			}
			return *in, true
		}
		v := e.all(b.rest)
		if name == "write-host" {
			f := of(v)
			return flow{sh: e.printed(&f)}, true
		}
		return of(v), true
	case "write-warning", "write-verbose", "write-debug", "write-error", "write-information", "write-progress":
		v := e.all([]val{b.v["message"], b.v["messagedata"], b.v["activity"], b.v["status"]})
		return flow{sh: "printf '%s\\n' " + v.asWord()}, true
	case "foreach-object":
		return e.forEach(b, in), true
	}
	return flow{}, false
}

// all are values one behind the other.
func (e *emitter) all(list []val) val {
	out := val{known: true, str: true}
	for _, v := range list {
		out.known, out.str = out.known && (v.known || v.word == ""), out.str && v.str
		out.consts = append(out.consts, v.consts...)
	}
	if out.known {
		return out
	}
	var parts []val
	for i, v := range list {
		if i > 0 {
			parts = append(parts, known(" "))
		}
		if v.known || v.word != "" {
			parts = append(parts, v)
		}
	}
	return e.joined(parts)
}

// compared reads what both sides are.
func (e *emitter) compared(b *bound) flow {
	v := computed(b.v["referenceobject"], b.v["differenceobject"])
	return of(v)
}
