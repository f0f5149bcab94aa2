package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/corpora/parquet"
)

func importCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "read logs of any agent into one file of episodes, or check them",
		ArgsUsage: "LOGS...",
		Description: "LOGS are files, directories, globs (** stands for any directories) or - for standard input, plain\n" +
			"or packed (.gz, .zst, zip). Each file is read once, however many names lead to it.\n" +
			"The layout of each record is found by its content:\n\n" + layoutList() +
			"\nExits with 0 if everything was read, with 1 if there were problems but something was read,\n" +
			"and with 5 if nothing was, or if the output cannot be written.\n\n" +
			"Examples:\n" +
			"   gbt import logs/ -o episodes.parquet\n" +
			"   gbt import --check --json 'runs/*.jsonl.gz'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the episodes to `FILE` (Parquet)"},
			&cli.BoolFlag{Name: "check", Usage: "read everything and write nothing"},
			&cli.BoolFlag{Name: "json", Usage: "print the summary as one JSON object"},
			jobsFlag(),
			&cli.IntFlag{Name: "max-record", Usage: "refuse records longer than `BYTES` (default: 268435456)"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress on standard error"},
		},
		Action: func(c *cli.Context) error { return runImport(e, c) },
	}
}

func layoutList() string {
	var b strings.Builder
	for _, l := range logs.Layouts() {
		fmt.Fprintf(&b, "   %-19s %s\n", l.Name, l.Title)
	}
	return b.String()
}

func runImport(e *env, c *cli.Context) error {
	switch {
	case c.NArg() == 0:
		return fail(exitUsage, "import needs logs: gbt import LOGS... -o episodes.parquet")
	case c.String("output") == "" && !c.Bool("check"):
		return fail(exitUsage, "import needs -o FILE, or --check to write nothing")
	case c.Int("max-record") < 0:
		return fail(exitUsage, "--max-record is a number of bytes: it cannot be below 0")
	case c.String("output") != "" && c.Bool("check"):
		return fail(exitUsage, "--check writes nothing: leave out -o")
	}
	if err := spareLogs(c.Context, []output{{"-o", c.String("output"), markEpisodes}}, c.Args().Slice()); err != nil {
		return err
	}
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c), MaxRecord: c.Int("max-record"), Output: c.String("output")})
	sum := newImportSummary()
	err := importTo(e, c, in, sum)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = printJSON(e, sum)
	} else {
		err = stdoutError(sum.print(e))
	}
	if err != nil {
		return err
	}
	return sum.verdict(e, c.Bool("json"))
}

// importTo reads all records into sum, and into the output file if there is
// one. The file appears only when it is whole; nothing is written if no episode
// was read.
func importTo(e *env, c *cli.Context, in *logs.Input, sum *importSummary) error {
	bar := newProgress(e, c.Bool("quiet"))
	defer bar.Done()
	bar.Stage("reading")
	if c.Bool("check") {
		return readInto(c, in, sum, bar, nil)
	}
	name := c.String("output")
	out, err := createAtomic(name)
	if err != nil {
		return cannotWrite(name, err)
	}
	defer out.discard()
	buf := bufio.NewWriterSize(out.f, 1<<20)
	w, err := parquet.NewWriter(buf)
	if err != nil {
		return cannotWrite(name, err)
	}
	if err := readInto(c, in, sum, bar, w); err != nil {
		return err
	}
	if err := errors.Join(w.Close(), buf.Flush()); err != nil {
		return cannotWrite(name, err)
	}
	if sum.Episodes == 0 {
		return nil
	}
	if err := out.commit(0o644); err != nil {
		return cannotWrite(name, err)
	}
	return nil
}

func readInto(c *cli.Context, in *logs.Input, sum *importSummary, bar *progress, w *parquet.Writer) error {
	type item struct {
		unit *logs.Unit
		rec  logs.Record
	}
	for it := range logs.Map(c.Context, in, func(u *logs.Unit, r logs.Record) item { return item{u, r} }) {
		sum.add(it.unit, it.rec)
		bar.Add(1)
		if it.rec.Episode == nil || w == nil {
			continue
		}
		if err := w.Write(it.rec.Episode); err != nil {
			return cannotWrite(c.String("output"), err)
		}
	}
	if c.Context.Err() != nil {
		return fail(exitUsage, "interrupted: nothing was written")
	}
	return nil
}
