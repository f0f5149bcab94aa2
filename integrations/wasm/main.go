//go:build !js && !wasip1

// Wasm is the runtime behind one JSON request a line. Built for js/wasm it gives
// a page the function gbt(request); built for wasip1 it is a library that
// exports gbt_alloc and gbt_call; built for anything else it answers the lines
// of its standard input. Package engine says what the requests are, README.md
// how the modules are built and used.
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
			fmt.Printf("%s\n", e.Do(line))
		}
		if err != nil {
			return
		}
	}
}
