package imports

import (
	"syscall"
	"time"
	"unsafe"
)

// cpuTime is the processor time of this thread, which a busy machine does not
// stretch (clock_gettime(2), CLOCK_THREAD_CPUTIME_ID). The caller stays on its
// thread.
func cpuTime() time.Duration {
	var ts syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}
