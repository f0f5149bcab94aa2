// House measures the structure of a checkout of this project, so that a change
// of its rooms can be judged by figures taken before and after.
//
//	go run ./internal/house [-C DIR] [-json] [-trace]
//
// A room is a package directory with product Go: Go of the main module that is
// no test, no test data and not this command. Concerns, layers and host names
// are tables (concern.go, layers.go, hosts.go); a room is looked up there by its
// name without "internal", so that one that moves below an internal directory
// keeps its row, and rows name both the old and the new room of what moved.
//
// Sizes are in lines, a function's from "func" to its closing brace. Percentiles
// are by nearest rank.
//
// What belongs here: figures that can be had of any checkout, old ones too, and
// the tables that name its rooms. What never does: rules that must hold (tests
// beside cmd/gbt have them), and imports of the code that is measured.
//
// # What -trace adds
//
// Two figures need the code to run. The files that git tracks are copied to a
// temporary directory, every function there is made to tell when it is entered
// and left, every parse of a shell command to count itself, and two small
// programs (directory driver) are run. DIR itself is only read.
//
// Parses: a session of package traverse under a policy distilled from
// examples/logs checks one shell call and observes its result. Counted are the
// calls of a parser of mvdan.cc/sh between the two, both included.
//
// The way of a log line: one recorded episode of examples/logs is cut to its
// task and a single call of high risk, so that no figure grows with the episode,
// and goes through logs.Open, segment.Segment, learn.Extract and Checker.Check,
// as in gbt distill. The programs' own frames are no room. Printed are
//
//   - rooms: packages of which at least one function ran; also for the whole
//     episode, uncut;
//   - returns: the way as somebody reads it who reads each function once, when it
//     first runs. In the order of first runs, rooms that follow each other are
//     one visit; a return is a visit to a room that was visited before. Loops
//     and how often a helper is called don't count;
//   - crossings: calls of a function in another room than the caller's, each time
//     they happen; and, of those, calls into a room that was entered before.
//
// A function literal belongs to the function that it stands in. Only the
// goroutine that asks is followed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run measures the checkout that the arguments name.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("house", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("C", ".", "the checkout to measure")
	asJSON := flags.Bool("json", false, "print JSON instead of a table")
	trace := flags.Bool("trace", false, "also run an instrumented copy (needs git and go; about two minutes)")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return 2
	}
	r, err := measure(*dir, *trace)
	if err != nil {
		fmt.Fprintln(stderr, "house:", err)
		return 5
	}
	if *asJSON {
		err = r.json(stdout)
	} else {
		err = r.table(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "house:", err)
		return 5
	}
	return 0
}

// measure takes all figures of a checkout.
func measure(dir string, trace bool) (*report, error) {
	s, err := load(dir)
	if err != nil {
		return nil, err
	}
	upward, unranked := upwardImports(s)
	r := &report{
		Lines: s.lines(), Rooms: s.rooms(), Concerns: byConcern(s), Upward: upward, Unranked: unranked,
		Exported: exported(s), Types: namedTypes(s), Functions: sizesOf(s.functions()), Files: sizesOf(s.fileLines()), Hosts: hostArms(s),
	}
	if trace {
		if r.Trace, err = traced(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}
