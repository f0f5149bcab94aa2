package call

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// builder turns a call into effects: by its class, then by what its arguments
// name. A built-in class is trusted to say what the tool does; a guess from
// the tool's name only adds to what the arguments show.
type builder struct {
	c      *Call
	p      *effect.Places
	call   *Request
	schema *Schema // the user's, nil where there is none
	server *Server // what the user says of the tool's server, nil for nothing
	doc    document

	line    *shell.Line     // the command line parsed last
	carries *effect.Payload // what the call carries, once it is known
	ran     []string        // the code that it hands to an interpreter

	operation bool // an argument says that of the many things its tool is for this one reads
}

func (b *builder) build() {
	b.read()
	b.handOver()
	b.operated()
	b.hinted()
	b.regard()
	b.roles()
	switch {
	case b.schema != nil:
		b.bySchema()
	case b.programLine():
	default:
		b.byFamily()
		b.addArgumentEffects()
	}
	b.unlistedOptions()
	b.warned()
	b.own()
	b.hosts()
}

// read reads the arguments. What cannot be read, or could be read in two ways, is
// never approved.
func (b *builder) read() {
	if len(bytes.TrimSpace(b.call.Args)) == 0 {
		b.doc = document{value: value{kind: objectValue}, ok: true}
		return
	}
	b.doc = parseDocument(b.call.Args)
	ok := b.doc.ok
	if ok {
		b.c.Args, ok = b.doc.flatten()
	}
	switch b.c.Doubt = b.doc.doubt; {
	case !ok:
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "arguments of " + b.call.Tool})
	case b.c.Doubt != "":
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: b.c.Doubt})
	}
}

// add adds an effect; its program is the tool unless it names another. Not inlined, for the size of programs.
//
//go:noinline
func (b *builder) add(e effect.Effect) {
	if e.Program == "" {
		e.Program = b.call.Tool
	}
	b.c.Effects = append(b.c.Effects, e)
}

// addArgumentEffects adds what the arguments of a built-in or guessed tool show beside what
// its class says.
func (b *builder) addArgumentEffects() {
	if b.c.Class.Basis == BasisName {
		b.addGuessed()
	} else if b.c.Class.Family == FamilyFile {
		b.unlistedFiles()
	}
	for i := range b.c.Args {
		switch a := &b.c.Args[i]; a.Role {
		case effect.RoleEscalate.String():
			b.escalate(a)
		case effect.RoleSecret.String():
			if High(b.c.Class.Verb, b.c.Class.Resource) {
				b.byRole(effect.RoleSecret, a)
			}
		}
	}
}

func (b *builder) byFamily() {
	switch b.c.Class.Family {
	case FamilyShell:
		b.shell()
	case FamilyFile:
		b.file()
	case FamilyCode:
		b.code()
	case FamilyWeb:
		b.web()
	case FamilySQL:
		b.sql()
	case FamilyAgent:
		if b.c.Class.Verb == effect.VerbExecute {
			b.add(effect.Effect{Kind: effect.Spawn, Op: effect.OpRun, Resource: "agent"})
		}
	case FamilyUnknown:
		b.add(effect.Effect{Kind: effect.Opaque, Resource: "tool " + b.call.Tool})
	default:
		b.record()
	}
}

func (b *builder) shell() {
	switch b.c.Class.Verb {
	case effect.VerbDelete:
		if b.c.Class.Basis == BasisName && !b.ends() {
			b.record() // a command or a script that a service keeps
			return
		}
		fallthrough
	case effect.VerbRead: // the output or the end of a session of the agent's own
		b.add(effect.Effect{Kind: effect.Spawn, Op: effect.OpRun, Resource: "session"})
		return
	case effect.VerbCreate:
		b.add(effect.Effect{Kind: effect.Setting, Op: effect.OpSchedule, Resource: b.call.Tool})
		return
	}
	cmd, ok := b.doc.command()
	if !ok {
		if b.doc.namesCommand() || b.value("restart", "reset", "is_input") == "" {
			b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "no command line"})
		}
		return
	}
	b.command(cmd)
}

func (b *builder) code() {
	texts := b.codeTexts()
	if len(texts) == 0 {
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "no code"})
		return
	}
	b.ran = texts
	for _, text := range texts {
		for _, lang := range b.codeLanguages(text) {
			b.runCode(lang, text)
		}
	}
}

