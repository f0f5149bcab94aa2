package call

import (
	"crypto/sha256"
	"encoding/hex"
	stdhash "hash"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// bySchema gives a call the effects that its schema's roles say. Without any,
// the verb alone says what it does.
func (b *builder) bySchema() {
	n := len(b.c.Effects)
	for i := range b.c.Args {
		a := &b.c.Args[i]
		if r, _ := effect.ParseRole(a.Role); r != effect.RoleNone && a.Value != "" && a.Value != "null" {
			b.byRole(r, a)
		}
	}
	if len(b.c.Effects) == n {
		b.record()
	}
}

func (b *builder) byRole(r effect.Role, a *Arg) {
	does := r.Doing()
	switch r {
	case effect.RolePathRead, effect.RolePathList, effect.RolePathWrite, effect.RolePathDelete:
		b.path(does.Kind, does.Op, a.Value)
	case effect.RoleURLFetch, effect.RoleURLSend:
		b.url(does.Op, a.Value)
	case effect.RoleCommand:
		b.command(a.Value)
	case effect.RoleCode:
		b.runCode(b.langOf(a.Path), a.Value)
	case effect.RoleSQL:
		b.statement(a.Value)
	case effect.RoleRecipient:
		b.send(a.Value)
	case effect.RoleRecord:
		b.recordEffect(a.Value)
	case effect.RoleEscalate:
		b.escalate(a)
	case effect.RoleSecret:
		b.add(effect.Effect{Kind: does.Kind, Op: does.Op, Zone: effect.ZoneRecord, Resource: b.call.Tool})
	}
}

func (b *builder) langOf(at string) string {
	if i, ok := b.schema.arg(at); ok && b.schema.Args[i].Lang != "" {
		return strings.ToLower(b.schema.Args[i].Lang)
	}
	return "python"
}

// command analyses a command line, in the directory that another argument may
// name.
func (b *builder) command(line string) {
	places := *b.p
	if wd := b.workdir(); wd != "" {
		places.Cwd = places.Resolve(places.Cwd, wd)
		b.c.Cwd = places.Cwd
	}
	b.c.Command = line
	b.c.line = b.parsed(line)
	b.readings(line, &places)
	b.handedOver(func(anywhere *effect.Places) bool { return b.harmlessLine(b.c.line, anywhere) })
}

// does adds what a command line or code was resolved into, but for its programs.
func (b *builder) does(d *shell.Does) {
	b.c.Effects = append(b.c.Effects, d.Effects...)
	b.c.Written = append(b.c.Written, d.Written...)
	b.c.Cells = append(b.c.Cells, d.Cells...)
}

// runCode adds what code does.
func (b *builder) runCode(lang, text string) {
	does := shell.ResolveCode(lang, text, b.p)
	b.does(&does)
	b.handedOver(func(anywhere *effect.Places) bool {
		return onlyLook(shell.ResolveCode(lang, text, anywhere).Effects, true)
	})
}

// runs notes the programs of a command line whose effects follow n others.
func (b *builder) runs(list []effect.Run, n int) {
	for _, r := range list {
		for i := range r.Effects {
			r.Effects[i] += n
		}
		b.c.Runs = append(b.c.Runs, r)
	}
}

// parsed is a command line parsed, once for all who ask.
func (b *builder) parsed(line string) *shell.Line {
	if b.line == nil || b.line.Text != line {
		b.line = shell.Parse(line)
	}
	return b.line
}

func (b *builder) workdir() string {
	for i := range b.c.Args {
		if a := &b.c.Args[i]; a.Role == effect.RoleCwd.String() && a.Value != "" && a.Value != "null" {
			return a.Value
		}
	}
	if b.schema != nil {
		return ""
	}
	return b.value(workdirKeys[:]...)
}

// workdirKeys are the names under which shell tools take the directory that a
// command runs in.
var workdirKeys = [...]string{"workdir", "cwd", "working_directory", "directory", "dir"}

// send is data going to one recipient. A mail address says its domain, so that
// egress rules hold for mail as for requests.
func (b *builder) send(to string) {
	e := effect.Effect{Kind: effect.Network, Op: effect.OpSend, Zone: effect.ZoneRecord, Resource: to, Payload: b.payload()}
	if i := strings.LastIndexByte(to, '@'); i > 0 && !strings.ContainsAny(to, "/ :") {
		if n, ok := effect.ParseURL("https://"+strings.TrimRight(to[i+1:], ">"), "https"); ok {
			e.Net = effect.Net{Scheme: "mailto", Domain: n.Domain, IP: n.IP}
		}
	}
	b.add(e)
}

// escalate is a wish to run outside the host's sandbox.
func (b *builder) escalate(a *Arg) {
	switch strings.ToLower(a.Value) {
	case "", "false", "null", "use_default", "default":
		return
	}
	b.add(effect.Effect{Kind: effect.Setting, Op: effect.OpPrivilege, Resource: "outside the sandbox"})
}

// rolePayload is the payload that roles name, of all payload arguments together.
func (b *builder) rolePayload() (effect.Payload, bool) {
	var sum stdhash.Hash
	n := 0
	for i := range b.c.Args {
		if a := &b.c.Args[i]; a.Role == effect.RolePayload.String() {
			if sum == nil {
				sum = sha256.New()
			}
			sum.Write([]byte(a.Value))
			n += len(a.Value)
		}
	}
	if sum == nil {
		return effect.Payload{}, false
	}
	return effect.Payload{Known: true, Len: n, MIME: "text/plain", Hash: hex.EncodeToString(sum.Sum(nil))}, true
}
