// Package regions knows the locked parts of files: lines that no call of a run may change,
// while the rest of their file may be written.
//
// A part is marked in the file itself, from a line with gbt:lock to one with gbt:end, in
// whatever the file has for comments, or named from outside by its lines (FILE#10-20). A
// Region is taken from the text before anything is done, and Broken says which of them a
// later text no longer has. Lines in front of a region and behind it may change, and it may
// move; the marks are part of it.
//
// What belongs here: where locked parts are and whether a text still has them. What never
// does: files (whoever asks reads them), whether a call may run (package gates), and what
// becomes of a run that broke one (internal/runner).
package regions

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The words that begin and end a locked part.
const (
	Lock = "gbt:lock"
	End  = "gbt:end"
)

var (
	lockRE = regexp.MustCompile(`(^|[^\w:])` + Lock + `($|[^\w:])`)
	endRE  = regexp.MustCompile(`(^|[^\w:])` + End + `($|[^\w:])`)
	spanRE = regexp.MustCompile(`^(.+)#([0-9]{1,9})-([0-9]{1,9})$`)
)

// Region is a locked part of a file, by the digest of its lines.
type Region struct {
	File   string `json:"file"`
	From   int    `json:"from"`  // its first line, from 1, when it was taken
	Lines  int    `json:"lines"` // how many
	SHA256 string `json:"sha256"`
	Marked bool   `json:"marked,omitempty"` // by words in the file
	Times  int    `json:"times,omitempty"`  // of one that is not marked: how often its lines stood in the file
}

// String names the region for people.
func (r *Region) String() string {
	return fmt.Sprintf("%s, lines %d-%d", r.File, r.From, r.From+r.Lines-1)
}

// Span is FILE#START-END, as a person names a part.
type Span struct {
	File     string
	From, To int
}

// ParseSpan reads FILE#START-END. ok is false for a name without lines.
func ParseSpan(s string) (span Span, ok bool, err error) {
	m := spanRE.FindStringSubmatch(s)
	if m == nil {
		return Span{}, false, nil
	}
	span.File = m[1]
	span.From, _ = strconv.Atoi(m[2]) // nine digits always fit
	span.To, _ = strconv.Atoi(m[3])
	if span.From < 1 || span.To < span.From {
		return span, true, fmt.Errorf("%s: lines %d to %d are no lines of a file", s, span.From, span.To)
	}
	return span, true, nil
}

// errShort says that a file has no such lines.
var errShort = errors.New("the file has fewer lines")

// Take is the region that a span names in a text.
func (s Span) Take(text string) (Region, error) {
	all := lines(text)
	if s.To > len(all) {
		return Region{}, fmt.Errorf("%s#%d-%d: %w: %d", s.File, s.From, s.To, errShort, len(all))
	}
	r := Region{File: s.File, From: s.From, Lines: s.To - s.From + 1, SHA256: digest(all[s.From-1 : s.To])}
	r.Times = times(&r, all)
	return r, nil
}

// Marked are the regions that a file marks itself, in order. One that nothing ends goes to
// the end of the file.
func Marked(file, text string) []Region {
	if !strings.Contains(text, Lock) {
		return nil
	}
	var out []Region
	all := lines(text)
	for i := 0; i < len(all); i++ {
		if !lockRE.MatchString(all[i]) {
			continue
		}
		to := i
		for to < len(all)-1 && !endRE.MatchString(all[to]) {
			to++
		}
		out = append(out, Region{File: file, From: i + 1, Lines: to - i + 1, SHA256: digest(all[i : to+1]), Marked: true})
		i = to
	}
	return out
}

// Broken are those of a file's regions that a text no longer has: the marked ones must be
// the same ones in the same order, so that none can be put out of use by another, and the
// lines of the others must stand there as often as they did.
func Broken(list []Region, text string) []Region {
	var out []Region
	var marked []Region
	all := lines(text)
	for i := range list {
		switch r := &list[i]; {
		case r.Marked:
			marked = append(marked, *r)
		case times(r, all) != r.Times:
			out = append(out, *r)
		}
	}
	if len(marked) == 0 {
		return out
	}
	now := Marked(marked[0].File, text)
	for i, r := range marked {
		if i >= len(now) || now[i].SHA256 != r.SHA256 {
			return append(out, r)
		}
	}
	if len(now) > len(marked) {
		out = append(out, marked[len(marked)-1])
	}
	return out
}

// times is how often the lines of a region stand in a text.
func times(r *Region, all []string) int {
	n := 0
	for i := 0; i+r.Lines <= len(all); i++ {
		if digest(all[i:i+r.Lines]) == r.SHA256 {
			n++
		}
	}
	return n
}

// lines are the lines of a text with their ends.
func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

func digest(list []string) string {
	h := sha256.New()
	for _, l := range list {
		h.Write([]byte(l))
	}
	return hex.EncodeToString(h.Sum(nil))
}
