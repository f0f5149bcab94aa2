package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/receipts"
	storenames "github.com/gbt-policy/gbt/internal/stores/named"
	"github.com/gbt-policy/gbt/internal/tasks"
)

func storeFlag() cli.Flag {
	return &cli.StringFlag{Name: "store", Usage: "the database `NAME`: sqlite:FILE, bbolt:FILE, *.sqlite or *.db (default: sessions.db in gbt's state directory)"}
}

func sessionsCommand(e *env) *cli.Command {
	store := storeFlag()
	kept := receiptsFlag()
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}
	return &cli.Command{
		Name:  "sessions",
		Usage: "list, resume, cancel, export and verify runs and their receipts",
		Description: "gbt run keeps each run in a database, and gbt serve does with --store: where it stands, and a receipt of every call that was\n" +
			"dispatched or stopped, chained by hashes. A run that was interrupted, killed or lost its machine goes on with resume, under\n" +
			"the policy then in force; no effect is done twice. docs/sessions.md says how.\n\n" +
			"Examples:\n   gbt sessions list\n   gbt sessions show ID\n   gbt sessions resume ID\n   gbt sessions verify\n   gbt sessions export ID > receipts.jsonl",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "where each session stands, the newest first", Description: examples("gbt sessions list --state paused"), Flags: []cli.Flag{store, kept, asJSON,
				&cli.StringFlag{Name: "state", Usage: "only those in `STATE`: " + stateNames()}},
				Action: func(c *cli.Context) error { return withBook(e, c, 0, listSessions) }},
			{Name: "show", Usage: "one session with its receipts", ArgsUsage: "ID", Description: examples("gbt sessions show ID"), Flags: []cli.Flag{store, kept, asJSON},
				Action: func(c *cli.Context) error { return withBook(e, c, 1, showSession) }},
			resumeCommand(e, store),
			{Name: "cancel", Usage: "end a session for good; whoever runs it stops before the next call", ArgsUsage: "ID", Description: examples("gbt sessions cancel ID"), Flags: []cli.Flag{store, kept},
				Action: func(c *cli.Context) error { return withBook(e, c, 1, cancelSession) }},
			{Name: "export", Usage: "a session and its receipts as JSON lines, without secrets", ArgsUsage: "ID", Description: examples("gbt sessions export ID > receipts.jsonl"), Flags: []cli.Flag{store, kept},
				Action: func(c *cli.Context) error { return withBook(e, c, 1, exportSession) }},
			{Name: "verify", Usage: "check that no receipt was changed, removed, moved or cut off; exits with 1 if one was", Description: examples("gbt sessions verify"), Flags: []cli.Flag{store, kept, asJSON},
				Action: func(c *cli.Context) error { return withBook(e, c, 0, verifySessions) }},
			{Name: "prune", Usage: "remove sessions that are over, with their receipts and workspaces", Description: examples("gbt sessions prune --older-than 168h --dry-run"), Flags: []cli.Flag{store, kept,
				&cli.DurationFlag{Name: "older-than", Value: 30 * 24 * time.Hour, Usage: "that ended at least `TIME` ago"},
				&cli.BoolFlag{Name: "dry-run", Usage: "only say which"}},
				Action: func(c *cli.Context) error { return withBook(e, c, 0, pruneSessions) }},
		},
	}
}

