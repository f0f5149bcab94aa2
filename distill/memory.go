package distill

import (
	"os"
	"runtime/debug"
)

// What a distillation may take: up to 130 MB are alive at a time (the tree's
// evidence, the sampled words, the cases), and each worker has tens of megabytes
// under way. Chosen by BenchmarkMemory on sixteen times the shared corpora, whose
// peak they bring from 383 to some 270 MB at the same processor time; a limit of 160
// MB in all gave 254 MB and cost a sixth more.
const (
	memoryBase   = 128 << 20
	memoryWorker = 48 << 20
)

// LimitMemory gives the process a soft limit of memory for a run on so many
// workers, and returns what sets it back. Below the limit nothing changes; near
// it garbage, which otherwise grows with what is alive, is collected more often.
// What is alive may pass the limit, and then costs time. It is for programs,
// since it concerns all of a process; one that runs with GOMEMLIMIT keeps that.
func LimitMemory(workers int) (restore func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := debug.SetMemoryLimit(memoryBase + int64(max(workers, 1))*memoryWorker)
	return func() { debug.SetMemoryLimit(limit) }
}
