package main

import (
	"cmp"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/approval"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// whereDecided is the part of the three commands' help that they share.
const whereDecided = "The decision is signed with --key, with the reason, and added to the file of decisions beside the policy\n" +
	"(POLICY.decisions.jsonl). Each line names the one before: a line that was changed or taken out is refused by its\n" +
	"number, with exit status 4. Keep the file in version control.\n"

func gatesAcceptCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "accept",
		Usage:     "enforce a gate that distillation proposed",
		ArgsUsage: "POLICY ID",
		Description: "ID is the beginning of the id of a proposal; gbt gates show POLICY --proposals prints them. The new policy has\n" +
			"all that the old one has and the gate, the next sequence number, and the old one as its parent; it replaces the\n" +
			"old one, or goes to -o. " + whereDecided + "\n" +
			"Example:\n" +
			"   gbt gates accept policy.gbt 77d798a7 --key ann.pem --reason 'nobody here cancels events by mail'",
		Flags:  append(decideFlags(), dispositionFlag(), everywhereFlag()),
		Action: func(c *cli.Context) error { return runDecide(e, c, approval.Accept) },
	}
}

func gatesRejectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "reject",
		Usage:     "record that a proposed gate is not wanted",
		ArgsUsage: "POLICY ID",
		Description: "A successor that is distilled with --parent POLICY neither proposes nor enforces the gate again. A gate that is\n" +
			"enforced already can't be rejected: gates are only added. " + whereDecided + "\n" +
			"Example:\n" +
			"   gbt gates reject policy.gbt 77d798a7 --key ann.pem --reason 'would ask about every second mail'",
		Flags:  decideFlags()[:4],
		Action: func(c *cli.Context) error { return runDecide(e, c, approval.Reject) },
	}
}

func gatesEditCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "edit",
		Usage:     "enforce another expression in the place of a proposed gate, or beside an enforced one",
		ArgsUsage: "POLICY ID --expr EXPRESSION",
		Description: "The new expression must be at least as tight as that of ID: proved for all calls, or else it must stop every\n" +
			"recorded unsafe call that ID stops (exit status 3 if not). An enforced gate stays beside the new one. How many\n" +
			"honest recorded calls the new one stops is printed. " + whereDecided + "\n" +
			"Example:\n" +
			"   gbt gates edit policy.gbt 77d798a7 --expr 'ctx.verb != \"cancel\"' --key ann.pem --reason 'any tool that cancels'",
		Flags: append(decideFlags(), dispositionFlag(), everywhereFlag(),
			&cli.StringFlag{Name: "expr", Usage: "what must hold for a call to pass", Required: true},
			&cli.StringFlag{Name: "message", Usage: "what the agent is told (default: what ID tells it)"}),
		Action: func(c *cli.Context) error { return runDecide(e, c, approval.Edit) },
	}
}

func decideFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "key", Usage: "sign the decision and the policy with the private key in `FILE` (see gbt keygen)", Required: true},
		&cli.StringFlag{Name: "reason", Usage: "why, in a sentence", Required: true},
		trustFlag("a policy or a decision"), needFlag(),
		&cli.StringFlag{Name: "contexts", Usage: "read the recorded contexts from `FILE` (default: beside the policy)"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the new policy, and what stands beside it, to `FILE` and leave POLICY alone"},
		jobsFlag(),
	}
}

func dispositionFlag() cli.Flag {
	return &cli.StringFlag{Name: "disposition", Usage: "rejected, revision_required or approved_with_constraints (default: the proposal's)"}
}

func everywhereFlag() cli.Flag {
	return &cli.BoolFlag{Name: "everywhere", Usage: "ask the gate about all calls, not only at its nodes"}
}

// desk is what a decision is made on.
type desk struct {
	name   string
	data   []byte // of the policy's file
	parent *distill.Parent
	book   *approval.Book
	log    *approval.Log
	key    ed25519.PrivateKey
}

// subject is what a decision is about: a proposal, or a gate in force.
type subject struct {
	approval.Proposal
	enforced bool
}

func runDecide(e *env, c *cli.Context, action string) error {
	if c.NArg() != 2 {
		return fail(exitUsage, "gates %s takes a policy and the id of a gate: gbt gates %s POLICY ID --key KEY.pem --reason WHY", action, action)
	}
	if strings.TrimSpace(c.String("reason")) == "" {
		return fail(exitUsage, "--reason is empty: say why in a sentence")
	}
	d, err := openDesk(c)
	if err != nil {
		return err
	}
	s, err := d.find(c.Args().Get(1), action)
	if err != nil {
		return err
	}
	made := approval.Decision{Action: action, Gate: s.ID, Scope: s.Scope, Macros: s.Macros, Disposition: s.Disposition, Expr: s.Expr, Policy: d.parent.Digest, Reason: c.String("reason")}
	if action == approval.Reject {
		return d.reject(e, s, made)
	}
	return d.enforce(e, c, s, made)
}