// codeTexts is the code that a call hands to an interpreter, and all of it where
// several arguments hold some, or one holds a list: which of them runs, and whether
// a list is the lines of one text or several texts, is not known here.
func (b *builder) codeTexts() []string {
	var texts []string
	for _, key := range [...]string{"code", "script", "cell", "command", "python_code", "source", "input"} {
		values, plain := b.all(key)
		if !plain {
			b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "code that is no text"})
		}
		if len(values) > 1 {
			values = append(b.few(values), strings.Join(values, "\n"))
		}
		for _, text := range values {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

func (b *builder) web() {
	url, ok := b.first("url", "uri", "href", "link", "address")
	op := effect.OpFetch
	switch b.c.Class.Verb {
	case effect.VerbSearch:
		b.add(effect.Effect{Kind: effect.List, Op: effect.OpSearch, Zone: effect.ZoneRecord, Resource: "web search"})
	case effect.VerbDelete:
		if b.c.Class.Basis == BasisName && !(b.ends() && b.c.Class.Resource == ResourceUI) {
			b.record() // a page of a wiki, a site, a link
		}
	case effect.VerbSend, effect.VerbWrite, effect.VerbExecute, effect.VerbCreate:
		op = effect.OpSend
		if !ok {
			b.add(effect.Effect{Kind: effect.Network, Op: op, Resource: "page element"})
		}
	default:
		if !ok && b.c.Class.Resource == ResourceUI {
			b.add(effect.Effect{Kind: effect.List, Op: effect.OpStat, Zone: effect.ZoneRecord, Resource: "page"})
		}
	}
	code := b.browserCode()
	if ok {
		b.everyURL(op, url)
	} else if b.urlList(op) || code {
		return
	} else if prompt, has := b.first("prompt"); has && b.c.Class.Verb == effect.VerbNavigate {
		b.urlsIn(prompt)
	} else if b.c.Class.Verb == effect.VerbNavigate && b.c.Class.Resource != ResourceUI {
		if b.onlySearches() {
			b.c.Class.Verb = effect.VerbSearch
			b.add(effect.Effect{Kind: effect.List, Op: effect.OpSearch, Zone: effect.ZoneRecord, Resource: "web search"})
			return
		}
		b.add(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: "page"})
	}
}

// onlySearches says whether the host's one tool of the web is given queries and nothing else, which
// makes it a search as web_search is. What it opens it names by references that only the host knows.
func (b *builder) onlySearches() bool {
	if Name(b.call.Tool) != "web__run" {
		return false
	}
	queries := false
	for i := range b.c.Args {
		switch top, _, _ := strings.Cut(b.c.Args[i].Path, "."); top {
		case "search_query", "image_query":
			queries = true
		case "response_length":
		default:
			return false
		}
	}
	return queries
}

// everyURL judges all addresses that a call names, the first one first: which of
// them the tool opens is not known here.
func (b *builder) everyURL(op effect.Op, first string) {
	b.url(op, first)
	seen := map[string]bool{first: true}
	for i := range b.c.Args {
		if a := &b.c.Args[i]; !seen[a.Value] && isURL(a) {
			seen[a.Value] = true
			b.url(op, a.Value)
		}
	}
}

// isURL says whether an argument of a tool of the web is an address, by its role or
// by its name. What is called a link or an address may be something else.
func isURL(a *Arg) bool {
	if a.Value == "" || a.Value == "null" {
		return false
	}
	switch top, _, _ := strings.Cut(a.Path, "."); top {
	case "url", "uri":
		return true
	case "href", "link", "address":
		return strings.Contains(a.Value, "://")
	}
	return a.Role == effect.RoleURLFetch.String() || a.Role == effect.RoleURLSend.String()
}

// urlList judges a list of addresses. ok is false if there is none.
func (b *builder) urlList(op effect.Op) (ok bool) {
	for i := range b.c.Args {
		a := &b.c.Args[i]
		if r := a.Role; (r == effect.RoleURLFetch.String() || r == effect.RoleURLSend.String()) && a.Value != "" && a.Value != "null" {
			b.url(op, a.Value)
			ok = true
		}
	}
	return ok
}

