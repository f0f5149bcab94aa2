//go:build !unix

package chainfile

import (
	"os"
	"time"
)

// lockFile does nothing where there is no flock(2): processes that write to one chain side
// by side may then break it, which the next of them says.
func lockFile(*os.File, time.Duration) error { return nil }
