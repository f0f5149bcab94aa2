package imports

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestReadingEndsSoon: the longest texts that are read, made of what makes a walk begin
// again.
func TestReadingEndsSoon(t *testing.T) {
	runtime.LockOSThread() // its processor time is measured
	defer runtime.UnlockOSThread()
	for _, part := range []string{"getattr(", "getattr(a,b,", `f"{x}"`, `f"{f'{x}'}"`, "`${a}`", "'a' ", "a/", ")/'", "require('a' ", "import a;", "import a,", "from a import b;", "[", "coding", "f'{x:{y}}'", ")/a'", "import {", "(", "`${"} {
		for _, lang := range []string{"python", "node"} {
			text := strings.Repeat(part, maxText/len(part))
			start := cpuTime()
			Read(lang, text)
			Read(lang, ")/"+text[2:])
			if d := cpuTime() - start; d > 2*time.Second {
				t.Errorf("%s: %q again and again takes %v", lang, part, d)
			} else if d > 20*time.Millisecond {
				t.Logf("%s %q %v", lang, part, d)
			}
		}
	}
}
