package shell

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestScriptsDoWhatIsForeseen runs scripts in bash and dash and asks of each program that ran, and of
// each file that was written, whether the reader foresaw it. GBT_SCRIPTS is how many
// scripts, GBT_SCRIPTS_SEED the seed of the first, and GBT_SCRIPTS_MAX after how many finds it ends.
func TestScriptsDoWhatIsForeseen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("runs the shells of Linux")
	}
	cases, seed := envNumber(t, "GBT_SCRIPTS", 200), envNumber(t, "GBT_SCRIPTS_SEED", 1)
	b := newBench(t)
	asks, exact, valid, found := 0, 0, 0, 0
	for from := 0; from < cases; from += 100 {
		var scripts []*script
		var trees [][]*node
		for i := from; i < min(cases, from+100); i++ {
			shell, list := makeScript(int64(seed + i))
			trees = append(trees, list)
			scripts = append(scripts, &script{shell: shell, text: render(list)})
		}
		b.run(scripts)
		for i, s := range scripts {
			f := foresee(s)
			switch {
			case f.asks:
				asks++
			case f.exact(s):
				exact++
			}
			if len(s.ran) > 0 {
				valid++
			}
			if missed := f.missed(s); len(missed) > 0 {
				found++
				small, missed := b.shrink(s, trees[i], missed)
				t.Errorf("seed %d, %s: not foreseen: %s\n--- script\n%s\n--- it says\n%s\n%s", seed+from+i, s.shell, strings.Join(missed, "; "), small.text, small.out, told(small))
			}
			if t.Failed() && found >= envNumber(t, "GBT_SCRIPTS_MAX", 5) {
				t.FailNow()
			}
		}
	}
	if valid < cases*8/10 || exact < cases/5 {
		t.Errorf("only %d of %d scripts did something, and of %d nothing more was foreseen", valid, cases, exact)
	}
	t.Logf("%d scripts, of which %d did something; the reader asks about %d, foresees no more than they do in %d", cases, valid, asks, exact)
}

func told(s *script) string {
	var b strings.Builder
	for _, e := range foresee(s).does.Effects {
		b.WriteString(" [" + e.Kind.String() + " " + e.Op.String() + " " + e.Zone.String() + " " + e.Resource + "]")
	}
	return b.String()
}

func envNumber(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shrink cuts a script as long as something of it is not foreseen.
func (b *bench) shrink(s *script, list []*node, missed []string) (*script, []string) {
	for range 30 {
		var tries []*script
		less := smaller(list)
		found := false
		for i := 0; i < len(less) && !found; i += 20 {
			less := less[i:min(len(less), i+20)]
			tries = nil
			for _, l := range less {
				tries = append(tries, &script{shell: s.shell, text: render(l)})
			}
			b.run(tries)
			for i, other := range tries {
				f := foresee(other)
				if m := f.missed(other); len(m) > 0 {
					s, list, missed, found = other, less[i], m, true
					break
				}
			}
		}
		if !found {
			break
		}
	}
	return s, missed
}
