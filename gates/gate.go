package gates

import (
	"fmt"
	"regexp"

	"github.com/gbt-policy/gbt/gates/internal/program"
)

// Gate is one deterministic rule of a policy over contexts (requirement G1). Its
// expression says what must hold for a call to pass; PROGRAM.md is the contract
// of Program. Package gates/lang makes Expr and Program out of text.
type Gate struct {
	ID          string // hash of Scope, Disposition and Expr
	Scope       string // "global", or "node" for the nodes that name it
	Disposition string // of a call that does not pass: rejected, revision_required or approved_with_constraints
	Expr        string // canonical text
	Message     string // what to do instead
	Program     []byte // Expr lowered
}

const scopeNode = "node"

// CheckProgram says why bytes are not a program that can be evaluated.
func CheckProgram(data []byte) error {
	nodes, err := program.Decode(data)
	if err == nil {
		_, err = compilePatterns(nodes, map[string]*regexp.Regexp{})
	}
	return err
}

// rule is a gate ready for evaluation.
type rule struct {
	nodes    []program.Node
	patterns []*regexp.Regexp // of the Matches nodes, which hold their index in Num
	disp     Disposition
	global   bool
}

// compilePatterns compiles the patterns of a program, each once per library.
func compilePatterns(nodes []program.Node, known map[string]*regexp.Regexp) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for i := range nodes {
		n := &nodes[i]
		if n.Op != program.Matches {
			continue
		}
		re := known[n.Str]
		if re == nil {
			var err error
			if re, err = regexp.Compile(n.Str); err != nil {
				return nil, fmt.Errorf("pattern is not RE2: %w", err)
			}
			known[n.Str] = re
		}
		n.Num = int64(len(out))
		out = append(out, re)
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
