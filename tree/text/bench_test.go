package text

import (
	"strings"
	"testing"
)

// thought is a text of our own of the size and kind of an agent's.
const thought = `The search returned three files, and the second one, src/billing/invoice_parser.py, contains the function ` +
	`parse_line_items that the error message mentions. It splits every row at the first comma, which fails for quoted ` +
	`descriptions. I should look at its tests before I change anything. Let me open tests/test_invoice_parser.py to see ` +
	`what is covered.`

// perToken reports the time of a whole run by the token, the unit of the goal
// of 2 microseconds.
func perToken(b *testing.B, text string, run func(text string)) {
	n := len(Default().Tokens(nil, text))
	b.ReportAllocs()
	for b.Loop() {
		run(text)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/token")
	b.ReportMetric(float64(n), "tokens")
}

func BenchmarkVec(b *testing.B) {
	table, s, dst := Default(), new(Scratch), Vec(nil)
	for name, text := range map[string]string{
		"short": "Let me read the file first.", "thought": thought, "code": strings.Repeat("getUserDetails(a_b, 0x1F); ", 8),
		"long": strings.Repeat(thought, 8), "huge": strings.Repeat(thought, 800),
	} {
		b.Run(name, func(b *testing.B) {
			perToken(b, text, func(text string) { dst = table.Vec(s, dst, text) })
		})
	}
}

// BenchmarkCold forgets the rows that were read, as if every text were the first.
func BenchmarkCold(b *testing.B) {
	table, s, dst := Default(), new(Scratch), Vec(nil)
	perToken(b, thought, func(text string) {
		s.kept.of = nil
		dst = table.Vec(s, dst, text)
	})
}

// BenchmarkFloor only adds up the rows of the same tokens, whose numbers are
// known already: no embedding with this table can cost less.
func BenchmarkFloor(b *testing.B) {
	table, s := Default(), new(Scratch)
	ids := table.Tokens(nil, thought)
	perToken(b, thought, func(string) {
		s.reset(&table.mix)
		for _, id := range ids {
			if row := u16(table.rowOf[2*int(id):]); row != noRow {
				table.addRow(s, int(row), 1<<weightBits)
			}
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	table, ids := Default(), []uint16(nil)
	perToken(b, thought, func(text string) { ids = table.Tokens(ids[:0], text) })
}

func BenchmarkCos(b *testing.B) {
	table := Default()
	v, w := table.Vec(nil, nil, thought), table.Vec(nil, nil, "Let me read the file first.")
	for b.Loop() {
		Cos(v, w)
	}
}
