package main

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/replay/beside"
	"github.com/gbt-policy/gbt/internal/replay/interrupt"
)

// answering is a host with gbt's hook that answers its questions (gbt hook install
// --approve): the host asks what it would have asked and gbt does not answer, and what
// gbt itself asks. The user's own rules of permissions are taken to be none.
type answering struct {
	name  string
	host  hosts.Host
	mode  string // of the host's permissions
	alone beside.Guard
	deeds map[*corpora.Step]deed
}

// deed is what gbt does about one call.
type deed struct {
	asks   bool
	agreed bool // an earlier yes of the session settles it
	stops  bool
	yes    bool // the host's own question is answered
}

// answeredHosts are the hosts whose questions gbt answers, in each mode in which it does.
// What they ask without gbt is read in package beside.
func answeredHosts() []*answering {
	var out []*answering
	for _, name := range hosts.NamesOf(func(h *hosts.Host) bool { return h.Prompts != nil }) {
		h, _ := hosts.Lookup(name)
		for _, m := range h.Prompts.Modes {
			out = append(out, &answering{
				name: h.Title + " with gbt --approve, " + modeTitle(m), host: h, mode: m.Name,
				alone: beside.Claude{Edits: m.Edits}, deeds: map[*corpora.Step]deed{},
			})
		}
	}
	return out
}

// modeTitle names a mode as the rows of the table do.
func modeTitle(m hosts.PromptMode) string {
	if m.Edits {
		return m.Name
	}
	return m.Name + " mode"
}

// walkAnswered walks all sessions under g and returns them, with what gbt does in each noted.
func walkAnswered(ctx context.Context, in *logs.Input, g *interrupt.Guard, list []*answering) []*corpora.Episode {
	type walked struct {
		episode *corpora.Episode
		deeds   []map[*corpora.Step]deed
	}
	var all []*corpora.Episode
	for w := range logs.Map(ctx, in, func(_ *logs.Unit, rec logs.Record) walked {
		if rec.Episode == nil || len(rec.Episode.Steps) == 0 {
			return walked{}
		}
		out := walked{rec.Episode, make([]map[*corpora.Step]deed, len(list))}
		for i, a := range list {
			out.deeds[i] = a.walk(rec.Episode, *g)
		}
		return out
	}) {
		if w.episode == nil {
			continue
		}
		all = append(all, w.episode)
		for i, a := range list {
			maps.Copy(a.deeds, w.deeds[i])
		}
	}
	return all
}

// walk is what gbt does in one session.
func (a *answering) walk(e *corpora.Episode, g interrupt.Guard) map[*corpora.Step]deed {
	deeds := map[*corpora.Step]deed{}
	g.Each = func(s *corpora.Step, c *gates.Context, d *gates.Decision) {
		deeds[s] = deed{stops: d.Disposition < gates.ApprovedWithConstraints, yes: a.host.LeavesIn(a.mode, a.request(s), c, d) == ""}
	}
	for _, q := range g.Walk(e).Questions {
		s := &e.Steps[q.Step]
		deeds[s] = deed{asks: true, agreed: q.Remembered, yes: deeds[s].yes}
	}
	return deeds
}

// request is the call as the host has it: logs of other agents name the shell's tool
// otherwise.
func (a *answering) request(s *corpora.Step) gates.Request {
	line, ok := beside.Command(s)
	if !ok {
		return gates.Request{Tool: s.Tool, Args: []byte(s.Args)}
	}
	args, err := json.Marshal(map[string]string{a.host.Samples.Shell.Key: line})
	if err != nil {
		return gates.Request{}
	}
	return gates.Request{Tool: a.host.Samples.Shell.Name, Args: args}
}

// Asks implements beside.Guard. The counts are those of gbt where gbt asks: as it is,
// without earlier answers.
func (a *answering) Asks(s *corpora.Step) (bool, []beside.Scope) {
	asks, scopes := a.alone.Asks(s)
	switch x := a.deeds[s]; {
	case x.stops:
		return false, nil
	case x.asks && x.agreed && !x.yes && asks:
		return true, append(scopes, beside.Scope{Agreed: true}) // the host asks, though gbt does not any more
	case x.asks && x.agreed:
		return true, []beside.Scope{{Agreed: true}}
	case x.asks:
		return true, nil
	case x.yes:
		return false, nil
	}
	return asks, scopes
}
