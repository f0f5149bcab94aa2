package powershell

import "strings"

// writes writes the cmdlets that change files.
func (e *emitter) writes(name string, b *bound, in *flow) (flow, bool) {
	switch name {
	case "set-content", "add-content", "out-file", "export-csv", "export-clixml":
		return e.stores(name, b, in), true
	case "tee-object":
		return e.tee(b, in), true
	case "clear-content":
		if in != nil {
			e.fail("Clear-Content of what another command names")
		}
		for _, v := range b.v {
			if !v.known {
				e.fail("Clear-Content of what is computed")
			}
		}
		return e.onFiles(b, nil, "truncate -s 0"), true
	case "new-item", "mkdir":
		return e.makes(name, b), true
	case "copy-item", "move-item":
		return e.copies(name, b, in), true
	case "rename-item":
		return e.renames(b, in), true
	case "remove-item":
		if vars, all, ok := e.variables(b); ok {
			if all {
				e.fail("Remove-Item of the environment")
			}
			e.stays()
			return flow{sh: "unset " + strings.Join(vars, " ")}, true
		}
		return e.removes(b, in), true
	case "set-item":
		if vars, all, ok := e.variables(b); ok && !all && len(vars) == 1 {
			v := b.v["value"]
			e.stays()
			if strings.Contains(folders+"PWD OLDPWD IFS ", " "+strings.ToUpper(vars[0])+" ") {
				e.fail("Set-Item of " + vars[0])
			}
			return flow{sh: "export " + vars[0] + "=" + v.asWord()}, true
		}
		e.fail("Set-Item")
		return flow{sh: ":"}, true
	case "expand-archive":
		dir := "."
		if v, ok := b.v["destinationpath"]; ok {
			dir = e.one(v)
		}
		_, words := e.where(b, nil)
		if len(words) != 1 {
			e.fail("Expand-Archive of several")
		}
		return flow{sh: "unzip -o " + strings.Join(words, " ") + " -d " + dir}, true
	case "compress-archive":
		v, ok := b.v["destinationpath"]
		_, words := e.where(b, nil)
		if !ok || len(words) == 0 {
			e.fail("Compress-Archive of what comes in")
			return flow{sh: ":"}, true
		}
		return flow{sh: "zip -r " + e.one(v) + " " + strings.Join(words, " ")}, true
	}
	return flow{}, false
}

// one is the one word that a path is, without patterns.
func (e *emitter) one(v val) string {
	words := e.paths(v, true)
	if len(words) != 1 {
		e.fail("several paths where one belongs")
		return "''"
	}
	return words[0]
}

// stores writes what comes in, or is given, into files.
func (e *emitter) stores(name string, b *bound, in *flow) flow {
	for _, p := range [...]string{"value", "inputobject"} {
		if v, ok := b.v[p]; ok {
			f := of(v)
			in = &f
		}
	}
	if in == nil {
		in = &flow{sh: "date"}
	}
	op := " >"
	if name == "add-content" || b.on["append"] {
		op = " >>"
	}
	var words []string
	for _, p := range [...]string{"path", "filepath", "literalpath"} {
		if v, ok := b.v[p]; ok {
			words = append(words, e.paths(v, p != "path")...)
		}
	}
	sh := e.printed(in)
	if in.items != nil && b.on["nonewline"] {
		sh = "printf %s " + strings.Join(in.items.words(), " ")
	}
	if name == "export-csv" || name == "export-clixml" {
		sh += " | cat"
	}
	if len(words) != 1 || strings.ContainsAny(unquoted(words[0]), "*?[") {
		if len(words) == 0 {
			e.fail("no path where one belongs")
		}
		return flow{sh: sh + " | tee " + strings.Join(words, " ") + " >/dev/null"}
	}
	return flow{sh: sh + op + words[0]}
}

// unquoted is what of a word stands in no quotation marks.
func unquoted(word string) string {
	out := ""
	for i, part := range strings.Split(word, "'") {
		if i%2 == 0 {
			out += part
		}
	}
	return out
}

