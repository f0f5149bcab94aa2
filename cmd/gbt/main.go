// Command gbt compiles agent logs into a signed policy and runs it.
package main

import "os"

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
