// Package field says what the table of the policy format says about each field,
// for programs that show policies to people or compare them. Package artifacts
// has the table and fills the rows in.
//
// What belongs here: the form of a row. What never does: the rows themselves and
// whatever reads, writes or decides (package artifacts), and how a row is shown
// (package review).
package field

// Loosens says whether a change of a field lets more calls pass than before. The
// zero value is the safe one: of a field that says nothing every change counts.
type Loosens uint8

// What loosens.
const (
	Any    Loosens = iota // any change may
	Never                 // it judges no call
	More                  // a higher number, a true, an entry more
	Less                  // a lower number, a false, an entry less
	Judged                // whoever compares has a rule for this one alone
)

// Row is one field of the format. P is the policy's type.
type Row[P any] struct {
	Section string // its tag
	Name    string // in FORMAT.md, texts, JSON and differences: never changed
	Title   string // what messages call it; empty for its name
	Loosens Loosens
	Word    bool // a text of a closed set: shown without quotes

	// Optional fields are left out of texts and JSON where they are not set, so that
	// policies without them look as they did before there were any.
	Optional bool

	// At returns a pointer to the value, of element i where the section is a list.
	// It is for reading: opened policies are shared.
	At func(p *P, i int) any
}
