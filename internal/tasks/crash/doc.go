//go:build unix

// Command crash kills a process that carries out tasks with side effects, at random
// points, and counts what is lost or done twice (requirement Z5).
//
// A worker process runs a task of 40 steps under a real policy: it proposes, checks,
// asks, dispatches, has the effect done by a ledger outside of it, observes, and
// commits each of these to a store. The harness is the ledger, so that no kill of the
// worker can change what it counted. It kills the worker
//
//   - inside transactions and at every place between them, chosen at random,
//   - at random times,
//   - with a full disk: writes beyond a random offset of a file fail,
//   - with a torn write: of the pages that a commit wrote, some are on the disk, one of
//     them in part,
//
// and starts it again, half of the times under another policy, which asks where the
// first did not. After every death it opens the store and compares it with the
// ledger. The user who is asked, and the person who says what became of a call that
// the ledger forgot, are simulated.
//
// With -disk the stores lie on a file system of their own, in a loop device or in memory,
// and the faults are that it is filled to the last block and that it loses its power. That
// is simulated by the call that file systems themselves are tried with (FS_IOC_SHUTDOWN):
// what was not synced is gone when it is mounted again. The order in which a real disk
// writes what it holds back is not: torn does that.
//
//	go run ./internal/tasks/crash -points 1000 -store bbolt
//	go run ./internal/tasks/crash -points 1000 -store bbolt -disk ext4
//
// What belongs here: the harness, its worker, its ledger and its faults. What never
// does: anything that a program uses.
package main
