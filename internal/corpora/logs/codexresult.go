package logs

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

var codexExitRE = regexp.MustCompile(`(?m)^(?:Exit code: |Process exited with code )(-?\d+)$`)

// output adds a call's result, unless its end event, which knows more, has
// given it already.
func (g *codexSession) output(p *fastjson.Value, when int64) {
	id := str(p, "call_id")
	if g.ended[id] {
		return
	}
	o := p.Get("output")
	out, exit, hasExit := text(o), 0, false
	if o != nil && o.Type() == fastjson.TypeObject {
		out = text(firstOf(o, "content", "output"))
	}
	if strings.HasPrefix(out, `{"`) && len(out) < maxNested {
		if v, err := g.rd.nested.Parse(out); err == nil && v.Get("output") != nil && v.Get("metadata") != nil {
			exit, hasExit = v.GetInt("metadata", "exit_code"), v.Get("metadata", "exit_code") != nil
			out = str(v, "output")
		}
	} else if m := codexExitRE.FindStringSubmatch(out); m != nil {
		exit, _ = strconv.Atoi(m[1])
		hasExit = true
		if _, rest, ok := strings.Cut(out, "\nOutput:\n"); ok {
			out = rest
		}
	}
	s := g.rd.run.result(id, "", out, "")
	if s == nil {
		return
	}
	s.ExitCode, s.HasExit, s.End = exit, hasExit, when
	if strings.Contains(out, "rejected by user") {
		s.Status, s.BlockedBy, s.Error = corpora.StatusBlocked, "user", out
	}
}

// event reads what the program tells its display. Words come here only in
// sessions that were written without response items.
func (g *codexSession) event(p *fastjson.Value, when int64) {
	b := &g.rd.run
	switch string(p.GetStringBytes("type")) {
	case "user_message":
		g.user(strings.TrimSpace(str(p, "message")))
	case "agent_message":
		g.message("assistant", str(p, "message"))
	case "task_complete", "turn_complete":
		g.message("assistant", str(p, "last_agent_message"))
	case "exec_command_end":
		g.execEnd(p, when)
	case "patch_apply_end":
		g.patchEnd(p, when)
	case "token_count":
		t := p.Get("info", "total_token_usage")
		if t == nil || t.GetInt64("total_tokens") == g.lastTokens {
			return
		}
		g.lastTokens = t.GetInt64("total_tokens")
		b.ep.TokensIn, b.ep.TokensOut = t.GetInt64("input_tokens"), t.GetInt64("output_tokens")
		u := p.Get("info", "last_token_usage")
		g.tokensIn, g.tokensOut = u.GetInt64("input_tokens"), u.GetInt64("output_tokens")
		g.lateTokens()
	}
}

// lateTokens gives the tokens to the latest call if none had them yet: the
// count comes after the calls of its answer.
func (g *codexSession) lateTokens() {
	steps := g.rd.run.steps
	if n := len(steps); n > 0 && steps[n-1].TokensIn == 0 {
		steps[n-1].TokensIn, steps[n-1].TokensOut = g.tokensIn, g.tokensOut
		g.tokensIn, g.tokensOut = 0, 0
	}
}

func (g *codexSession) execEnd(p *fastjson.Value, when int64) {
	id := str(p, "call_id")
	out := firstText(p, "aggregated_output", "formatted_output", "stdout")
	s := g.rd.run.result(id, "", out, "")
	if s == nil {
		return
	}
	g.ended[id] = true
	s.End = when
	if c := p.Get("exit_code"); c != nil && c.Type() == fastjson.TypeNumber {
		s.ExitCode, s.HasExit = c.GetInt(), true
	}
	if s.Result == "" {
		s.Result = str(p, "stderr")
	}
	if cwd := str(p, "cwd"); cwd != "" {
		s.Cwd = cwd
	}
	if string(p.GetStringBytes("status")) == "declined" {
		s.Status, s.BlockedBy = corpora.StatusBlocked, "user"
	}
}

// patchEnd adds the files that a patch changed.
func (g *codexSession) patchEnd(p *fastjson.Value, when int64) {
	id := str(p, "call_id")
	s := g.rd.run.result(id, "", firstText(p, "stdout", "stderr"), "")
	if s == nil {
		return
	}
	g.ended[id] = true
	s.End = when
	if good, set := boolAt(p, "success"); set && !good {
		s.Error = firstText(p, "stderr", "stdout")
		return
	}
	p.GetObject("changes").Visit(func(k []byte, c *fastjson.Value) {
		s.Deltas = append(s.Deltas, codexChange(string(k), c))
	})
}

func codexChange(path string, c *fastjson.Value) corpora.Delta {
	d := corpora.Delta{Kind: corpora.DeltaFileModify, Resource: path, Observed: true}
	kind := string(c.GetStringBytes("type"))
	body := c
	for _, k := range []string{"add", "delete", "update"} {
		if x := c.Get(k); x != nil {
			kind, body = k, x
		}
	}
	switch kind {
	case "add":
		d.Kind = corpora.DeltaFileCreate
		d.Size = strings.Count(str(body, "content"), "\n")
	case "delete":
		d.Kind = corpora.DeltaFileDelete
		d.Size = strings.Count(str(body, "content"), "\n")
	default:
		d.Size = changedLines(body.GetStringBytes("unified_diff"))
	}
	return d
}

func (g *codexSession) flush() {
	if !g.began {
		return
	}
	if g.id != "" {
		g.rd.run.ep.ID = "codex/" + g.id
	}
	g.rd.done("codex/" + g.rd.stem())
}
