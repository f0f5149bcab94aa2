package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// itemSplit says how xargs cuts its input into items, and those into commands
// (xargs(1), options -0, -d, -n and -L). It matters where an item is code: the
// second one of two is only an argument in one command, and code in the next.
type itemSplit struct {
	null, ends, lines bool
	end               string // of an item, as -d has it
	batch             string // items of a command, as -n has it
}

// batches returns the items of each command; false where no option changes how
// they are cut, or nothing is known of the input.
func (s itemSplit) batches(in data) ([][]string, bool) {
	if in.tty || mark.Has(in.text) || s == (itemSplit{}) {
		return nil, false
	}
	unclear := [][]string{{unknown.text}}
	if s.lines {
		var batches [][]string
		for line := range strings.SplitSeq(strings.TrimRight(in.text, "\n"), "\n") {
			items, ok := splitQuoted(line)
			if !ok {
				return unclear, true
			}
			batches = append(batches, items)
		}
		return batches, len(batches) <= maxItems
	}
	items, ok := s.items(in.text)
	if !ok || len(items) > maxItems {
		return unclear, true
	}
	size := len(items)
	if s.batch != "" {
		n, err := strconv.Atoi(s.batch)
		if err != nil || n < 1 {
			return unclear, true
		}
		size = n
	}
	var batches [][]string
	for ; len(items) > 0; items = items[min(size, len(items)):] {
		batches = append(batches, items[:min(size, len(items))])
	}
	if len(batches) == 0 {
		batches = [][]string{nil} // without items the command runs once
	}
	return batches, true
}

// maxItems bounds the items that are followed one by one.
const maxItems = 64

func (s itemSplit) items(text string) ([]string, bool) {
	end := "\x00"
	switch {
	case s.null:
	case !s.ends:
		return splitQuoted(text)
	case s.end == `\n`:
		end = "\n"
	case s.end == `\t`:
		end = "\t"
	case s.end == `\0`:
	case len(s.end) == 1 && s.end[0] > mark.Inside:
		end = s.end
	default:
		return nil, false
	}
	return strings.Split(trimSuffix(text, end), end), true
}
