package wording

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestWindowsPaths: a path on a drive is shown as Windows writes it.
func TestWindowsPaths(t *testing.T) {
	state := gates.State{Cwd: `C:\Users\me\shop`, Roots: []string{`C:\Users\me\shop`}, Home: `C:\Users\me`}
	for file, want := range map[string]string{
		`D:\data\x.csv`:            `Reads D:\data\x.csv, outside`,
		`d:/data/x y.csv`:          `Reads “D:\data\x y.csv”, outside`,
		`/d/x`:                     `Reads D:\x, outside`,
		`\\server\share\x`:         `Reads \\server\share\x, outside`,
		`C:\Users\me\notes.txt`:    `Reads ~/notes.txt, outside`,
		`C:\Users\other\notes.txt`: `Reads C:\users\other\notes.txt`,
	} {
		c := gates.NewContext(gates.Request{Tool: "Read", Args: []byte(`{"file_path": ` + strconv.Quote(file) + `}`)}, state)
		d := new(gates.Guardrail).Decide(&c)
		if got := Of(&c, &d).Person; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