// browserCode judges BrowserGym-like action lines: goto('url'), click('12'). ok is
// false if there are none.
func (b *builder) browserCode() (ok bool) {
	for _, key := range [...]string{"code", "browser_actions"} {
		texts, _ := b.all(key)
		for _, text := range texts {
			ok = true
			for line := range strings.SplitSeq(text, "\n") {
				b.browserAction(line)
			}
		}
	}
	return ok
}

func (b *builder) browserAction(line string) {
	switch name, _, _ := strings.Cut(strings.TrimSpace(line), "("); name {
	case "", "noop", "scroll", "go_back", "go_forward", "tab_focus", "new_tab", "hover":
	case "goto":
		b.urlsIn(line)
	default:
		b.add(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: "page element"})
	}
}

func (b *builder) urlsIn(text string) {
	found := false
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`()<>,", r) }) {
		if strings.Contains(w, "://") {
			found = true
			b.url(effect.OpFetch, w)
		}
	}
	if !found {
		b.add(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: "page"})
	}
}

func (b *builder) url(op effect.Op, raw string) {
	if strings.HasPrefix(raw, "file:") {
		b.path(effect.Read, effect.OpRead, raw)
		return
	}
	n, ok := effect.ParseURL(raw, "https")
	e := effect.Effect{Kind: effect.Network, Op: op, Net: n, Resource: raw}
	if !ok {
		e.Net = effect.Net{Scheme: n.Scheme}
	}
	b.add(e)
}

// record is a call on an application's records: mail, money, bookings. What it
// hands to somebody is sent to each of them.
func (b *builder) record() {
	sent := false
	switch b.c.Class.Verb {
	case effect.VerbCreate, effect.VerbWrite, effect.VerbSend:
		for i := range b.c.Args {
			if a := &b.c.Args[i]; a.Role == effect.RoleRecipient.String() && a.Value != "" && a.Value != "null" {
				b.send(a.Value)
				sent = true
			}
		}
	}
	if !sent || b.c.Class.Verb != effect.VerbSend {
		b.recordEffect(b.recordID())
	}
}

func (b *builder) recordEffect(id string) {
	does := b.c.Class.Verb.Record()
	e := effect.Effect{Kind: does.Kind, Op: does.Op, Zone: effect.ZoneRecord, Resource: id}
	if b.c.Class.Verb.Reads() && (secretTool(b.call.Tool) || b.secretKind()) {
		e.Kind, e.Op, e.Sensitive = effect.Read, effect.OpRead, true
	}
	e.Payload = b.payload()
	b.add(e)
}

// recordKeys are the arguments that name a record or a recipient, the most
// telling first.
var recordKeys = [...]string{"recipient", "recipients", "to", "email", "account", "iban", "user", "user_id", "username", "channel", "order_id", "reservation_id", "event_id", "email_id", "file_id", "id", "name", "title", "filename", "query"}

func (b *builder) recordID() string {
	for _, k := range recordKeys {
		if v, ok := b.first(k); ok {
			return v
		}
	}
	for i := range b.c.Args {
		if a := &b.c.Args[i]; a.Role == effect.RoleRecord.String() && a.Value != "" && a.Value != "null" {
			return a.Value
		}
	}
	return b.call.Tool
}

// addGuessed adds what the arguments of a tool that is only guessed at show: a
// path, a URL, a command line or code under a telling key has its effects.
func (b *builder) addGuessed() {
	does := b.c.Class.Verb.Beside()
	kind, op := does.Kind, does.Op
	if b.c.Class.Family != FamilyFile {
		pathKind, pathOp := kind, op
		if b.c.Class.Resource == ResourceUI && b.c.Class.Verb.Reads() {
			pathKind, pathOp = effect.Write, effect.OpModify // where a picture of the screen goes
		}
		for _, w := range b.paths() {
			b.path(pathKind, pathOp, w)
		}
	}
	if u, ok := b.first("url", "uri", "endpoint", "webhook"); ok && b.c.Class.Family != FamilyWeb && !b.ownAddress(u) {
		b.url(effect.OpSend, u)
	}
	b.unlisted(kind, op)
	b.documents()
	b.namedRead()
}
