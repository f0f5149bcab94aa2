package powershell

import "strings"

// goes writes the cmdlets that go to directories.
func (e *emitter) goes(name string, b *bound, in *flow) (flow, bool) {
	if strings.HasSuffix(name, "-location") && name != "get-location" {
		e.stays()
	}
	switch name {
	case "set-location", "push-location":
		if in != nil {
			e.fail("a place that another command names")
		}
		v, ok := b.v["path"]
		if !ok {
			v, ok = b.v["literalpath"]
		}
		sh := "cd"
		if name == "push-location" {
			sh = "pushd"
		}
		if !ok {
			if sh == "pushd" {
				return flow{sh: "pushd ."}, true
			}
			e.fail("Set-Location without a place")
		}
		if t, plain := v.text(); plain && (t == "-" || t == "+") {
			e.fail("Set-Location " + t)
		}
		word := e.one(v)
		if strings.Contains(word, "*") || strings.ContainsAny(strings.Join(v.consts, ""), "*?[") {
			e.fail("a place that is a pattern")
		}
		return flow{sh: sh + " " + word}, true
	case "pop-location":
		return flow{sh: "popd"}, true
	case "get-location":
		return flow{sh: "pwd", str: false}, true
	}
	return flow{}, false
}

// looks are cmdlets that only look at the machine, with a program that does the same.
var looks = map[string]string{
	"get-date": "date", "get-process": "ps", "get-help": "date", "get-alias": "date", "get-module": "date", "get-service": "date", "get-psdrive": "df",
	"get-psprovider": "date", "get-verb": "date", "get-host": "date", "get-culture": "date", "get-uptime": "uptime", "get-timezone": "date", "get-computerinfo": "uname -a",
	"get-executionpolicy": "date", "get-random": "date", "new-guid": "date", "get-nettcpconnection": "ss -t", "get-netudpendpoint": "ss -u", "get-netipaddress": "ip addr",
	"get-ciminstance": "ps", "clear-host": ":", "set-strictmode": ":", "new-timespan": "date",
}

// ofProcesses are properties of a process, and of files, that hold nothing it was started with. classes
// are those of Windows that describe the machine (Microsoft, Win32 provider).
const (
	ofProcesses = " id processname cpu ws workingset workingset64 pm pagedmemorysize64 vm virtualmemorysize64 npm handles handlecount count length mainwindowtitle starttime responding company " +
		"description product fileversion productversion totalprocessortime sessionid owningprocess localport lastwritetime sum average maximum minimum exitcode hasexited matches groups state status days hours minutes seconds totalseconds totalminutes "
	classes = " win32_operatingsystem win32_processor win32_computersystem win32_logicaldisk win32_diskdrive win32_physicalmemory win32_bios win32_videocontroller win32_baseboard win32_networkadapter "
)

// looksAt wants of a cmdlet that looks at the machine that it looks at no files, and at nothing that
// processes and users were given.
func (e *emitter) looksAt(name string, b *bound) {
	switch name {
	case "get-process":
		e.processes = true
	case "get-ciminstance":
		class := b.v["classname"]
		if t, ok := class.text(); !ok || !strings.Contains(classes, " "+strings.ToLower(t)+" ") || b.has("query") || b.has("namespace") || b.has("filter") {
			e.fail("Get-CimInstance of a class that has no row")
		}
	case "get-module", "get-help", "get-command":
		for _, v := range b.v {
			for _, c := range v.consts {
				if strings.ContainsAny(c, `\/:`) {
					e.fail(name + " of a path")
				}
			}
			if !v.known || v.named() {
				e.fail(name + " of what is computed")
			}
		}
	}
}

// reaches writes what looks at the machine, starts and ends programs, and connects.
func (e *emitter) reaches(name string, b *bound, in *flow) (flow, bool) {
	if sh, ok := looks[name]; ok {
		e.looksAt(name, b)
		return flow{sh: sh}, true
	}
	switch name {
	case "get-variable":
		v := b.v["name"]
		if t, ok := v.text(); !ok || strings.ContainsAny(t, "*?[") {
			e.fail("Get-Variable of all") // calls before may have put secrets into some
		}
		return flow{sh: "date"}, true
	case "start-sleep":
		return flow{sh: "sleep " + b.number("seconds", "1")}, true
	case "get-command":
		v := b.v["name"]
		e.looksAt(name, b)
		if len(v.consts) == 0 {
			return flow{sh: "date"}, true
		}
		return flow{sh: "command -v " + strings.Join(v.words(), " ")}, true
	case "set-executionpolicy": // of the process alone; it says which scripts may run at all
		v := b.v["scope"]
		if t, ok := v.text(); !ok || !strings.EqualFold(t, "process") {
			e.fail("Set-ExecutionPolicy beyond the process")
		}
		return flow{sh: ":"}, true
	case "measure-command":
		if s, ok := b.n["expression"].(*script); ok && in == nil {
			sh := group(e.nested(func() string { return e.block(s.b) }))
			e.forgetIn(s.b)
			return flow{sh: sh}, true
		}
		e.fail("Measure-Command of what is no block")
	case "invoke-webrequest", "invoke-restmethod":
		return e.request(b, in), true
	case "test-connection", "test-netconnection", "resolve-dnsname":
		v, ok := b.v["computername"]
		if t, given := b.v["targetname"]; given {
			v, ok = t, true
		} else if t, given := b.v["name"]; given {
			v, ok = t, true
		}
		if !ok {
			v = known("internetbeacon.msedge.net") // its documentation
		}
		if b.has("server") {
			e.fail("Resolve-DnsName -Server")
		}
		port := b.number("port", "80")
		return flow{sh: "nc -z " + v.asWord() + " " + port}, true
	case "start-process":
		return e.process(b), true
	case "stop-process":
		return e.stops(b, in), true
	case "invoke-expression":
		return e.inner(b, in), true
	}
	return flow{}, false
}

