package settings

import "bytes"

// remove takes the entry out of text. Where the list or an object around it
// is left empty, it goes too if and only if putting the entry back then gives
// exactly this text again: so what insert made goes, and what was there stays.
func (e *entry) remove(text []byte, comments bool) ([]byte, error) {
	for {
		d, err := parseDoc(text, comments)
		if err != nil {
			return nil, err
		}
		chain, err := d.locate(e.path)
		if err != nil {
			return nil, err
		}
		list := chain[len(chain)-1]
		if len(chain) <= len(e.path) {
			return text, nil
		}
		mine := e.find(d, list)
		if len(mine) == 0 {
			return text, nil
		}
		text = e.drop(d, chain, mine[len(mine)-1])
	}
}

// drop removes one element and, perhaps, the containers it leaves empty.
func (e *entry) drop(d *doc, chain []*node, i int) []byte {
	list := chain[len(chain)-1]
	raw := string(d.text[list.members[i].value.start:list.members[i].value.end])
	if len(list.members) > 1 {
		return d.cut(list, i)
	}
	for level := len(chain) - 2; level >= 0; level-- {
		parent := chain[level]
		without := d.cut(parent, parent.member(e.path[level]))
		if e.gives(without, d, raw) {
			return without
		}
		if len(parent.members) > 1 {
			break
		}
	}
	// The list was there before, or somebody edited around the entry since. An
	// empty list says nothing to any host, so only the element goes.
	return d.cut(list, i)
}

// gives says whether adding the element raw to text gives d's text.
func (e *entry) gives(text []byte, d *doc, raw string) bool {
	was, err := parseDoc(text, d.comments)
	if err != nil {
		return false
	}
	chain, err := was.locate(e.path)
	if err != nil {
		return false
	}
	was.unit, was.newline = d.unit, d.newline
	return bytes.Equal(was.add(chain, e.path, func(string) string { return raw }), d.text)
}

// cut removes a member with the comma that parts it from its neighbours.
func (d *doc) cut(n *node, i int) []byte {
	m := n.members[i]
	from, to := m.start, m.value.end
	switch {
	case i > 0:
		comma := d.comma(n.members[i-1].value.end)
		from = len(bytes.TrimRight(d.text[:from], " \t\r\n"))
		from = max(from, comma+1)
		return splice(splice(d.text, from, to, ""), comma, comma+1, "")
	case i+1 < len(n.members):
		return splice(d.text, from, n.members[i+1].start, "")
	}
	return splice(d.text, from, to, "")
}

// comma returns the place of the next comma that is no part of a comment.
func (d *doc) comma(pos int) int {
	s := scanner{text: d.text, pos: pos, comments: true}
	if s.space() != nil || s.pos >= len(d.text) || d.text[s.pos] != ',' {
		panic("gbt: internal error: no comma between two members")
	}
	return s.pos
}
