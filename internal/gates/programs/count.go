package programs

import "fmt"

// Tally counts programs, each of which has a source, their names and rows.
type Tally struct{ Programs, Names, Rows, Distinct int }

// Count counts programs and what is compiled of them.
func Count(list []Program) Tally {
	t := Tally{Programs: len(list)}
	distinct := map[Row]bool{}
	for _, p := range list {
		t.Names += 1 + len(p.Also)
	}
	for _, r := range Rows(list) {
		t.Rows++
		r.Name = ""
		distinct[r] = true
	}
	t.Distinct = len(distinct)
	return t
}

func (t Tally) String() string {
	return fmt.Sprintf("programs\t%d\nnames\t%d\nrows\t%d\ndistinct rows\t%d\n",
		t.Programs, t.Names, t.Rows, t.Distinct)
}
