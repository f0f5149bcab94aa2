package scope

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file names runs of programs that the session downloaded or unpacked.

// Naming names questions where there is no usual name: runs of programs whose text nobody knows, and
// what is written outside of the workspace (writes.go), changes of records (records.go), and requests
// with a key in them, which have no name. It is a gates.State.Naming.
type Naming struct{}

// Things implements gates.Naming.
func (Naming) Things(c *gates.Context, d *gates.Decision, r *gates.Reason) [][]string {
	if r.Effect < 0 || r.Effect >= len(d.Effects) {
		return nil
	}
	by, ok := doer(c, r.Effect)
	e := &d.Effects[r.Effect]
	switch {
	case (r.Rule == "egress/fetch" || r.Rule == "egress/send") && keyGoesAlong(c, e, by):
		return [][]string{nil}
	case r.Rule == "workspace/write":
		if !ok || e.Sensitive || e.Deferred || !writable(c, e) {
			return [][]string{nil}
		}
		list := named(c, e, by)
		for i := range list {
			list[i] = setting(list[i], e, by)
		}
		return list
	case r.Rule == "record/write", r.Rule == "egress/send" && by == nil && c.Command == "" && e.Kind == effect.Network && e.Net.Domain+e.Net.IP == "" && e.Op == effect.OpSend:
		if !ok || e.Sensitive || e.Deferred || e.Loses || e.Kind != effect.Write && e.Kind != effect.Network {
			return [][]string{nil}
		}
		return [][]string{recordNames(c, e)}
	case !ok || by == nil:
	case r.Rule == "flow/unvetted" && e.Op == effect.OpRunFile && !e.Sensitive && !e.Deferred && c.Unchanged(e) == "":
		return [][]string{setting(unknownText(c, e, by), e, by)}
	}
	return nil
}

// unknownText names the run of a program that the session downloaded or unpacked: the very same words,
// in its directory, while neither the program nor what it goes by changes. What it makes of other words
// nobody has read.
func unknownText(c *gates.Context, e *gates.Effect, by *effect.Run) []string {
	sum, words := gates.UnchangedState(c, e, by), Quote(by.Words)
	before, _, found := strings.Cut(c.Command, by.Words[0])
	if sum == "" || !found || strings.Contains(before, "|") || strings.Contains(c.Command, "<") || unplaced(e) || by.Background || by.Contained || len(words) > maxExact || class.Sent(words)&class.Credentials != 0 || slices.ContainsFunc(c.Runs(), func(r effect.Run) bool {
		return !slices.Equal(r.Words, by.Words) && !looksOnly(&r) && path.Base(r.Words[0]) != "tee"
	}) {
		return nil
	}
	return []string{exactlyRun + words + " in " + by.Cwd + asFile + e.Resource + Unchanged + sum}
}

// asFile stands in such a name before the program.
const asFile = " as the file "

// Ends implements gates.Naming.
func (Naming) Ends(c *gates.Context, name string) bool {
	i, k := strings.LastIndex(name, asFile), strings.LastIndex(name, Unchanged)
	return strings.HasPrefix(name, exactlyRun) && i >= 0 && i < k && gates.MayChange(c, name[i+len(asFile):k])
}

// keyGoesAlong says whether a key or encoded data goes along with a request, in its address, in the
// words of its program or in the arguments of its tool: that is for one request.
func keyGoesAlong(c *gates.Context, e *gates.Effect, by *effect.Run) bool {
	if gates.CarriesKey(e.Resource) {
		return true
	}
	if by != nil {
		return slices.ContainsFunc(by.Words[1:], gates.CarriesKey)
	}
	return c.Command == "" && slices.ContainsFunc(c.Args, func(a gates.Arg) bool { return class.Sent(a.Value)&class.Credentials != 0 })
}

// Makes implements gates.Naming.
func (Naming) Makes(c *gates.Context, own []string) []string { return gates.MadeOutside(c, own) }
