// Command gbt compiles agent logs into a signed policy and runs it.
//
// What belongs here: one file for each command (cmd_*.go): flags, words for
// people, exit codes, and what must happen between a command's parts. What never
// does: what two programs need, and any rule about calls, logs or policies: a
// command asks the room that knows.
package main

import "os"

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
