//go:build !js && !wasip1

// Wasm is the runtime behind one line of JSON-RPC. Built for js/wasm it gives a
// page the function gbt(line); built for wasip1 it is a library that exports
// gbt_alloc and gbt_call; built for anything else it answers the lines of its
// standard input. Package engine says what the lines are, README.md how the
// modules are built and used.
//
// What belongs here: how a string gets into and out of the module, in one file
// for each target. What never does: what a line means (package engine) and what
// is decided (the runtime).
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/integrations/wasm/engine"
)

func main() {
	var e engine.Engine
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if reply := e.Do(line); reply != nil {
				fmt.Printf("%s\n", reply)
			}
		}
		if err != nil {
			return
		}
	}
}
