// Command generate writes the tables of package shell from the programs' files,
// or counts them. Run it from internal/gates/shell:
//
//	go generate ./internal/gates/shell
//	go run ./internal/gates/programs/generate -count internal/gates/shell/programs
//
// With -count it counts the lines of package shell that name a program, or
// those of the folder that -go names.
//
// What belongs here: reading the folder and replacing the generated files. What
// never does: what the files mean.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/programs"
)

func main() {
	count := flag.Bool("count", false, "count programs, rows and lines of Go that name a program, and write nothing")
	code := flag.String("go", "", "the folder of Go that is counted instead of package shell")
	flag.Parse()
	dir := "programs"
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	if err := run(dir, *code, *count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, code string, count bool) error {
	list, err := programs.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	if count {
		return printCounts(list, cmp.Or(code, filepath.Join(dir, "..")))
	}
	return write(list, filepath.Join(dir, ".."))
}

// write replaces the generated files of the folder of package shell, and of the
// one of package call that lies beside its room.
func write(list []programs.Program, shell string) error {
	blocks, table, err := programs.Write(programs.Rows(list))
	if err != nil {
		return err
	}
	words, err := programs.WriteWords()
	if err != nil {
		return err
	}
	actions, err := programs.WriteActions(list)
	if err != nil {
		return err
	}
	for file, text := range map[string][]byte{
		"tools_gen.go": blocks, "tools_gen.flate": table, "words_gen.go": words, "../../../gates/call/actionprograms_gen.go": actions,
	} {
		if err := os.WriteFile(filepath.Join(shell, file), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func printCounts(list []programs.Program, code string) error {
	named, err := programs.Named(os.DirFS(code), list)
	if err != nil {
		return err
	}
	total := 0
	for _, file := range slices.Sorted(maps.Keys(named)) {
		fmt.Printf("%s\t%d\n", file, named[file])
		total += named[file]
	}
	fmt.Printf("%slines of Go that name a program\t%d\n", programs.Count(list), total)
	return nil
}
