package artifacts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSecondReader has a reader in another language, written from FORMAT.md
// alone, judge the vectors, policies of any shape, and files with random damage
// behind a right checksum. Both readers must refuse at the same step, and give
// the same digest where they don't.
func TestSecondReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no python3 on this machine: nothing compared")
		return
	}
	all := slices.Concat(vectors(), optionalVectors(t), drawnVectors(60), damagedVectors(1500))
	dir := t.TempDir()
	for i := range all {
		base := filepath.Join(dir, all[i].name)
		if err := errors.Join(os.WriteFile(base+".gbt", all[i].data, 0o644), os.WriteFile(base+".txt", []byte(trustText(&all[i])), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	second := secondSays(t, python, dir)
	steps := map[string]int{}
	for i := range all {
		mine := verdictOf(&all[i])
		step, _, _ := strings.Cut(mine, "\t")
		steps[step]++
		if got := second[all[i].name]; got != mine {
			t.Errorf("%s: the second reader says %q, Open %q", all[i].name, got, mine)
		}
	}
	t.Log(steps)
	for _, s := range []Step{"success", StepFrame, StepSignature, StepSequence, StepChecksum, StepSections, StepEncoding, StepPolicy} {
		if steps[string(s)] == 0 {
			t.Errorf("no file ended in step %s", s)
		}
	}
}

// trustText is the part of a vector's text that a reader is told.
func trustText(v *vector) string {
	var out strings.Builder
	for line := range strings.Lines(v.text()) {
		if strings.HasPrefix(line, "trust: ") || strings.HasPrefix(line, "need: ") || strings.HasPrefix(line, "min-sequence: ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

func verdictOf(v *vector) string {
	_, info, err := Open(v.data, v.settings())
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return string(r.Step) + "\t\t"
	case info.Signed:
		return "success\t" + info.Digest + "\tyes"
	}
	return "success\t" + info.Digest + "\tno"
}

// drawnVectors are valid policies of any shape.
func drawnVectors(n int) []vector {
	g := rapid.Custom(drawPolicy)
	var out []vector
	for i := range n {
		out = append(out, vector{name: fmt.Sprint("drawn-", i), data: must(g.Example(i))})
	}
	return out
}

// damagedVectors are the sample with up to three of its bytes behind the header
// replaced. The seed is fixed, so a failure can be looked at.
func damagedVectors(n int) []vector {
	r := rand.New(rand.NewPCG(1, 2))
	data := must(sample())
	var out []vector
	for i := range n {
		changed := slices.Clone(data)
		for range 1 + r.IntN(3) {
			at := headerSize + r.IntN(len(data)-headerSize-trailerSize)
			if r.IntN(8) > 0 { // mostly behind the table, whose damage is dull
				at = max(at, headerSize+entrySize*len(sections()))
			}
			changed[at] = byte(r.IntN(256))
		}
		// "policy" makes text() treat it as no success; the real step is found out.
		out = append(out, vector{name: fmt.Sprint("damaged-", i), expect: StepPolicy, data: summed(changed)})
	}
	return out
}

// secondSays is what the second reader says of each file in a folder.
func secondSays(t *testing.T, python, dir string) map[string]string {
	t.Helper()
	out, err := exec.Command(python, "testdata/second/reader.py", dir).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	says := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		says[name] = rest
	}
	return says
}
