// Command gbt-hook decides on one call of a coding agent before it runs.
//
// The agent's host starts it for every call, writes the call to standard input
// and reads the answer from standard output, standard error and the exit code,
// each host in its own way (package hosts). So it is small: the runtime half
// and nothing else. `gbt hook install` puts it into a host's settings, `gbt
// doctor` proves that it blocks there, and docs/hooks.md is its manual.
//
// Whatever goes wrong ends in the host's blocked form: input that can't be
// read, settings or a policy that can't be used, a panic, and too much time.
//
// What belongs here: what a process that lives for one call needs: its
// arguments, the files with the policy, the run's memory and the log, and the
// time it may take. What never does: what is true of one host only
// (internal/hosts), rules about calls (package gates), and imports that a start
// has to wait for.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/gbt-policy/gbt/internal/hosts"
)

func main() {
	// One call allocates a few megabytes at most; below this limit a
	// collection only costs time.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(256 << 20)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// exitBlocked is the one exit code besides 0 that hosts do not take for a
// failure they may ignore.
const exitBlocked = 2

// run is the whole program. It returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	start := time.Now()
	if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
		return write(hosts.Output{Stdout: helpText()}, stdout, stderr) // no host is started like this
	}
	c, err := parseArgs(args)
	if err != nil {
		return write(c.failed(err), stdout, stderr)
	}
	done := make(chan hosts.Output, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- c.failed(fmt.Errorf("internal error: %v", r))
			}
		}()
		switch {
		case c.after:
			done <- c.note(stdin, start)
		case c.atEnd:
			done <- c.ending(stdin, stderr, start)
		default:
			done <- c.answer(stdin, stderr, start)
		}
	}()
	limit := c.timeout
	if c.atEnd && len(c.checks) > 0 {
		limit += c.checkTime
	}
	watchdog := time.NewTimer(limit)
	defer watchdog.Stop()
	select {
	case out := <-done:
		return write(out, stdout, stderr)
	case <-watchdog.C:
		return write(c.failed(fmt.Errorf("no decision within %v", limit)), stdout, stderr)
	}
}

// failed is the answer when nothing was decided, or noted.
func (c *config) failed(err error) hosts.Output {
	if (c.after || c.atEnd) && c.host.known {
		return c.host.Trouble(err.Error())
	}
	return c.host.refusal(err)
}

// write hands the answer to the host. An answer that can't be written is a
// block: the exit code alone says so.
func write(out hosts.Output, stdout, stderr io.Writer) int {
	_, err := io.WriteString(stdout, out.Stdout)
	if _, e := io.WriteString(stderr, out.Stderr); err == nil && out.Exit == exitBlocked {
		err = e
	}
	if err != nil {
		io.WriteString(stderr, "gbt: the answer could not be written; the call is blocked\n")
		return exitBlocked
	}
	return out.Exit
}
