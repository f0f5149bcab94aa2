package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

func inspectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show episodes as a person wants to read them",
		ArgsUsage: "LOGS...",
		Description: "Shows the episode if there is one, and a list if there are several. --episode picks one by\n" +
			"its id or by the beginning of it. --changes counts what the calls changed: observed is what the\n" +
			"log shows, nominal what a call does by its name and arguments where the log does not show it.\n\n" +
			"Examples:\n" +
			"   gbt inspect run.traj\n" +
			"   gbt inspect logs/ --episode agentdojo/gpt-4o --full\n" +
			"   gbt inspect logs/ --changes\n" +
			"   gbt inspect --content --json logs/",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "episode", Usage: "show the episodes whose id is or begins with `ID`"},
			&cli.BoolFlag{Name: "json", Usage: "print each episode as one line of JSON; with --changes or --content, the table"},
			&cli.BoolFlag{Name: "content", Usage: "count the classes of what calls write, run or send, by format and label"},
			&cli.BoolFlag{Name: "full", Usage: "show texts in full"},
			&cli.BoolFlag{Name: "changes", Usage: "count what the calls of all episodes changed, and how that is known"},
			jobsFlag(),
		},
		Action: func(c *cli.Context) error { return runInspect(e, c) },
	}
}

func runInspect(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "inspect needs logs: gbt inspect LOGS...")
	}
	if c.Bool("changes") && c.Bool("content") {
		return fail(exitUsage, "--changes and --content are two tables; ask for one at a time")
	}
	s := &inspection{
		e: e, want: c.String("episode"), asJSON: c.Bool("json"), full: c.Bool("full"), content: c.Bool("content"), problems: newImportSummary(),
	}
	if c.Bool("changes") {
		s.changes = &changeTable{}
	}
	in := logs.Open(c.Args().Slice(), logs.Options{Stdin: e.stdin, Workers: jobs(c)})
	for r := range in.Records(c.Context) {
		if err := s.add(r); err != nil {
			return err
		}
	}
	if c.Context.Err() != nil {
		return fail(exitUsage, "interrupted")
	}
	return s.end()
}

// inspection decides, while the episodes come in, whether to show one or to
// list several: the first is held back until there is a second.
type inspection struct {
	e            *env
	want         string
	asJSON, full bool
	content      bool
	table        contentTable
	first        *corpora.Episode
	n            int
	changes      *changeTable // nil: not asked for
	problems     *importSummary
}

func (s *inspection) add(r logs.Record) error {
	if r.Problem != nil {
		s.problems.problem(r.Problem)
	}
	if r.Episode == nil || !strings.HasPrefix(r.Episode.ID, s.want) {
		return nil
	}
	s.n++
	switch {
	case s.changes != nil:
		s.changes.add(r.Episode)
		return nil
	case s.content:
		s.table.add(r.Episode)
		return nil
	case s.asJSON:
		return s.json(r.Episode)
	case s.want != "" && r.Episode.ID == s.want:
		return showEpisode(s.e.stdout, r.Episode, s.full)
	case s.n == 1:
		s.first = r.Episode
		return nil
	case s.first != nil:
		if err := listEpisode(s.e.stdout, s.first); err != nil {
			return err
		}
		s.first = nil
	}
	return listEpisode(s.e.stdout, r.Episode)
}

func (s *inspection) json(ep *corpora.Episode) error {
	enc := json.NewEncoder(s.e.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(episodeJSON(ep))
}

func (s *inspection) end() error {
	if s.first != nil {
		if err := showEpisode(s.e.stdout, s.first, s.full); err != nil {
			return err
		}
	}
	if s.changes != nil && s.n > 0 {
		s.changes.print(s.e.stdout, s.asJSON)
	}
	if s.content && s.n > 0 {
		if err := s.table.print(s.e.stdout, s.asJSON); err != nil {
			return err
		}
	}
	s.problems.printProblems(s.e.stderr)
	switch {
	case s.n == 0 && s.want != "":
		return fail(exitInput, "no episode has an id that begins with %q; gbt inspect without --episode lists them", s.want)
	case s.n == 0:
		return fail(exitInput, "no episode was found; see gbt import --help for the layouts it knows")
	case s.problems.Malformed > 0:
		return fail(exitFindings, "%d problems; the rest was read", s.problems.Malformed)
	}
	return nil
}

// listEpisode prints one line: labels, steps, id, and how the task begins.
func listEpisode(w io.Writer, ep *corpora.Episode) error {
	_, err := fmt.Fprintf(w, "%-8s %-8s %4d steps  %s  %s\n",
		outcomeWord(ep.Outcome), safetyWord(ep.Safety), len(ep.Steps), ep.ID, excerpt(ep.Task, 60, false))
	return err
}

func outcomeWord(o corpora.Outcome) string {
	return [...]string{"outcome?", "success", "failure"}[min(int(o), 2)]
}

func safetyWord(s corpora.Safety) string {
	return [...]string{"safety?", "safe", "unsafe"}[min(int(s), 2)]
}
