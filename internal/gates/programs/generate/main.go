// Command generate writes the tables of package shell from the programs' files,
// or counts them. Run it from internal/gates/shell:
//
//	go generate ./internal/gates/shell
//	go run ./internal/gates/programs/generate -count internal/gates/shell/programs
//
// What belongs here: reading the folder and replacing the generated files. What
// never does: what the files mean.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gbt-policy/gbt/internal/gates/programs"
)

func main() {
	count := flag.Bool("count", false, "count programs and rows, and write nothing")
	flag.Parse()
	dir := "programs"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(dir, *count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, count bool) error {
	list, err := programs.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	if count {
		fmt.Print(programs.Count(list))
		return nil
	}
	text, err := programs.Write(programs.Rows(list))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "..", "tools_gen.go"), text, 0o644)
}