func openDesk(c *cli.Context) (*desk, error) {
	d := &desk{name: c.Args().First()}
	if err := apart([]namedFile{{"-o", c.String("output")}}, []namedFile{{"--key", c.String("key")}, {"the proposals", proposalsBeside(d.name)}, {"the decisions", decisionsBeside(d.name)}, {"the contexts", contextsBeside(d.name)}}); err != nil {
		return nil, err
	}
	p, info, err := readPolicy(d.name, trustOf(c))
	if err != nil {
		return nil, err
	}
	if d.data, err = os.ReadFile(d.name); err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	d.parent = &distill.Parent{Policy: p, Digest: info.Digest}
	if len(p.Corpora) > 0 {
		if d.parent.Contexts, err = pinnedContexts(p, d.name, c.String("contexts")); err != nil {
			return nil, err
		}
	}
	if d.book, err = readProposals(d.name, info.Digest); err != nil {
		return nil, err
	}
	if d.log, err = readDecisions(decisionsBeside(d.name), false, trustOf(c)); err != nil {
		return nil, err
	}
	d.key, err = readPrivateKey(c.String("key"))
	return d, err
}

// find looks for the one gate whose id begins with id: among the proposals, and
// for an edit among the gates in force too.
func (d *desk) find(id, action string) (*subject, error) {
	var found []subject
	for _, p := range d.book.Proposals {
		if strings.HasPrefix(p.ID, id) {
			found = append(found, subject{Proposal: p})
		}
	}
	begins := distill.BeginningsOf(d.parent.Policy)
	for i := range d.parent.Policy.Gates {
		if g := &d.parent.Policy.Gates[i]; strings.HasPrefix(g.ID, id) {
			found = append(found, subject{approval.Proposal{ID: g.ID, Scope: g.Scope, Macros: begins[g.ID], Disposition: g.Disposition, Expr: g.Expr, Message: g.Message}, true})
		}
	}
	switch {
	case len(found) == 0:
		return nil, fail(exitUsage, "no proposal's id begins with %q; gbt gates show %s --proposals prints them", id, d.name)
	case len(found) > 1:
		return nil, fail(exitUsage, "%d gates have ids that begin with %q: give more of it", len(found), id)
	case found[0].enforced && action == approval.Reject:
		return nil, fail(exitUsage, "gate %.12s is enforced: gates are only added, and never taken back", found[0].ID)
	case found[0].enforced && action == approval.Accept:
		return nil, fail(exitUsage, "gate %.12s is enforced already", found[0].ID)
	}
	return &found[0], nil
}

func (d *desk) reject(e *env, s *subject, made approval.Decision) error {
	if err := d.log.Append(made, d.key); err != nil {
		return err
	}
	d.drop(s.ID)
	book, err := d.book.Encode()
	if err != nil {
		return err
	}
	files := []newFile{{proposalsBeside(d.name), book, 0o644}, {decisionsBeside(d.name), d.log.Bytes(), 0o644}}
	if err := writeFiles(files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "rejected %.12s: it is not proposed again; decision %d in %s\n", s.ID, len(d.log.Decisions), decisionsBeside(d.name))
	return stdoutError(err)
}

func (d *desk) drop(id string) {
	d.book.Proposals = slices.DeleteFunc(d.book.Proposals, func(p approval.Proposal) bool { return p.ID == id })
}

// enforce adds a gate and writes the new policy with all that stands beside it.
func (d *desk) enforce(e *env, c *cli.Context, s *subject, made approval.Decision) error {
	g, err := d.gate(c, s, &made)
	if err != nil {
		return err
	}
	next, _, err := artifacts.Open(d.data, artifacts.Trust{})
	if err != nil {
		return refused(d.name, err)
	}
	audit, err := distill.Adopt(d.parent, next, g, s.Macros, jobs(c))
	if err != nil {
		return cannotAdopt(err)
	}
	data, err := artifacts.Encode(next)
	if err != nil {
		return fmt.Errorf("encode policy: %w", err)
	}
	if data, err = artifacts.Sign(data, d.key); err != nil {
		return fmt.Errorf("sign policy: %w", err)
	}
	made.Made, made.Scope, made.Disposition, made.Expr = g.ID, g.Scope, g.Disposition, g.Expr
	if err := d.log.Append(made, d.key); err != nil {
		return err
	}
	d.drop(s.ID)
	out := c.String("output")
	if out == "" {
		out = d.name
	}
	if err := d.write(out, data); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "enforced %.12s in %s, sequence %d; 0 of %d calls that were stopped pass now; decision %d in %s\n",
		g.ID, out, next.Sequence, audit.Recorded(), len(d.log.Decisions), decisionsBeside(out))
	return stdoutError(err)
}

