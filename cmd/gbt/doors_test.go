package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

var update = flag.Bool("update", false, "write docs/doors.md anew")

// reason says why a front end has no decision on a row. The list is closed.
type reason byte

const (
	broken   reason = 'b'
	objects  reason = 'o'
	mended   reason = 'm'
	ownTools reason = 't'
	ownForm  reason = 'f'
	untold   reason = 'u'
	unseen   reason = 's'
)

// reasonWords is a reason in words; refuses says that the call was made and refused.
type reasonWords struct {
	why     reason
	refuses bool
	words   string
}

var doorReasons = []reasonWords{
	{broken, true, "The arguments stand in a larger text, which they break. All of it is refused and nothing runs."},
	{objects, true, "The protocol has an object there. The message is refused and nothing runs."},
	{mended, false, "The model's answer is JSON, whose reader mends such bytes before anybody sees the arguments: what is judged is what would run."},
	{ownTools, false, "`gbt run` has three tools of its own and runs no other."},
	{ownForm, true, "The call is decided on like everywhere and would run, but `gbt run`'s own tools take other arguments, so it does not."},
	{untold, false, "The host does not tell its hook of it, or not of the user's words."},
	{unseen, false, "What a server writes to standard error goes to the terminal and never to the agent."},
}

// TestDoors takes every row of the table through every front end: each gives the
// row's answer, or has a reason from the list. docs/doors.md shows what they gave.
func TestDoors(t *testing.T) {
	w := newDoorWorld(t)
	list := doors()
	got := make([][]told, len(list))
	t.Run("ask", func(t *testing.T) {
		for i, d := range list {
			got[i] = make([]told, len(doorRows))
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				for j := range doorRows {
					got[i][j] = d.ask(t, w, &doorRows[j])
				}
			})
		}
	})
	for i, d := range list {
		for j := range doorRows {
			if why := differs(&doorRows[j], &got[i][j]); why != "" {
				t.Errorf("%s: %s: %s\n%s", d.name, doorRows[j].name, why, got[i][j].text)
			}
		}
	}
	page := doorPage(list, got)
	const file = "../../docs/doors.md"
	if *update && !t.Failed() {
		if err := os.WriteFile(file, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(want, page) {
		t.Errorf("%s is not what the front ends say (%v): run go test ./cmd/gbt -run TestDoors -update and read the difference", file, err)
	}
}

// differs says what is wrong with a reply to a row, or nothing.
func differs(r *doorRow, got *told) string {
	if got.why != 0 {
		i := slices.IndexFunc(doorReasons, func(x reasonWords) bool { return x.why == got.why })
		if i < 0 || doorReasons[i].refuses != got.refused {
			return fmt.Sprintf("reason %c, refused is %v", got.why, got.refused)
		}
		return ""
	}
	if got.disposition != r.want.String() || !got.silent && !slices.Equal(got.rules, r.rules) {
		return fmt.Sprintf("%s %v, want %s %v", got.disposition, got.rules, r.want, r.rules)
	}
	return ""
}

// TestDoorRows: for each answer that stops there is a row that is approved, so
// that nobody passes by stopping everything, and no two rows have one name.
func TestDoorRows(t *testing.T) {
	names, answers := map[string]bool{}, map[gates.Disposition]int{}
	for _, r := range doorRows {
		if names[r.name] {
			t.Errorf("two rows are called %s", r.name)
		}
		names[r.name] = true
		answers[r.want]++
		if (r.want == gates.Approved) != (r.rules == nil) {
			t.Errorf("%s: %v with rules %v", r.name, r.want, r.rules)
		}
	}
	if answers[gates.Approved] < len(doorRows)/3 || answers[gates.RevisionRequired] < 10 || answers[gates.ApprovedWithConstraints] < 10 {
		t.Errorf("the answers of %d rows: %v", len(doorRows), answers)
	}
}

// doorPage is the table for people.
func doorPage(list []door, got [][]told) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The same answer at every door\n\nOne table of hostile calls and their harmless twins, taken through every front end by `cmd/gbt/doors_test.go`, which writes this\n"+
		"page (`go test ./cmd/gbt -run TestDoors -update`) and fails where one of them answers otherwise or this page is old. The policy is small:\n"+
		"the profile apps, two tool schemas, and one gate that asks about a path or a recipient which only something that came back has named.\n"+
		"The user said: %s What came back said: %s\n\n", doorTask, injected)
	b.WriteString("`=` is the answer and its rules, to the letter; from `run` the answer alone, since it tells a model no rules. A letter is a reason for none:\n\n")
	counts := map[reason]int{}
	for i := range list {
		for j := range got[i] {
			counts[got[i][j].why]++
		}
	}
	for _, x := range doorReasons {
		fmt.Fprintf(&b, "- `%c` (%d): %s\n", x.why, counts[x.why], x.words)
	}
	fmt.Fprintf(&b, "\n%d rows, %d front ends: %d answers and %d reasons.\n\n| row | tool | arguments | answer |", len(doorRows), len(list), counts[0], len(list)*len(doorRows)-counts[0])
	for _, d := range list {
		b.WriteString(" " + d.name + " |")
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(list)+4) + "\n")
	for j := range doorRows {
		r := &doorRows[j]
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |", r.name, r.tool, shortArgs(r.args), strings.TrimSpace(r.want.String()+" "+strings.Join(r.rules, ", ")))
		for i := range list {
			cell := "="
			if why := got[i][j].why; why != 0 {
				cell = string(rune(why))
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// shortArgs are arguments that a table can hold.
func shortArgs(s string) string {
	if len(s) > 100 {
		s = s[:60] + "..."
	}
	s = strconv.QuoteToASCII(s)
	s = strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	return strings.ReplaceAll(s, "|", `\|`)
}
