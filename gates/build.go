package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/call/shell"
	"github.com/gbt-policy/gbt/gates/effect"
)

// builder turns a call into effects: by its class, then by what its arguments
// name. A built-in class is trusted to say what the tool does; a guess from
// the tool's name only adds to what the arguments show.
type builder struct {
	c      *Context
	p      *effect.Places
	call   *Call
	schema *Schema // the user's, nil where there is none

	carries *effect.Payload // what the call carries, once it is known
}

func (b *builder) build() {
	args, ok := flatten(b.call.Args)
	b.c.Args = args
	b.roles()
	b.origins()
	if !ok {
		b.add(Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "arguments of " + b.call.Tool})
	}
	if b.schema != nil {
		b.bySchema()
	} else {
		b.byFamily()
		b.beside()
	}
	if b.call.Hints.Destructive {
		b.add(Effect{Kind: effect.Delete, Op: effect.OpRemove, Zone: effect.ZoneRecord, Resource: b.call.Tool})
	}
	if b.call.Hints.OpenWorld {
		b.add(Effect{Kind: effect.Network, Op: effect.OpSend, Resource: b.call.Tool})
	}
}

func (b *builder) add(e Effect) {
	if e.Program == "" {
		e.Program = b.call.Tool
	}
	b.c.Effects = append(b.c.Effects, e)
}

// origins notes where each argument's value came from. Text is compared, never
// understood.
func (b *builder) origins() {
	if b.call.Sources != nil {
		b.c.Trace(b.call.Sources)
		return
	}
	for i := range b.c.Args {
		a := &b.c.Args[i]
		if len(a.Value) < 3 {
			continue
		}
		if b.call.Task != "" && strings.Contains(b.call.Task, a.Value) {
			a.Origin = OriginTask
			continue
		}
		for _, u := range b.call.Untrusted {
			if strings.Contains(u, a.Value) {
				a.Origin, a.Form = OriginUntrusted, "~" // a part of a text, as package flow marks it
				break
			}
		}
	}
}

// beside adds what the arguments of a built-in or guessed tool show beside what
// its class says.
func (b *builder) beside() {
	if b.c.Class.Basis == BasisName {
		b.named()
	} else if b.c.Class.Family == FamilyFile {
		b.strayFiles()
	}
	for i := range b.c.Args {
		switch a := &b.c.Args[i]; a.Role {
		case roleNames[RoleEscalate]:
			b.escalate(a)
		case roleNames[RoleSecret]:
			if high(b.c.Class.Verb, b.c.Class.Resource) {
				b.byRole(RoleSecret, a)
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
		if b.c.Class.Verb == VerbExecute {
			b.add(Effect{Kind: effect.Spawn, Op: effect.OpRun, Resource: "agent"})
		}
	case FamilyUnknown:
		b.add(Effect{Kind: effect.Opaque, Resource: "tool " + b.call.Tool})
	default:
		b.record()
	}
}

func (b *builder) shell() {
	switch b.c.Class.Verb {
	case VerbRead, VerbDelete: // the output or the end of a session of the agent's own
		b.add(Effect{Kind: effect.Spawn, Op: effect.OpRun, Resource: "session"})
		return
	case VerbCreate:
		b.add(Effect{Kind: effect.Setting, Op: effect.OpSchedule, Resource: b.call.Tool})
		return
	}
	cmd, ok := CommandOf(b.call.Tool, b.call.Args)
	if !ok {
		if namesCommand(b.call.Args) || b.value("restart", "reset", "is_input") == "" {
			b.add(Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "no command line"})
		}
		return
	}
	b.command(cmd)
}

func (b *builder) code() {
	texts := b.codeTexts()
	if len(texts) == 0 {
		b.add(Effect{Kind: effect.Opaque, Op: effect.OpUnparsed, Resource: "no code"})
		return
	}
	lang := b.value("language", "lang", "runtime")
	if lang == "" {
		lang = "python"
	}
	switch name := bareName(b.call.Tool); name {
	case "node", "javascript", "js_repl":
		lang = "node"
	}
	for _, text := range texts {
		b.c.Effects = append(b.c.Effects, shell.AnalyzeCode(strings.ToLower(lang), text, b.p)...)
	}
}

// codeTexts is the code that a call hands to an interpreter, and all of it where
// several arguments hold some: which of them runs is not known here.
func (b *builder) codeTexts() []string {
	var texts []string
	for _, key := range [...]string{"code", "script", "cell", "command", "python_code"} {
		if text, ok := b.first(key); ok && !contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		if text, ok := b.first("source", "input"); ok {
			texts = []string{text}
		}
	}
	return texts
}

func (b *builder) web() {
	url, ok := b.first("url", "uri", "href", "link", "address")
	op := effect.OpFetch
	switch b.c.Class.Verb {
	case VerbSearch:
		b.add(Effect{Kind: effect.List, Op: effect.OpSearch, Zone: effect.ZoneRecord, Resource: "web search"})
	case VerbSend, VerbWrite, VerbExecute, VerbCreate:
		op = effect.OpSend
		if !ok {
			b.add(Effect{Kind: effect.Network, Op: op, Resource: "page element"})
		}
	default:
		if !ok && b.c.Class.Resource == ResourceUI {
			b.add(Effect{Kind: effect.List, Op: effect.OpStat, Zone: effect.ZoneRecord, Resource: "page"})
		}
	}
	if ok {
		for _, key := range [...]string{"url", "uri", "href", "link", "address"} {
			if u, has := b.first(key); has && (u == url || strings.Contains(u, "://")) {
				b.url(op, u)
			}
		}
	} else if b.urlList(op) {
		return
	} else if code, has := b.first("code", "browser_actions"); has {
		b.browserCode(code)
	} else if prompt, has := b.first("prompt"); has && b.c.Class.Verb == VerbNavigate {
		b.urlsIn(prompt)
	} else if b.c.Class.Verb == VerbNavigate && b.c.Class.Resource != ResourceUI {
		b.add(Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: "page"})
	}
}

