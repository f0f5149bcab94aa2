package logs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

const claudeTitle = "Claude Code sessions"

// claudeLayout is one line of a Claude Code session.
func claudeLayout() layout {
	return layout{
		Layout: Layout{
			Name: "claude-code", Title: claudeTitle,
			Fields: chatFields | HasGroup | HasModel | HasError | HasExit | HasBlocked | HasCwd | HasDeltas | HasTimes | HasTokens | HasParent,
			Note:   "file deltas are observed where the line holds the patch that the tool applied",
		},
		kind:   isPart,
		need:   []string{"type"},
		none:   []string{"payload", "messages", "span_id", "spanId"},
		ok:     isClaudeLine,
		gather: func(rd *reader) gatherer { return &claudeSessions{rd: rd, byKey: map[string]*session{}} },
	}
}

// isClaudeLine says whether an object with a type is a line of such a session:
// one of the types that carry the conversation, with the ids that thread it; a
// type of another kind with what goes with it; or a new type in a session.
func isClaudeLine(v *fastjson.Value) bool {
	switch string(v.GetStringBytes("type")) {
	case "user", "assistant", "progress", "attachment":
		return v.Get("uuid") != nil || v.Get("sessionId") != nil
	case "summary":
		return v.Get("leafUuid") != nil
	case "file-history-snapshot":
		return v.Get("snapshot") != nil || v.Get("messageId") != nil
	}
	return v.Get("sessionId") != nil && (v.Get("uuid") != nil || v.Get("parentUuid") != nil || v.Get("operation") != nil)
}

// claudeSessions gathers the sessions of one file, side chains apart.
type claudeSessions struct {
	rd    *reader
	byKey map[string]*session
	order []*session
	side  map[string]string // root of the side chain that a line is on
	usage map[string]bool   // answers whose tokens are counted
}

func (g *claudeSessions) add(v *fastjson.Value, at place) {
	kind := string(v.GetStringBytes("type"))
	switch kind {
	case "user", "assistant":
		if m := v.Get("message"); m == nil || m.Type() != fastjson.TypeObject {
			g.rd.problem(at, CodeBadRecord, "a "+kind+" line of a Claude Code session without a message object")
			return
		}
	case "system", "progress", "attachment":
	case "summary", "file-history-snapshot", "queue-operation", "custom-title", "ai-title", "agent-name", "tag", "last-prompt",
		"permission-mode", "pr-link", "agent-setting", "worktree-state":
		return
	default:
		g.rd.skip(at, fmt.Sprintf("a line of a Claude Code session of the unknown type %q", clip(kind, 60)))
	}
	s := g.session(v)
	if s.version == "" {
		s.version = str(v, "version")
	}
	s.turns = append(s.turns, g.turn(kind, v, at))
}

// session is the session that the line belongs to. The lines of a side chain,
// a conversation with a sub-agent, name the same session as the main one.
func (g *claudeSessions) session(v *fastjson.Value) *session {
	id := str(v, "sessionId")
	if id == "" {
		id = g.rd.stem()
	}
	key, parent := id, ""
	if v.GetBool("isSidechain") {
		key, parent = id+"/"+g.sideChain(v), "claude-code/"+id
	}
	if s := g.byKey[key]; s != nil {
		return s
	}
	s := &session{format: "claude-code", id: key, parent: parent, agent: "claude-code"}
	g.byKey[key] = s
	g.order = append(g.order, s)
	return s
}

// sideChain names the side chain of a line: by the agent, else by the line
// that began the chain.
func (g *claudeSessions) sideChain(v *fastjson.Value) string {
	if id := str(v, "agentId"); id != "" {
		return id
	}
	if g.side == nil {
		g.side = map[string]string{}
	}
	id := str(v, "uuid")
	root, ok := g.side[str(v, "parentUuid")]
	if !ok {
		root = id
	}
	g.side[id] = root
	return root
}

func (g *claudeSessions) turn(kind string, v *fastjson.Value, at place) turn {
	rd := g.rd
	t := turn{id: str(v, "uuid"), parent: str(v, "parentUuid"), line: at.line, cwd: str(v, "cwd"), branch: str(v, "gitBranch")}
	if t.parent == "" {
		t.parent = str(v, "logicalParentUuid")
	}
	m := v.Get("message")
	when := unixNano(str(v, "timestamp"))
	switch kind {
	case "user":
		content := m.Get("content")
		t.results = claudeResults(v, content, when)
		if !v.GetBool("isMeta") && !v.GetBool("isCompactSummary") {
			words := text(content)
			t.user, t.stopped = userWords(words), strings.HasPrefix(strings.TrimSpace(words), claudeStopped)
		}
	case "assistant":
		content := m.Get("content")
		if model := str(m, "model"); model != "<synthetic>" {
			t.model = model
		}
		t.group = str(m, "id")
		t.words = join(thinkingText(content), strings.TrimSpace(text(content)))
		t.calls = rd.turnCalls(content, at.line, when)
		g.tokens(&t, m.Get("usage"))
	}
	return t
}