// inner reads a line that a line runs.
func (e *emitter) inner(b *bound, in *flow) flow {
	v := b.v["command"]
	if in != nil && in.items != nil && !b.has("command") {
		v = *in.items
	}
	text, ok := v.text()
	if !ok || in != nil && in.items == nil {
		e.fail("Invoke-Expression of what is computed")
		return flow{sh: ":"}
	}
	inner, why := parse(text)
	if why == "" && len(assignedIn(inner)) > 0 {
		why = "Invoke-Expression of an assignment" // a loop around it may have looked at that variable before
	}
	if why != "" {
		e.fail(why)
		return flow{sh: ":"}
	}
	sh := group(e.nested(func() string { return e.block(inner) }))
	e.forgetIn(inner)
	return flow{sh: sh}
}

// request writes Invoke-WebRequest and Invoke-RestMethod.
func (e *emitter) request(b *bound, in *flow) flow {
	uri, ok := b.v["uri"]
	if !ok || in != nil {
		e.fail("a request whose address another command names")
		return flow{sh: ":"}
	}
	sh := "curl"
	for _, p := range [...]string{"method", "custommethod"} {
		if v, ok := b.v[p]; ok {
			t, plain := v.text()
			if !plain {
				e.fail("a request whose method is computed")
			}
			if t = strings.ToUpper(t); t != "GET" && t != "DEFAULT" && t != "HEAD" {
				sh += " -X " + quoted(t)
			}
		}
	}
	if v, ok := b.v["headers"]; ok {
		sh += " -H " + v.asWord()
	}
	if v, ok := b.v["body"]; ok {
		sh += " --data-raw " + v.asWord()
	}
	if v, ok := b.v["infile"]; ok {
		sh += " -T " + e.one(v)
	}
	if v, ok := b.v["outfile"]; ok {
		sh += " -o " + e.one(v)
	}
	if !uri.known {
		return flow{sh: sh + " " + uri.word}
	}
	return flow{sh: sh + " " + strings.Join(uri.words(), " ")}
}

// process writes Start-Process of a program, with words that cannot be parted otherwise: it joins
// them with blanks.
func (e *emitter) process(b *bound) flow {
	name, v := b.v["filepath"], b.v["argumentlist"]
	t, ok := name.text()
	if low := strings.ToLower(t); !ok || strings.HasSuffix(low, ".cmd") || strings.HasSuffix(low, ".bat") || strings.Contains(t, "://") || strings.ContainsAny(t, "/\\") && !strings.HasSuffix(strings.ToLower(t), ".exe") {
		e.fail("Start-Process of what is no program") // a document or an address starts what the user has for it
		return flow{sh: ":"}
	}
	words := []string{e.program(t)}
	if !v.known && b.has("argumentlist") || v.named() {
		e.fail("Start-Process with words that are computed")
	}
	for _, c := range v.consts {
		if strings.ContainsAny(c, "\"'") {
			e.fail("Start-Process with quotation marks in its words")
		}
		for _, w := range strings.Fields(c) {
			words = append(words, quoted(w))
		}
	}
	sh := strings.Join(words, " ")
	if d, ok := b.v["workingdirectory"]; ok {
		sh = "(cd " + e.one(d) + " && " + sh + ")"
	}
	for _, r := range [...][2]string{{"redirectstandardoutput", " >"}, {"redirectstandarderror", " 2>"}} {
		if v, ok := b.v[r[0]]; ok {
			sh += r[1] + e.one(v)
		}
	}
	if !b.on["wait"] {
		sh = group(sh + " &")
	}
	return flow{sh: sh}
}

func (e *emitter) stops(b *bound, in *flow) flow {
	if in != nil && !b.has("id") && !b.has("name") {
		e.fail("Stop-Process of what another command names")
		return flow{sh: ":"}
	}
	if v, ok := b.v["id"]; ok {
		if !v.known {
			return flow{sh: "kill -9 " + v.word}
		}
		return flow{sh: "kill -9 " + strings.Join(v.words(), " ")}
	}
	v := b.v["name"]
	sh := "pkill"
	if t, ok := v.text(); ok && !strings.ContainsAny(t, "*?[") {
		sh += " -x"
	}
	if !v.known {
		return flow{sh: sh + " " + v.word}
	}
	return flow{sh: sh + " " + strings.Join(v.words(), " ")}
}