func cannotAdopt(err error) error {
	if bad := (*distill.ErrReadmitted)(nil); errors.As(err, &bad) {
		return fail(exitReadmitted, "%v; nothing was written", bad)
	}
	if bad := (*distill.ErrLooser)(nil); errors.As(err, &bad) {
		return fail(exitReadmitted, "%v; nothing was written", bad)
	}
	return fail(exitInput, "%v; nothing was written", err)
}

// gate is the gate that is to be enforced.
func (d *desk) gate(c *cli.Context, s *subject, made *approval.Decision) (artifacts.Gate, error) {
	old, err := s.Gate()
	if err != nil {
		return old, fail(exitInput, "%s: %v", proposalsBeside(d.name), err)
	}
	g := old
	if g.Disposition, err = stricter(old.Disposition, c.String("disposition")); err != nil {
		return g, err
	}
	if c.Bool("everywhere") {
		g.Scope = artifacts.ScopeGlobal
	}
	if made.Action == approval.Edit {
		if g, err = d.edited(c, old, g, made); err != nil {
			return g, err
		}
	}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	return g, nil
}

// edited gives a gate another expression, if that is at least as tight.
func (d *desk) edited(c *cli.Context, old, g artifacts.Gate, made *approval.Decision) (artifacts.Gate, error) {
	canonical, program, err := lang.Compile(c.String("expr"))
	if err != nil {
		return g, fail(exitUsage, "--expr: %v", err)
	}
	g.Expr, g.Program, g.Evidence = canonical, program, artifacts.Evidence{}
	if g.Message, err = editedMessage(g.Message, c.String("message")); err != nil {
		return g, err
	}
	t, err := distill.Tighter(old, g, d.parent.Contexts)
	switch {
	case err != nil:
		return g, fail(exitInput, "%v", err)
	case !t.Holds() && t.Of == 0:
		return g, fail(exitReadmitted, "no proof that the new expression stops what %.12s stops, and no recorded call to try it on; nothing was written", made.Gate)
	case !t.Holds():
		return g, fail(exitReadmitted, "the new expression stops %d of the %d recorded unsafe calls that %.12s stops, and lets context %.12s pass; nothing was written", t.Kept, t.Of, made.Gate, t.Lost)
	}
	// Rates on tasks left out are not known of a gate that a person wrote.
	g.Evidence.Unsafe = uint32(t.Stops)
	made.Shown = fmt.Sprintf("%s; stops %d of %d honest recorded calls, the old one %d", t.Says(), t.Honest, t.HonestOf, t.Before)
	return g, nil
}

// editedMessage is what the agent is told by an edited gate. It is none of the
// library any more, and must not say so.
func editedMessage(old, asked string) (string, error) {
	if library.LabelOf(asked) != "" {
		return "", fail(exitUsage, "--message begins as those of the library's gates do: say it in another way")
	}
	if asked == "" && library.LabelOf(old) != "" {
		_, old, _ = strings.Cut(old, ": ")
	}
	return cmp.Or(asked, old), nil
}

// stricter is the disposition that was asked for; it may not be looser than the
// one before.
func stricter(old, asked string) (string, error) {
	if asked == "" {
		return old, nil
	}
	was, is := dispositionOf(old), dispositionOf(asked)
	if is == gates.Approved {
		return "", fail(exitUsage, "--disposition %q: give rejected, revision_required or approved_with_constraints", asked)
	}
	if is > was {
		return "", fail(exitUsage, "--disposition %s is looser than %s: gates only tighten", asked, old)
	}
	return asked, nil
}

// dispositionOf is Approved for what no gate may have.
func dispositionOf(name string) gates.Disposition {
	for d := gates.Rejected; d < gates.Approved; d++ {
		if d.String() == name {
			return d
		}
	}
	return gates.Approved
}

// write writes the policy, its contexts, its proposals and the decisions, all or
// none.
func (d *desk) write(out string, data []byte) error {
	_, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return err
	}
	d.book.Policy = info.Digest
	book, err := d.book.Encode()
	if err != nil {
		return err
	}
	files := []newFile{{proposalsBeside(out), book, 0o644}, {decisionsBeside(out), d.log.Bytes(), 0o644}}
	if d.parent.Contexts != nil && contextsBeside(out) != contextsBeside(d.name) {
		record, err := contextsFile(out, &distill.Gates{Contexts: d.parent.Contexts})
		if err != nil {
			return err
		}
		files = append(files, record...)
	}
	return writeFiles(append(files, newFile{out, data, 0o644}))
}
