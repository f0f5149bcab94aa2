package shell

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// readers are the programs whose arguments are read by code of their own (see
// special). What the tables describe is read by one function: curl and go stand
// for all of it.
const readers = `awk basename bash busybox command cp curl dd declare echo env eval exec export fd find git go history
	java journalctl kill ln lua make mktemp mv nc node openssl parallel perl php printenv printf ps pushd python read
	rsync ruby sed set sh source su sudo tar test trap type xargs`

// TestCutShort: a line may end after any option, one that takes a value or one
// that nobody knows, and is analysed all the same. find -D once read beyond the
// end.
func TestCutShort(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	places := effect.Places{Cwd: "/w"}.Normal()
	analysed := func(line string) {
		defer func() {
			if e := recover(); e != nil {
				t.Errorf("%s: %v", line, e)
			}
		}()
		Analyze(line, &places)
	}
	for _, name := range strings.Fields(readers) {
		for i := range letters {
			analysed(name + " -" + letters[i:i+1])
			analysed(name + " a -" + letters[i:i+1])
		}
	}
}
