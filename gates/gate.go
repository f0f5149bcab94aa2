package gates

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync/atomic"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Gate is one deterministic rule of a policy over contexts (requirement G1). Its
// expression says what must hold for a call to pass; PROGRAM.md is the contract
// of Program. Package internal/gates/lang makes Expr and Program out of text.
type Gate struct {
	ID          string // hash of Scope, Disposition and Expr
	Scope       string // "global", or "node" or "subtree" for the nodes that name it
	Disposition string // of a call that does not pass: rejected, revision_required or approved_with_constraints
	Expr        string // canonical text
	Message     string // what to do instead
	Program     []byte // Expr lowered
}

// The scopes that are not asked everywhere. A gate of either is asked at the nodes
// that name it, which hand it on to all below them. They differ where nobody knows
// the node: there a gate of a subtree is asked too.
const (
	scopeNode    = "node"
	scopeSubtree = "subtree"
)

// CheckProgram says why bytes are not a program that can be evaluated.
func CheckProgram(data []byte) error {
	nodes, err := program.Decode(data, &ready().infos)
	for i := range nodes {
		if n := &nodes[i]; n.Op == program.Matches && err == nil {
			_, err = parsePattern(n.Str)
		}
	}
	return err
}

// rule is a gate ready for evaluation.
type rule struct {
	nodes    []program.Node
	patterns []*pattern // of the Matches nodes, which hold their index in Num
	disp     Disposition
	local    bool // asked at the nodes that name it
	unplaced bool // asked where the node is not known
}

// pattern is an RE2 pattern known to be well formed. It is compiled when it is
// first needed: a process that checks one call needs few of a policy's.
type pattern struct {
	text   string
	parsed *syntax.Regexp
	re     atomic.Pointer[regexp.Regexp]
}

func parsePattern(text string) (*syntax.Regexp, error) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("pattern is not RE2: %w", err)
	}
	return re, nil
}

// compiled is the pattern as it is matched.
func (p *pattern) compiled() *regexp.Regexp {
	re := p.re.Load()
	if re == nil {
		re = regexp.MustCompile(p.text) // fails only where parsing does
		p.re.Store(re)
	}
	return re
}

func (p *pattern) match(s string) bool { return p.compiled().MatchString(s) }

// patternsOf parses the patterns of a program, each once per library.
func patternsOf(nodes []program.Node, known map[string]*pattern) ([]*pattern, error) {
	var out []*pattern
	for i := range nodes {
		n := &nodes[i]
		if n.Op != program.Matches {
			continue
		}
		p := known[n.Str]
		if p == nil {
			parsed, err := parsePattern(n.Str)
			if err != nil {
				return nil, err
			}
			p = &pattern{text: n.Str, parsed: parsed}
			known[n.Str] = p
		}
		n.Num = int64(len(out))
		out = append(out, p)
	}
	return out, nil
}

// dispositionOf reads a gate's disposition. Whatever is not a name of one that
// stops a call is the strictest.
func dispositionOf(name string) Disposition {
	for d := Rejected; d < Approved; d++ {
		if d.String() == name {
			return d
		}
	}
	return Rejected
}
