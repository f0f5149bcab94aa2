package review

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// id is the identity of a state or a node across policies.
type id [sha256.Size]byte

// String is the form that people see: 64 bits, too many for two nodes of one
// policy to share by accident.
func (i id) String() string { return hex.EncodeToString(i[:8]) }

// hashOf is the SHA-256 of parts with their lengths in front.
func hashOf(parts ...string) id {
	h := sha256.New()
	for _, p := range parts {
		h.Write(strconv.AppendInt(nil, int64(len(p)), 10))
		h.Write([]byte{':'})
		h.Write([]byte(p))
	}
	return id(h.Sum(nil))
}

// names holds the identities of a policy's states and nodes, by index.
type names struct {
	states, nodes []id
}

// nameAll names states by family and key, and nodes by their parent's name and
// their state's. In the reference profile keys are not unique, so descriptions
// count too, and what is still equal is numbered in the order of the file.
func nameAll(p *artifacts.Policy) *names {
	n := &names{states: make([]id, len(p.Tree.States)), nodes: make([]id, len(p.Tree.Nodes))}
	twins := make(map[id]int)
	base := make([]id, len(p.Tree.States))
	for i := range p.Tree.States {
		base[i] = stateBase(p, i)
		n.states[i] = numbered(twins, base[i])
	}
	clear(twins)
	for i := range p.Tree.Nodes {
		node := &p.Tree.Nodes[i]
		if i == tree.Root {
			n.nodes[i] = hashOf("root")
			continue
		}
		parent, state := n.nodes[node.Parent], base[node.State]
		n.nodes[i] = numbered(twins, hashOf("node", string(parent[:]), string(state[:])))
	}
	return n
}

func stateBase(p *artifacts.Policy, i int) id {
	s := &p.Tree.States[i]
	family := p.Tree.Families[s.Family].Name
	if p.Params.Profile == tree.ReferenceProfile {
		return hashOf("state", family, s.Key, s.Desc)
	}
	return hashOf("state", family, s.Key)
}

// numbered returns base the first time it is asked for it, and other names
// after that.
func numbered(seen map[id]int, base id) id {
	seen[base]++
	if k := seen[base]; k > 1 {
		return hashOf("twin", string(base[:]), strconv.Itoa(k))
	}
	return base
}

// NodeIDs names the nodes of a policy as everywhere in this package, in the order
// of the policy.
func NodeIDs(p *artifacts.Policy) []string {
	var out []string
	for _, n := range nameAll(p).nodes {
		out = append(out, n.String())
	}
	return out
}
