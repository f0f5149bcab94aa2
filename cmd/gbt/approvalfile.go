package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/gates/approval"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

// proposalsBeside and decisionsBeside name the files with a policy's proposals and
// with what people decided: policy.gbt has policy.proposals.json and
// policy.decisions.jsonl beside it.
func proposalsBeside(policy string) string {
	return strings.TrimSuffix(policy, ".gbt") + ".proposals.json"
}

func decisionsBeside(policy string) string {
	return strings.TrimSuffix(policy, ".gbt") + ".decisions.jsonl"
}

// proposalsFile is the file with the proposals, to be written beside the policy
// whose file is data; a policy that goes to a device or a pipe has none.
func proposalsFile(policy string, p *artifacts.Policy, g *distill.Gates, data []byte) ([]newFile, error) {
	if st, err := os.Stat(policy); g == nil || err == nil && !st.Mode().IsRegular() {
		return nil, nil
	}
	_, info, err := artifacts.Open(data, artifacts.Trust{})
	if err != nil {
		return nil, err
	}
	book := approval.Book{Policy: info.Digest, Proposals: approval.FromReview(g.Review)}
	begins := distill.BeginningsOf(p)
	book.Proposals = slices.DeleteFunc(book.Proposals, func(x approval.Proposal) bool {
		return slices.ContainsFunc(p.Gates, func(g artifacts.Gate) bool { return covers(&g, begins[g.ID], &x) })
	})
	text, err := book.Encode()
	if err != nil {
		return nil, err
	}
	return []newFile{{proposalsBeside(policy), text, 0o644}}, nil
}

// covers says whether a gate in force provably stops all that a proposal would, as
// strictly, wherever it would be asked: nobody needs to decide about that again.
func covers(g *artifacts.Gate, at []string, p *approval.Proposal) bool {
	if dispositionOf(g.Disposition) > dispositionOf(p.Disposition) {
		return false
	}
	everywhere := g.Scope == artifacts.ScopeGlobal
	same := g.Scope == p.Scope && !slices.ContainsFunc(p.Macros, func(m string) bool { return !slices.Contains(at, m) })
	return (everywhere || same) && (g.Expr == p.Expr || lang.Subsumes(g.Expr, p.Expr))
}

// readProposals reads the proposals beside a policy; an empty book if there are
// none.
func readProposals(policy, digest string) (*approval.Book, error) {
	name := proposalsBeside(policy)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &approval.Book{Policy: digest}, nil
	}
	if err != nil {
		return nil, fail(exitInput, "proposals: %v", err)
	}
	book, err := approval.ReadBook(data)
	if err != nil {
		return nil, fail(exitInput, "%s: %v", name, err)
	}
	if book.Policy != digest {
		return nil, fail(exitInput, "%s belongs to another policy than %s (%.12s): distill again, or move it away", name, policy, book.Policy)
	}
	return book, nil
}

// readDecisions verifies a file of decisions; an empty log if there is none and
// nobody asked for it.
func readDecisions(name string, must bool, o trust.Options) (*approval.Log, error) {
	t, err := readTrust(o)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !must {
		return &approval.Log{}, nil
	}
	if err != nil {
		return nil, fail(exitInput, "decisions: %v", err)
	}
	log, err := approval.ReadLog(data, t)
	if err != nil {
		return nil, fail(exitSignature, "%s:%v", name, err)
	}
	return log, nil
}

func decisionsFlag() cli.Flag {
	return &cli.StringFlag{Name: "decisions", Usage: "obey what people decided in `FILE` (default: beside the parent): gates they rejected are not proposed again"}
}

func reviewerFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "reviewer", Usage: "refuse decisions not signed by the public key in `FILE` (may be given again)"}
}

// decisionsFor names the decisions that a successor of parent obeys: those of
// --decisions, or those beside the parent; empty for none.
func decisionsFor(c *cli.Context, parent string) string {
	if name := c.String("decisions"); name != "" {
		return name
	}
	if parent != "" {
		return decisionsBeside(parent)
	}
	return ""
}

// parentDecisions reads them. The key of a parent need not be that of a reviewer,
// so that reviewers have a flag of their own.
func parentDecisions(c *cli.Context, parent string) (*approval.Log, error) {
	name, reviewers := decisionsFor(c, parent), c.StringSlice("reviewer")
	if name == "" {
		if len(reviewers) > 0 {
			return nil, fail(exitUsage, "--reviewer is the key of decisions: give --decisions or --parent too")
		}
		return &approval.Log{}, nil
	}
	return readDecisions(name, c.IsSet("decisions"), trust.Options{Keys: reviewers})
}

// sayUntrusted says whose decisions were obeyed where nobody said whom to trust:
// whoever can write the file could have rejected a gate.
func sayUntrusted(e *env, c *cli.Context, parent string, log *approval.Log) {
	if len(log.Decisions) > 0 && len(c.StringSlice("reviewer")) == 0 {
		fmt.Fprintf(e.stderr, "gbt: %s: signatures hold, but nobody said whose to trust; --reviewer KEY.pub does\n", decisionsFor(c, parent))
	}
}

// keptDecisions puts the decisions that were obeyed beside the new policy, unless
// they stand there.
func keptDecisions(c *cli.Context, parent string) ([]newFile, error) {
	log, err := parentDecisions(c, parent)
	out := decisionsBeside(c.String("output"))
	if err != nil || len(log.Decisions) == 0 || sameFile(decisionsFor(c, parent), out) {
		return nil, err
	}
	return []newFile{{out, log.Bytes(), 0o644}}, nil
}
