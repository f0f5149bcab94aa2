package programs

import "fmt"

// Tally counts programs, names, rows, and programs by whether a source was opened.
type Tally struct{ Programs, Names, Rows, Distinct, Opened int }

// Count counts programs and what is compiled of them.
func Count(list []Program) Tally {
	t := Tally{Programs: len(list)}
	distinct := map[Row]bool{}
	for _, p := range list {
		t.Names += 1 + len(p.Also)
		if p.Source.Opened() {
			t.Opened++
		}
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
	return fmt.Sprintf("programs\t%d\nnames\t%d\nrows\t%d\ndistinct rows\t%d\nsource opened\t%d\nsource none\t%d\n",
		t.Programs, t.Names, t.Rows, t.Distinct, t.Opened, t.Programs-t.Opened)
}