// tokens counts an answer's tokens once: each of its lines repeats them.
func (g *claudeSessions) tokens(t *turn, u *fastjson.Value) {
	if u == nil || t.group != "" && g.usage[t.group] {
		return
	}
	if g.usage == nil {
		g.usage = map[string]bool{}
	}
	g.usage[t.group] = true
	t.tokensIn = u.GetInt64("input_tokens") + u.GetInt64("cache_read_input_tokens") + u.GetInt64("cache_creation_input_tokens")
	t.tokensOut = u.GetInt64("output_tokens")
}

// claudeStopped begins what Claude Code writes where the user stopped it.
const claudeStopped = "[Request interrupted by user"

// userWords drops what the program writes in the user's name: marks of commands
// and stops, and its own summary of a conversation that it had to shorten.
func userWords(s string) string {
	s = strings.TrimSpace(s)
	for _, p := range []string{"<command-name>", "<command-message>", "<local-command-", "<system-reminder>", "<bash-", "Caveat: The messages below", claudeStopped,
		"This session is being continued from a previous conversation"} {
		if strings.HasPrefix(s, p) {
			return ""
		}
	}
	return s
}

var exitCodeRE = regexp.MustCompile(`^(?:Error: )?Exit code (\d+)\b\n?`)

// claudeResults reads the results among the content parts of a user line.
func claudeResults(v, content *fastjson.Value, when int64) []turnResult {
	out := partResults(content)
	for i := range out {
		r := &out[i]
		r.end = when
		if r.fault != "" {
			r.blockedBy = claudeBlocked(r.out)
		}
		if m := exitCodeRE.FindStringSubmatch(r.out); m != nil {
			r.exit, _ = strconv.Atoi(m[1])
			r.hasExit = true
		}
		if r.fault == "" {
			r.deltas = patchDelta(v.Get("toolUseResult"))
		}
	}
	return out
}

// claudeBlocked says what stopped a call, from the words that Claude Code
// itself answers with; "" if it ran.
func claudeBlocked(s string) string {
	switch {
	case strings.HasPrefix(s, "The user doesn't want to proceed"), strings.HasPrefix(s, "The user doesn't want to take this action"),
		strings.HasPrefix(s, claudeStopped):
		return "user"
	case strings.HasPrefix(s, "Permission to use "), strings.HasPrefix(s, "Claude requested permissions to "):
		return "permission"
	case strings.Contains(s, "PreToolUse:") || strings.Contains(s, "hook denied") || strings.Contains(s, "blocked by hook"),
		strings.HasPrefix(s, "gbt: blocked"): // as gbt-hook says it
		return "hook"
	case strings.HasPrefix(s, "<tool_use_error>InputValidationError"), strings.HasPrefix(s, "InputValidationError"), strings.HasPrefix(s, "<tool_use_error>Error: No such tool"):
		return "argument check"
	}
	return ""
}

// patchDelta is the change in the result that Edit and Write leave beside
// their words: the patch as it was applied.
func patchDelta(r *fastjson.Value) []corpora.Delta {
	path := str(r, "filePath")
	hunks := r.GetArray("structuredPatch")
	if path == "" || hunks == nil {
		return nil
	}
	d := corpora.Delta{Kind: corpora.DeltaFileModify, Resource: path, Observed: true}
	if string(r.GetStringBytes("type")) == "create" {
		d.Kind = corpora.DeltaFileCreate
		d.Size = len(strings.Split(strings.TrimRight(str(r, "content"), "\n"), "\n"))
	}
	for _, h := range hunks {
		for _, l := range h.GetArray("lines") {
			if s := l.GetStringBytes(); len(s) > 0 && (s[0] == '+' || s[0] == '-') {
				d.Size++
			}
		}
	}
	return []corpora.Delta{d}
}

func (g *claudeSessions) flush() {
	for _, s := range g.order {
		g.rd.emitSession(s)
	}
}
