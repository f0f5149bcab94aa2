package artifacts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const ringDir = "testdata/rings"

// text is the file beside the ring.
func (c *ringCase) text() string {
	r, err := OpenRing([]byte(c.data), "")
	if err != nil {
		return "expect: refused\ncomment: " + c.name + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "expect: success\nroot: %s\nneed: %d\n", r.Root, r.Need)
	for _, k := range shownKeys(r) {
		fmt.Fprintf(&b, "key: %s\n", k)
	}
	fmt.Fprintf(&b, "comment: %s\n", c.name)
	return b.String()
}

func shownKeys(r *Ring) (out []string) {
	for _, k := range r.Keys {
		to := "-"
		if k.Retired {
			to = fmt.Sprint(k.To)
		}
		out = append(out, fmt.Sprintf("%s %d %s", k.ID, k.From, to))
	}
	return out
}

func (c *ringCase) file() string { return strings.NewReplacer(" ", "-", ",", "").Replace(c.name) }

// TestRingVectors holds the directory to the rings that this program makes.
func TestRingVectors(t *testing.T) {
	all := ringCases()
	if *update {
		if err := errors.Join(os.RemoveAll(ringDir), os.MkdirAll(ringDir, 0o755)); err != nil {
			t.Fatal(err)
		}
		writeRings(t, ringDir, all)
	}
	files, err := filepath.Glob(ringDir + "/*.ring")
	if err != nil || len(files) != len(all) {
		t.Fatalf("%d files for %d rings (error %v)", len(files), len(all), err)
	}
	for i := range all {
		base := filepath.Join(ringDir, all[i].file())
		data, err := os.ReadFile(base + ".ring")
		text, err2 := os.ReadFile(base + ".txt")
		if err := errors.Join(err, err2); err != nil || string(data) != all[i].data || string(text) != all[i].text() {
			t.Errorf("%s: not what this test makes (error %v); read why, then -update", all[i].name, err)
		}
	}
}

func writeRings(t *testing.T, dir string, all []ringCase) {
	t.Helper()
	for i := range all {
		base := filepath.Join(dir, all[i].file())
		if err := errors.Join(os.WriteFile(base+".ring", []byte(all[i].data), 0o644), os.WriteFile(base+".txt", []byte(all[i].text()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSecondReaderOfRings has the reader in another language judge the rings, and
// rings with a byte changed.
func TestSecondReaderOfRings(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no python3 on this machine: nothing compared")
		return
	}
	all := append(ringCases(), damagedRings(60)...)
	dir := t.TempDir()
	writeRings(t, dir, all)
	second := secondSays(t, python, dir)
	good := 0
	for i := range all {
		mine := "refused\t\t\t"
		if r, err := OpenRing([]byte(all[i].data), ""); err == nil {
			mine = fmt.Sprintf("success\t%s\t%d\t%s", r.Root, r.Need, strings.Join(shownKeys(r), ","))
			good++
		}
		if got := second[all[i].file()]; got != mine {
			t.Errorf("%s: the second reader says %q, OpenRing %q\n%s", all[i].name, got, mine, all[i].data)
		}
	}
	if good < 5 {
		t.Errorf("only %d rings are good: the test has lost its point", good)
	}
}

// damagedRings are a ring with one of its bytes replaced, or its lines mixed.
func damagedRings(n int) []ringCase {
	r := rand.New(rand.NewPCG(1, 2))
	two := string(ringOf(twoNeeded+addLine(1, 1)+addLine(2, 1), 1, 2, addLine(3, 5), 1, 2, retireLine(1, 9), 2, 3))
	var out []ringCase
	for i := range n {
		data := []byte(two)
		if i%3 > 0 {
			const often = "\n 019+/=-adesn"
			data[r.IntN(len(data))] = often[r.IntN(len(often))]
		} else {
			lines := strings.SplitAfter(two, "\n")
			a, b := r.IntN(len(lines)-1), r.IntN(len(lines)-1)
			lines[a], lines[b] = lines[b], lines[a]
			data = []byte(strings.Join(lines, ""))
		}
		out = append(out, ringCase{name: fmt.Sprint("damaged ", i), data: string(data)})
	}
	return out
}
