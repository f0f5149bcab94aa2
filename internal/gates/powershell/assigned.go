package powershell

import "slices"

// assignedIn are the variables that a block gives a value, wherever in it.
func assignedIn(b *block) map[string]bool {
	found := map[string]bool{}
	assigned(b, found)
	return found
}

// assigned finds the variables that a part of a line gives a value, in all that is in it.
func assigned(n node, found map[string]bool) {
	for _, x := range within(n) {
		if x != nil {
			assigned(x, found)
		}
	}
	switch n := n.(type) {
	case *assign:
		to := n.to
		if t, ok := to.(*typed); ok && t.of != nil {
			to = t.of
		}
		if v, ok := to.(*variable); ok {
			found[v.name] = true
		}
	case *each:
		found[n.name] = true
	}
}

// within are the parts that a part of a line is made of.
func within(n node) (out []node) {
	blocks := func(list ...*block) {
		for _, b := range list {
			if b != nil {
				out = append(out, b)
			}
		}
	}
	into := func(list []redir) {
		for _, r := range list {
			out = append(out, r.to)
		}
	}
	switch n := n.(type) {
	case *block:
		return n.list
	case *chain:
		return n.list
	case *pipe:
		return n.elems
	case *command:
		out = append(out, n.name)
		for _, a := range n.args {
			out = append(out, a.value)
		}
		into(n.redirs)
	case *expr:
		out = append(out, n.x)
		into(n.redirs)
	case *assign:
		return []node{n.to, n.value}
	case *branch:
		out = append(out, n.conds...)
		blocks(n.bodies...)
		blocks(n.other)
	case *each:
		out = append(out, n.list)
		blocks(n.body)
	case *repeat:
		out = append(out, n.first, n.cond, n.step)
		blocks(n.body)
	case *guarded:
		blocks(n.body, n.catch, n.finally)
	case *leave:
		return []node{n.value}
	case *text:
		return n.parts
	case *list:
		return n.elems
	case *member:
		return append([]node{n.of}, n.args...)
	case *index:
		return []node{n.of, n.at}
	case *paren:
		return []node{n.x}
	case *sub:
		blocks(n.b)
	case *table:
		return n.values
	case *script:
		blocks(n.b)
	case *typed:
		return []node{n.of}
	case *binary:
		return n.operands
	case *unary:
		return []node{n.x}
	}
	return out
}

// namesMore says whether a part of a line names variables other than what a block is given and
// constants: what they hold may be a secret, and a block that is a value prints it.
func namesMore(n node) bool {
	if v, ok := n.(*variable); ok && !slices.Contains([]string{"_", "psitem", "true", "false", "null"}, v.name) {
		return true
	}
	return slices.ContainsFunc(within(n), func(part node) bool { return part != nil && namesMore(part) })
}
