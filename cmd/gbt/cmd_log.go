package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/decisions"
)

func logCommand(e *env) *cli.Command {
	dir := &cli.StringFlag{Name: "dir", Usage: "read the log in `DIR` (default: the user's own)"}
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print JSON"}
	session := &cli.StringFlag{Name: "session", Usage: "only the session whose digest begins with `ID`"}
	return &cli.Command{
		Name:  "log",
		Usage: "what you were asked, how often, and what you answered",
		Description: "The hook notes each decision in a log that only you can read: what was asked, in the words that you read, and whether the call then ran. It holds no\n" +
			"arguments, contents or output. `gbt hook install ... --log off` turns it off.\n\n" +
			"An answer is yes where the host told that the call ran, no where it told that you declined, or where you went on without it; else nobody knows.\n" +
			"Below a question stands the rule that would have answered it; --suggest prints those of what you always agreed to, --write keeps them.\n\n" +
			"Examples:\n   gbt log\n   gbt log --since 7d\n   gbt log --json --session 1a2b\n   gbt log --suggest\n   gbt log --suggest 5 --write\n   gbt log tail -f",
		Flags: append([]cli.Flag{
			dir, asJSON, session,
			&cli.StringFlag{Name: "since", Usage: "only what is not older than `TIME`: 90m, 24h, 7d, or a date (2026-11-25)"},
			&cli.IntFlag{Name: "top", Usage: "show the `N` most frequent questions", Value: 20},
		}, suggestFlags()...),
		Action: func(c *cli.Context) error { return showLog(e, c) },
		Subcommands: []*cli.Command{{
			Name: "tail", Usage: "the last decisions, one a line", Description: "Examples:\n   gbt log tail\n   gbt log tail -f --asked",
			Flags: []cli.Flag{
				dir, asJSON, session,
				&cli.IntFlag{Name: "n", Usage: "show the last `N`", Value: 20},
				&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "go on showing what is added"},
				&cli.BoolFlag{Name: "asked", Usage: "only what was not approved, and answers"},
			},
			Action: func(c *cli.Context) error { return showLogTail(e, c) },
		}},
	}
}

func userLog(c *cli.Context) (*decisions.Log, error) {
	if dir := c.String("dir"); dir != "" {
		return &decisions.Log{Dir: dir}, nil
	}
	dir, err := decisions.DefaultDir()
	if err != nil {
		return nil, fail(exitUsage, "%v", err)
	}
	return &decisions.Log{Dir: dir}, nil
}

// readLog reads the entries that the flags ask for.
func readLog(c *cli.Context) (l *decisions.Log, list []decisions.Entry, bad int, err error) {
	if c.NArg() > 0 {
		return nil, nil, 0, fail(exitUsage, "log takes no arguments; gbt log --help")
	}
	return entries(c)
}

func entries(c *cli.Context) (l *decisions.Log, list []decisions.Entry, bad int, err error) {
	since, err := sinceOf(c.String("since"), time.Now())
	if err != nil {
		return nil, nil, 0, err
	}
	if l, err = userLog(c); err != nil {
		return nil, nil, 0, err
	}
	list, bad, err = l.Read()
	if errors.Is(err, decisions.ErrNone) {
		return nil, nil, 0, fail(exitInput, "%s: %v: gbt hook install HOST writes one", l.Dir, err)
	}
	if err != nil {
		return nil, nil, 0, fail(exitInput, "%v", err)
	}
	f := decisions.Filter{Since: since, Session: c.String("session")}
	return l, f.Of(list), bad, nil
}

// sinceOf reads how far back to look: a duration, days as well, or a date.
func sinceOf(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return t, nil
	}
	days, isDays := strings.CutSuffix(s, "d")
	if isDays {
		s = days + "h"
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return time.Time{}, fail(exitUsage, "--since takes 90m, 24h, 7d or a date such as 2026-11-25")
	}
	if isDays {
		d *= 24
	}
	return now.Add(-d), nil
}

func showLog(e *env, c *cli.Context) error {
	if c.Bool("suggest") {
		return suggestRules(e, c)
	}
	if c.Bool("write") || c.Bool("user") || c.Bool("project") {
		return fail(exitUsage, "--write, --user and --project go with --suggest")
	}
	l, list, bad, err := readLog(c)
	if err != nil {
		return err
	}
	s := decisions.Summarise(list)
	s.Unreadable = bad
	if c.Bool("json") {
		return printJSON(e, s)
	}
	var b bytes.Buffer
	logText(&b, s, c.Int("top"))
	fmt.Fprintf(e.stderr, "gbt: %s\n", l.Dir)
	_, err = e.stdout.Write(b.Bytes())
	return stdoutError(err)
}

