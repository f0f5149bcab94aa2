//go:build !linux

package traverse

import "time"

var benchStart = time.Now()

// cpuTime is wall time where there is no clock for one thread.
func cpuTime() time.Duration { return time.Since(benchStart) }