func (e *emitter) tee(b *bound, in *flow) flow {
	if in == nil {
		in = &flow{sh: "date"}
	}
	if b.has("variable") {
		e.fail("Tee-Object -Variable") // a loop around it may have looked at that variable before
	}
	_, words := e.where(b, nil)
	if len(words) == 0 {
		e.fail("no path where one belongs")
	}
	sh := "tee "
	if b.on["append"] {
		sh = "tee -a "
	}
	return flow{sh: e.piped(in, sh+strings.Join(words, " ")), str: in.str}
}

// makes writes New-Item and mkdir.
func (e *emitter) makes(name string, b *bound) flow {
	path := b.v["path"]
	if n, ok := b.v["name"]; ok {
		if !b.has("path") {
			path = known(".")
		}
		if !path.known || len(path.consts) != 1 || !n.known || len(n.consts) != 1 {
			e.fail("New-Item of several")
		}
		path = e.joined([]val{path, known("/"), n})
	} else if !b.has("path") {
		e.fail("New-Item without a path")
	}
	kind, ok := "", true
	if v, given := b.v["itemtype"]; given {
		kind, ok = v.text()
	}
	words := strings.Join(e.paths(path, true), " ")
	v, value := b.v["value"]
	switch kind = strings.ToLower(kind); {
	case name == "mkdir" || kind == "directory" || kind == "container":
		return flow{sh: "mkdir -p " + words}
	case !ok:
		e.fail("New-Item of a kind that is computed")
	case kind == "symboliclink" || kind == "junction":
		return flow{sh: "ln -s " + e.one(v) + " " + words}
	case kind == "hardlink":
		return flow{sh: "ln " + e.one(v) + " " + words}
	case kind != "" && kind != "file":
		e.fail("New-Item of a " + kind)
	case value:
		f := of(v)
		return flow{sh: strings.Replace(e.printed(&f), `%s\n`, "%s", 1) + " >" + e.one(path)}
	case b.on["force"]:
		return flow{sh: "truncate -s 0 " + words}
	}
	return flow{sh: "touch " + words}
}

func (e *emitter) copies(name string, b *bound, in *flow) flow {
	to := "."
	if v, ok := b.v["destination"]; ok {
		to = e.one(v)
	} else if in != nil && in.find == nil {
		e.fail("a destination that an object may name")
	}
	sh := "cp"
	if name == "move-item" {
		sh = "mv"
	} else if b.on["recurse"] {
		sh = "cp -r"
	}
	if v, ok := b.v["path"]; ok && sh == "cp -r" {
		if t, ok := v.text(); ok && len(t) > 2 && (strings.HasSuffix(t, `/*`) || strings.HasSuffix(t, `\*`)) { // all that lies in it
			b.v["path"] = known(t[:len(t)-1] + ".")
		}
	}
	files, words := e.where(b, in)
	if files != nil {
		return flow{sh: "find " + strings.Join(files.find, " ") + files.tests + " -exec " + sh + " {} " + to + ` \;`}
	}
	return flow{sh: sh + " " + strings.Join(append(words, to), " ")}
}

// renames writes Rename-Item: the new name lies beside the old one.
func (e *emitter) renames(b *bound, in *flow) flow {
	files, words := e.where(b, in)
	if v, ok := b.v["newname"]; ok && files == nil && len(words) == 1 {
		old, known1 := b.v["path"]
		if !known1 {
			old = b.v["literalpath"]
		}
		from, plain := old.text()
		to, plain2 := v.text()
		if plain && plain2 && !strings.ContainsAny(to, `/\:*?[`) {
			dir := from[:strings.LastIndexAny(from, `/\`)+1]
			return flow{sh: "mv " + words[0] + " " + strings.Join(e.pathWords(dir+to, true), " ")}
		}
	}
	e.fail("Rename-Item to a name that is computed")
	return flow{sh: ":"}
}

// removes writes Remove-Item. Without -Recurse it asks before it removes what is in a
// directory.
func (e *emitter) removes(b *bound, in *flow) flow {
	sh := "rm -f"
	if b.on["recurse"] {
		sh = "rm -rf"
	}
	return e.onFiles(b, in, sh)
}
