package shell

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// allTools reads every row of the table, in its order; those of a program that has another name
// stand under that, too.
func allTools() (list []*tool) {
	rows, others := map[string]string{}, map[string][]string{}
	for i := range toolBlocks {
		for row := range strings.Lines(block(i)) {
			name, _, _ := strings.Cut(row, "\t")
			if same := sameAs(row); same != "" {
				others[same] = append(others[same], name)
				continue
			}
			rows[name] = strings.TrimSuffix(row, "\n")
		}
	}
	for name, row := range rows {
		list = append(list, readRow(name, row))
		program, rest, sub := strings.Cut(name, " ")
		for _, other := range others[program] {
			if sub {
				other += " " + rest
			}
			list = append(list, readRow(other, row))
		}
	}
	slices.SortFunc(list, func(a, b *tool) int { return strings.Compare(a.name, b.name) })
	return list
}

// TestToolsAreSorted holds the table to the order that lookupTool needs.
func TestToolsAreSorted(t *testing.T) {
	tools := allTools()
	for i, want := range tools {
		for range 2 { // the row, then what was kept of it
			if got := lookupTool(want.name); got == nil || *got != *want {
				t.Errorf("%q is not found", want.name)
			}
		}
		if i > 0 && want.name <= tools[i-1].name {
			t.Errorf("%q stands behind %q", want.name, tools[i-1].name)
		}
	}
	if len(tools) < 1500 {
		t.Errorf("only %d tools", len(tools))
	}
}

// TestNoTool looks up names that no row has, beside those that rows have.
func TestNoTool(t *testing.T) {
	names := map[string]bool{}
	for _, tool := range allTools() {
		names[tool.name] = true
	}
	for name := range names {
		for _, other := range []string{name + "\t", name + "\n", name + "\x00", name + "\xff", name[:len(name)-1], name[1:], name + " ", " " + name, name + "~"} {
			if got := lookupTool(other); !names[other] && got != nil {
				t.Errorf("%q finds %q", other, got.name)
			}
		}
	}
	for _, other := range []string{"", "\t", "\n", "\xff", strings.SplitAfter(block(0), "\n")[0], block(0), toolTable} {
		if got := lookupTool(other); got != nil {
			t.Errorf("%.20q finds %q", other, got.name)
		}
	}
}

// TestLookupsShareRows looks up rows that share a place of what was looked up, from several
// goroutines.
func TestLookupsShareRows(t *testing.T) {
	tools := allTools()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 200 {
				for _, want := range tools[i : i+4] {
					if got := lookupTool(want.name); got == nil || *got != *want {
						t.Errorf("%q is not found", want.name)
					}
				}
			}
		})
	}
	group.Wait()
	if n := testing.AllocsPerRun(10, func() { lookupTool("git commit") }); n != 0 {
		t.Errorf("looking a tool up again makes %v allocations", n)
	}
}

// BenchmarkLookup compares the reading of a block of the table (inflate), the search for a row in one that was read (search), reading it for the first time
// (cold), and names looked up again: as many as a long session has (warm), and one (same).
func BenchmarkLookup(b *testing.B) {
	tools := allTools()
	b.Run("inflate", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			inflated[i%len(inflated)].Store(nil)
			block(i % len(inflated))
		}
	})
	b.Run("search", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			findRow(tools[i*7919%len(tools)].name)
		}
	})
	b.Run("cold", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if row, ok := findRow(tools[i*7919%len(tools)].name); ok { // another name of a tool has none of its own
				readRow("", row)
			}
		}
	})
	for _, names := range []struct {
		name string
		many int
	}{{"warm", 64}, {"same", 1}} {
		b.Run(names.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				lookupTool(tools[i%names.many*101].name)
			}
		})
	}
}