// urlList judges a list of addresses. ok is false if there is none.
func (b *builder) urlList(op Op) (ok bool) {
	for i := range b.c.Args {
		a := &b.c.Args[i]
		if r := a.Role; (r == roleNames[RoleURLFetch] || r == roleNames[RoleURLSend]) && a.Value != "" && a.Value != "null" {
			b.url(op, a.Value)
			ok = true
		}
	}
	return ok
}

// browserCode judges BrowserGym-like action lines: goto('url'), click('12').
func (b *builder) browserCode(code string) {
	for _, line := range strings.Split(code, "\n") {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "(")
		switch name {
		case "", "noop", "scroll", "go_back", "go_forward", "tab_focus", "new_tab", "hover":
		case "goto":
			b.urlsIn(line)
		default:
			b.add(Effect{Kind: effect.Network, Op: effect.OpSend, Resource: "page element"})
		}
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
		b.add(Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: "page"})
	}
}

func (b *builder) url(op Op, raw string) {
	if strings.HasPrefix(raw, "file:") {
		b.path(effect.Read, effect.OpRead, raw, "")
		return
	}
	n, ok := effect.ParseURL(raw, "https")
	e := Effect{Kind: effect.Network, Op: op, Net: n, Resource: raw}
	if !ok {
		e.Net = Net{Scheme: n.Scheme}
	}
	b.add(e)
}

// record is a call on an application's records: mail, money, bookings. What it
// hands to somebody is sent to each of them.
func (b *builder) record() {
	sent := false
	switch b.c.Class.Verb {
	case VerbCreate, VerbWrite, VerbSend:
		for i := range b.c.Args {
			if a := &b.c.Args[i]; a.Role == roleNames[RoleRecipient] && a.Value != "" && a.Value != "null" {
				b.send(a.Value)
				sent = true
			}
		}
	}
	if !sent || b.c.Class.Verb != VerbSend {
		b.recordEffect(b.recordID())
	}
}

func (b *builder) recordEffect(id string) {
	e := Effect{Zone: effect.ZoneRecord, Resource: id}
	switch b.c.Class.Verb {
	case VerbRead, VerbSearch, VerbNavigate, VerbThink, VerbAsk, VerbFinish:
		e.Kind, e.Op = effect.List, effect.OpSearch
		if secretTool(b.call.Tool) {
			e.Kind, e.Op, e.Sensitive = effect.Read, effect.OpRead, true
		}
	case VerbCreate:
		e.Kind, e.Op = effect.Write, effect.OpCreate
	case VerbWrite:
		e.Kind, e.Op = effect.Write, effect.OpModify
	case VerbDelete:
		e.Kind, e.Op = effect.Delete, effect.OpRemove
	case VerbSend:
		e.Kind, e.Op = effect.Network, effect.OpSend
	case VerbExecute:
		e.Kind, e.Op = effect.Spawn, effect.OpRunUnknown
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
		if a := &b.c.Args[i]; a.Role == roleNames[RoleRecord] && a.Value != "" && a.Value != "null" {
			return a.Value
		}
	}
	return b.call.Tool
}

// named adds what the arguments of a tool that is only guessed at show: a
// path, a URL, a command line or code under a telling key has its effects.
func (b *builder) named() {
	kind, op := effect.Read, effect.OpRead
	switch b.c.Class.Verb {
	case VerbCreate, VerbWrite, VerbExecute, VerbSend:
		kind, op = effect.Write, effect.OpModify
	case VerbDelete:
		kind, op = effect.Delete, effect.OpRemove
	}
	if b.c.Class.Family != FamilyFile {
		for _, w := range b.paths() {
			b.path(kind, op, w, "")
		}
	}
	if u, ok := b.first("url", "uri", "endpoint", "webhook"); ok && b.c.Class.Family != FamilyWeb {
		b.url(effect.OpSend, u)
	}
	b.strays(kind, op)
}