func stateNames() string {
	var out []string
	for _, s := range tasks.States() {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// openBook opens the database of --store, which must be there already unless create.
func openBook(c *cli.Context, create bool) (*tasks.Book, error) {
	name := c.String("store")
	if name == "" {
		var err error
		if name, err = storenames.Default(); err != nil {
			return nil, fail(exitUsage, "%v", err)
		}
	}
	if !create && !storenames.Exists(name) {
		return nil, fail(exitInput, "there are no sessions: %s is not there; gbt run makes it, or name another one with --store", name)
	}
	db, err := storenames.Open(name)
	if errors.Is(err, storenames.ErrKind) {
		return nil, fail(exitUsage, "--store: %v", err)
	}
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	b, err := tasks.Open(db, tasks.Options{})
	if err != nil {
		db.Close()
		return nil, fail(exitInput, "%v", err)
	}
	return b, nil
}

// hooksAlone says that there are, or were, receipts of the hook and no database.
func hooksAlone(c *cli.Context) bool {
	name, err := storenames.Default()
	if reads := c.Command.Name != "resume" && c.Command.Name != "cancel"; !reads || err == nil && storenames.Exists(name) {
		return false
	}
	log := hookLog(c)
	if log == nil {
		return false
	}
	ids, _ := log.Sessions()
	lost, err := log.Gone()
	return len(ids)+len(lost) > 0 || err != nil
}

// withBook opens the book, lets zombies be seen as such, and hands it on; nil where the hook's
// receipts are all there is.
func withBook(e *env, c *cli.Context, args int, do func(*env, *cli.Context, *tasks.Book) error) error {
	if c.NArg() != args {
		if args == 0 {
			return fail(exitUsage, "gbt sessions %s takes no arguments", c.Command.Name)
		}
		return fail(exitUsage, "name one session, as gbt sessions list prints it")
	}
	if !c.IsSet("store") && hooksAlone(c) {
		return sessionError(do(e, c, nil))
	}
	b, err := openBook(c, false)
	if err != nil {
		return err
	}
	defer b.Close()
	if _, err := b.Reap(); err != nil {
		fmt.Fprintf(e.stderr, "gbt: looking for zombies: %v\n", err)
	}
	return sessionError(do(e, c, b))
}

// sessionError gives the errors of package tasks their exit codes and a next step.
func sessionError(err error) error {
	var ee *exitError
	switch {
	case err == nil || errors.As(err, &ee):
		return err
	case errors.Is(err, tasks.ErrNotFound):
		return fail(exitInput, "%v; gbt sessions list shows those that are there", err)
	case errors.Is(err, tasks.ErrTransition), errors.Is(err, tasks.ErrOwned), errors.Is(err, tasks.ErrUnsettled):
		return fail(exitUsage, "%v", err)
	}
	return fail(exitInput, "%v", err)
}

// sessionJSON is a task as gbt sessions prints it.
type sessionJSON struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"`
	State    tasks.State     `json:"state"`
	Reason   string          `json:"reason,omitempty"`
	Policy   string          `json:"policy"`
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
	Steps    int64           `json:"steps"`
	Calls    int64           `json:"calls"`
	Receipts int64           `json:"receipts"`
	Head     string          `json:"head"`
	Pending  []tasks.Pending `json:"pending,omitempty"`
}

func sessionOf(t *tasks.Task) sessionJSON {
	return sessionJSON{t.ID, t.Kind, t.Title, t.State, t.Reason, t.Policy, time.UnixMilli(t.Created).UTC(), time.UnixMilli(t.Updated).UTC(),
		t.Steps, t.Calls, t.Head.Count, t.Head.Hash, t.Pending}
}

func listSessions(e *env, c *cli.Context, b *tasks.Book) error {
	want := tasks.State(c.String("state"))
	if want != "" && !slices.Contains(tasks.States(), want) {
		return fail(exitUsage, "--state is %q: give one of %s", want, stateNames())
	}
	list, err := allSessions(e, c, b)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s sessionJSON) bool { return want != "" && s.State != want })
	slices.SortStableFunc(list, func(a, b sessionJSON) int { return b.Updated.Compare(a.Updated) })
	if c.Bool("json") {
		return printJSON(e, map[string]any{"sessions": list})
	}
	for _, s := range list {
		fmt.Fprintf(e.stdout, "%-32s  %-9s  %s  %4d calls  %s\n", s.ID, cmp.Or(string(s.State), s.Kind), s.Updated.Local().Format(time.DateTime), s.Calls, s.Title)
	}
	if len(list) == 0 {
		fmt.Fprintln(e.stderr, "gbt: there are no sessions")
	}
	return nil
}

// allSessions are those of the database and of the hook. What is damaged does not hide the
// others.
func allSessions(e *env, c *cli.Context, b *tasks.Book) ([]sessionJSON, error) {
	out := []sessionJSON{}
	var bad []error
	if b != nil {
		list, damaged, err := b.List()
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			out = append(out, sessionOf(t))
		}
		bad = damaged
	}
	for _, s := range hookSessions(c) {
		if s.err != nil {
			bad = append(bad, s.err)
		} else if len(s.list) > 0 {
			out = append(out, s.session())
		}
	}
	for _, x := range bad {
		fmt.Fprintf(e.stderr, "gbt: %v; gbt sessions verify says more\n", x)
	}
	return out, nil
}

