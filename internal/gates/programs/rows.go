package programs

import (
	"cmp"
	"slices"
	"strings"
)

// Row is a program or a subcommand as the tables have it. A row with Same is another name of the
// program that is called so, with all its subcommands, and says nothing else.
type Row struct {
	Name     string
	Does     byte
	Output   byte
	Operands string
	Options  string
	Traits   uint32
	Same     string
}

// group is the letter of what has subcommands.
const group = '/'

// Rows lays programs out as rows, sorted by name.
func Rows(list []Program) []Row {
	var rows []Row
	for i := range list {
		p := &list[i]
		if p.Language {
			continue
		}
		e := p.Entry
		rows = addRows(rows, p.Name, &e)
		for _, a := range p.Also {
			rows = append(rows, Row{Name: a.Name, Same: p.Name})
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(a.Name, b.Name) })
	return rows
}

func addRows(rows []Row, name string, e *Entry) []Row {
	rows = append(rows, e.row(name))
	for i := range e.Subs {
		s := &e.Subs[i]
		rows = addRows(rows, name+" "+s.Name, &s.Entry)
		for _, a := range s.Also {
			rows = addRows(rows, name+" "+a, &s.Entry)
		}
	}
	if e.Alone != nil {
		rows = append(rows, e.Alone.row(name+" "))
	}
	return rows
}

func (e *Entry) row(name string) Row {
	row := Row{Name: name, Does: 'p', Operands: e.operandLetters(), Options: e.optionLetters()}
	if e.Does != "" {
		row.Does, _ = letterOf(doesWords, e.Does)
	}
	if e.group {
		row.Does = group
	}
	row.Output, _ = letterOf(outputWords, e.Output)
	for _, t := range e.Traits {
		row.Traits |= 1 << slices.IndexFunc(traitWords, func(w trait) bool { return w.text == t })
	}
	return row
}

func (e *Entry) operandLetters() string {
	var b []byte
	if e.Stdin == "program" {
		b = append(b, '!')
	}
	if e.Last != "" {
		b = append(b, '$')
	}
	for _, role := range e.Operands {
		l, _ := letterOf(roleWords, role)
		b = append(b, l)
	}
	if e.Last != "" {
		l, _ := letterOf(roleWords, e.Last)
		b = append(b, l)
	}
	if len(b) == 0 && !e.group {
		return "n"
	}
	return string(b)
}

// optionLetters lists the options as NAME, kind and role: those that stand alone
// behind a single dash, then letters, then long ones, so that whoever looks for one
// need not read them all. "=!n" in front says that all others ask.
func (e *Entry) optionLetters() string {
	var b []string
	for _, o := range e.Options {
		role := byte('n')
		switch l, ok := letterOf(roleWords, o.Word); {
		case o.Word == "":
		case o.Kind == '!':
			role = flagLetter(o.Word)
		case ok:
			role = l
		}
		for _, n := range o.Names {
			b = append(b, e.shortName(n)+string(o.Kind)+string(role))
		}
	}
	slices.SortStableFunc(b, func(x, y string) int { return cmp.Compare(optionClass(x), optionClass(y)) })
	if e.asksUnlisted() {
		b = slices.Insert(b, 0, "=!n")
	}
	return strings.Join(b, " ")
}

func optionClass(option string) int {
	switch {
	case option[0] == '-':
		return 0
	case len(option) == 3:
		return 1
	}
	return 2
}

// shortName is an option's name as the tables have it: a letter, a long name, or
// a dash before what stands alone behind a single dash.
func (e *Entry) shortName(n string) string {
	if long, ok := strings.CutPrefix(n, "--"); ok && long != "" {
		return long
	}
	if len(n) == 2 && e.Letters != "apart" {
		return n[1:]
	}
	return n
}

func flagLetter(text string) byte {
	if l, ok := letterOf(flagWords, text); ok {
		return l
	}
	l, _ := letterOf(doesWords, text)
	return l
}

func (e *Entry) asksUnlisted() bool {
	if e.Unlisted != "" {
		return e.Unlisted == "ask"
	}
	return e.acts()
}

// acts says whether a run may run, load, send or write something: by itself, by
// an operand, an option or a subcommand.
func (e *Entry) acts() bool {
	if e.Does != "" && e.Does != "runs" && e.Does != "probes" || e.Stdin != "" {
		return true
	}
	act := func(role string) bool { return slices.Contains(actsWords, role) }
	if slices.ContainsFunc(e.Operands, act) || act(e.Last) {
		return true
	}
	if slices.ContainsFunc(e.Options, func(o Option) bool { return act(o.Word) || o.Kind == '!' && flagActs(o.Word) }) {
		return true
	}
	return slices.ContainsFunc(e.Subs, func(s Sub) bool { return s.acts() }) || e.Alone != nil && e.Alone.acts()
}

// flagActs says whether what a flag adds is one of doesWords that acts.
func flagActs(text string) bool {
	_, ok := letterOf(doesWords, text)
	return ok && text != "runs" && text != "probes"
}