// logText is the summary for people.
func logText(b io.Writer, s *decisions.Summary, top int) {
	fmt.Fprintf(b, "calls      %d in %s", s.Calls, count(s.Sessions, "session"))
	if s.Calls > 0 {
		fmt.Fprintf(b, ", from %s to %s", s.Since.Local().Format("2006-01-02 15:04"), s.Until.Local().Format("2006-01-02 15:04"))
	}
	fmt.Fprintf(b, "\nasked      %d: yes %d, no %d, unknown %d", s.Asked, s.Yes, s.No, s.Asked-s.Yes-s.No)
	if s.Blocked > 0 {
		fmt.Fprintf(b, " (%d of them where the host could not ask)", s.Blocked)
	}
	fmt.Fprintf(b, "\nrejected   %d\nsent back  %d\n", s.Rejected, s.Revised)
	if n := s.SentBack + s.Ended + s.Stalled; n > 0 {
		fmt.Fprintf(b, "ends       %d: ENDED %d, STALL %d, sent back %d\n", n, s.Ended, s.Stalled, s.SentBack)
	}
	if s.Unreadable > 0 {
		fmt.Fprintf(b, "unreadable %d lines\n", s.Unreadable)
	}
	if len(s.Questions) == 0 {
		return
	}
	fmt.Fprintf(b, "\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "asked\tyes\tno\tlast\tquestion\n")
	for _, q := range s.Questions[:min(top, len(s.Questions))] {
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%s\n", q.Asked, q.Yes, q.No, q.Last.Local().Format("01-02 15:04"), visible(questionLine(&q)))
		for _, text := range q.Allow {
			fmt.Fprintf(w, "\t\t\t\t  %s\n", visible(ruleCommandOf(text)))
		}
	}
	w.Flush()
	if more := len(s.Questions) - top; more > 0 {
		fmt.Fprintf(b, "and %d other questions: --top %d\n", more, len(s.Questions))
	}
}

// questionLine is a question as the person last read it, without its second line.
func questionLine(q *decisions.Question) string {
	return cmp.Or(firstLine(q.Example), q.Name)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func showLogTail(e *env, c *cli.Context) error {
	l, list, _, err := readLog(c)
	if err != nil && !(c.Bool("follow") && c.NArg() == 0) {
		return err
	}
	if l == nil {
		if l, err = userLog(c); err != nil {
			return err
		}
	}
	t := tail{e: e, c: c}
	var shown []decisions.Entry
	for _, x := range list {
		if t.wants(&x) {
			shown = append(shown, x)
		}
	}
	if err := t.print(shown[max(len(shown)-c.Int("n"), 0):]); err != nil || !c.Bool("follow") {
		return err
	}
	return t.follow(l)
}

// tail shows entries.
type tail struct {
	e *env
	c *cli.Context
}

func (t *tail) wants(x *decisions.Entry) bool {
	return !t.c.Bool("asked") || x.Verdict != approvedName
}

func (t *tail) print(list []decisions.Entry) error {
	var b bytes.Buffer
	for i := range list {
		if t.c.Bool("json") {
			b.Write(decisions.Line(&list[i]))
			continue
		}
		fmt.Fprintln(&b, entryLine(&list[i]))
	}
	_, err := t.e.stdout.Write(b.Bytes())
	return stdoutError(err)
}

// entryLine is one entry for people.
func entryLine(x *decisions.Entry) string {
	what := x.Verdict
	if x.End != "" {
		what = "end: " + x.End
	}
	if x.Answer != "" {
		what = "answer: " + x.Answer
	}
	return strings.TrimRight(fmt.Sprintf("%s  %-11s %-8s %-25s %s  %s", x.Time.Local().Format("01-02 15:04:05"), x.Host, shortSession(x.Session), what, visible(x.Tool), visible(firstLine(x.Asked))), " ")
}

func shortSession(s string) string { return s[:min(len(s), 8)] }

// followEvery is how often tail -f looks.
const followEvery = 500 * time.Millisecond

// follow shows what is added until the user ends it, through files that are set aside.
func (t *tail) follow(l *decisions.Log) error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	defer signal.Stop(stop)
	f := decisions.Follow(l)
	defer f.Close()
	for {
		list, err := f.Next()
		if err != nil {
			return fail(exitInput, "%v", err)
		}
		var shown []decisions.Entry
		for _, x := range list {
			if t.wants(&x) && strings.HasPrefix(x.Session, t.c.String("session")) {
				shown = append(shown, x)
			}
		}
		if err := t.print(shown); err != nil {
			return err
		}
		select {
		case <-stop:
			return nil
		case <-t.c.Context.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}
