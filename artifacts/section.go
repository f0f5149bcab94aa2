package artifacts

import "github.com/gbt-policy/gbt/internal/artifacts/field"

// section is one value of the file: its tag, and what the table says of it.
type section struct {
	tag   string
	typ   typ
	at    func(*document) any // a pointer to the value
	rules bool                // it judges single calls: OpenRules reads it
	order func(*checker)      // what holds for the value as a whole, in step policy
}

// measured prepares the records of all sections.
func measured(list []section) []section {
	for i := range list {
		if r := list[i].typ.record; r != nil {
			r.measure()
		}
	}
	return list
}

func (s *section) walk(c *codec) {
	s.typ.walk(c, &s.typ, s.at(c.d))
}

// check runs what the table has for step policy.
func (s *section) check(c *checker) {
	if s.order != nil {
		s.order(c)
	}
	r := s.typ.record
	if r == nil || !r.checks {
		return
	}
	d := &document{p: c.p}
	if s.typ.elem == nil {
		r.check(c, 0, s.at(d))
		return
	}
	for i := 0; ; i++ {
		v := s.typ.elem(s.at(d), i)
		if v == nil {
			return
		}
		r.check(c, i, v)
	}
}

// record returns the section's record, or element i of its list of records.
func (s *section) element(p *Policy, i int) any {
	v := s.at(&document{p: p})
	if s.typ.elem != nil {
		return s.typ.elem(v, i)
	}
	return v
}

// Fields returns the rows of the table, for the programs of this module that show
// policies to people.
func Fields() []field.Row[Policy] {
	var out []field.Row[Policy]
	for i := range sections() {
		s := &sections()[i]
		if s.typ.record == nil {
			continue
		}
		for k := range s.typ.record.rows {
			f := &s.typ.record.rows[k]
			out = append(out, field.Row[Policy]{Section: s.tag, Name: f.name, Title: f.title, Loosens: f.loosens, Word: f.word, Optional: f.optional,
				At: func(p *Policy, i int) any { return f.at(s.element(p, i)) }})
		}
	}
	return out
}