func showSession(e *env, c *cli.Context, b *tasks.Book) error {
	s, list, err := sessionWithReceipts(c, b)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e, struct {
			sessionJSON
			List []*receipts.Receipt `json:"list"`
		}{s, list})
	}
	printSession(e, &s)
	now := receipts.Standing(list)
	for _, r := range list {
		fmt.Fprintln(e.stdout, receiptLine(r, now))
	}
	return nil
}

// sessionWithReceipts reads a session of the database, or else of the hook.
func sessionWithReceipts(c *cli.Context, b *tasks.Book) (s sessionJSON, list []*receipts.Receipt, err error) {
	id := c.Args().First()
	err = fmt.Errorf("session %s: %w", id, tasks.ErrNotFound)
	if b != nil {
		var t *tasks.Task
		if t, err = b.Get(id); err == nil {
			err = b.Receipts(id, func(r *receipts.Receipt) error { list = append(list, r); return nil })
			return sessionOf(t), list, err
		}
	}
	if errors.Is(err, tasks.ErrNotFound) {
		h, e := hookSessionOf(c, id)
		if e == nil {
			return h.session(), h.list, nil
		}
		if !errors.Is(e, tasks.ErrNotFound) {
			err = e
		}
	}
	return s, nil, err
}

func printSession(e *env, t *sessionJSON) {
	fmt.Fprintf(e.stdout, "%s  %s", t.ID, cmp.Or(string(t.State), t.Kind))
	if t.Reason != "" {
		fmt.Fprintf(e.stdout, " (%s)", t.Reason)
	}
	fmt.Fprintf(e.stdout, "\n%s, policy %.12s, %d steps, %d calls\n%s\n", t.Kind, t.Policy, t.Steps, t.Calls, t.Title)
	for _, p := range t.Pending {
		line := "not known whether it ran: " + p.Tool + " " + p.Receipt
		if p.Said != "" {
			line += ", said to have " + map[receipts.Fate]string{receipts.Ran: "run", receipts.NotRun: "not run"}[p.Said]
		}
		fmt.Fprintln(e.stdout, line)
	}
}

// receiptLine is a receipt for people.
func receiptLine(r *receipts.Receipt, now map[string]receipts.Reversal) string {
	out := fmt.Sprintf("%4d  %s  %-8s", r.Seq, time.UnixMilli(r.Time).Format(time.TimeOnly), r.Kind)
	words := []string{r.Tool, r.Tier}
	if r.From != "" || r.To != "" {
		words = append(words, strings.TrimSpace(short(r.From)+" -> "+short(r.To)))
	}
	if r.Kind == receipts.Call {
		words = append(words, string(now[r.ID]))
	}
	if r.Of != "" {
		words = append(words, "of "+r.Of)
	}
	words = append(words, string(r.Fate), string(r.Reversal), r.Reason, cutText(string(r.Payload), maxSummary))
	if r.Kind == receipts.Call {
		words = append(words, r.ID)
		words = slices.DeleteFunc(words, func(w string) bool { return w == string(r.Reversal) && now[r.ID] != r.Reversal })
		words = slices.Compact(words)
	}
	return strings.TrimRight(out+" "+strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), "  "), " ")
}

// short cuts digests of policies.
func short(s string) string {
	if len(s) == 64 {
		return s[:12]
	}
	return s
}

func cancelSession(e *env, c *cli.Context, b *tasks.Book) error {
	t, err := b.Cancel(c.Args().First(), who())
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s is cancelled\n", t.ID)
	return nil
}

// who names the person for receipts.
func who() string {
	for _, v := range []string{"USER", "LOGNAME", "USERNAME"} {
		if s := os.Getenv(v); s != "" {
			return s
		}
	}
	return "the user"
}

func exportSession(e *env, c *cli.Context, b *tasks.Book) error {
	s, list, err := sessionWithReceipts(c, b)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(e.stdout)
	err = enc.Encode(struct {
		Session sessionJSON `json:"gbt_session"`
	}{s})
	for _, r := range list {
		if err == nil {
			err = enc.Encode(r)
		}
	}
	return stdoutError(err)
}
