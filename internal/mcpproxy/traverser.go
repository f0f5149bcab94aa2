package mcpproxy

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/traverse"
)

const scheme = "gbt:"

// ownScheme says whether an address is one of the proxy's own.
func ownScheme(uri string) bool {
	return len(uri) >= len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme)
}

func (p *Proxy) instructions() string {
	text := "Every tool call is checked by gbt before it runs. A stopped call answers with an error that says why and what would be allowed; do not look for a way around it."
	if p.opts.Policy != nil {
		text += " Call gbt_start with the task first, and gbt_plan before each step: it names the next step that led to success before."
	}
	return text
}

// offerTraverser offers the traverser's tools and resources, where there is a
// policy.
func (p *Proxy) offerTraverser() {
	if p.opts.Policy == nil {
		return
	}
	p.server.AddTool(&mcp.Tool{
		Name: "gbt_start", Description: "Start a task under the policy: give the task in the user's words. Answers with where the task stands. A later task needs the user's consent.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"task":{"type":"string"}},"required":["task"],"additionalProperties":false}`),
	}, p.startTool)
	p.server.AddTool(&mcp.Tool{
		Name: "gbt_plan", Description: "Say in a sentence what you would do next (or name the tool and its arguments); answers with the step that the policy wants next and what matters for it.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"next":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"tokens":{"type":"integer","description":"tokens that the run has used so far, if known"}},"additionalProperties":false}`),
	}, p.planTool)
	p.server.AddResource(&mcp.Resource{URI: "gbt://spine", Name: "spine", MIMEType: "application/json", Description: "the steps done so far, and where the task stands"}, p.spine)
	p.server.AddResource(&mcp.Resource{URI: "gbt://policy", Name: "policy", MIMEType: "text/plain", Description: "the policy in force"}, p.policy)
}

// start begins a task. The caller holds the ledger's lock, or nobody else is
// there yet.
func (p *Proxy) start(task string) {
	st := p.opts.State()
	env := traverse.Env{Cwd: st.Cwd, Home: st.Home, Roots: st.Roots, Links: st.Links, UID: st.UID, GID: st.GID, Tools: p.toolNames()}
	id := "mcp-" + rand.Text() // confirmations are bound to it
	p.run = &run{session: p.opts.Policy.Start(traverse.Task{ID: id, Text: task, Shadow: p.opts.Shadow, Limits: p.opts.Limits}, env), now: p.opts.Now, began: p.opts.Now()}
}

// toolNames are the servers' own names of all tools, nil while none is known.
func (p *Proxy) toolNames() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, t := range p.tools {
		out = append(out, t.own)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (p *Proxy) startTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := &toolCall{tool: "gbt_start", args: req.Params.Arguments}
	var in struct{ Task string }
	if !exact(c.args, map[string]any{"task": &in.Task}) || strings.TrimSpace(in.Task) == "" {
		return failed(`gbt_start needs the task: {"task":"..."}`), nil
	}
	said := p.answered(req.Params.RequestState, req.Params.InputResponses, c)
	if said == refused {
		return failed("The user was asked and did not agree to another task. The one before goes on."), nil
	}
	agreed := said.agreed()
	l := &p.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.run != nil && !agreed {
		// A new task has new budgets and a new place in the tree. Whoever could
		// start one at will would be bound by neither.
		v := &ruling{token: l.ask(callHash(c.tool, c.args)), decision: gates.Decision{Disposition: gates.ApprovedWithConstraints, Reasons: []gates.Reason{{
			Rule: "task/another", Disposition: gates.ApprovedWithConstraints, Effect: -1, Message: "A task is under way. Another one starts with new budgets.",
		}}}}
		switch {
		case p.confirmedByFile(v.token):
		case canElicit(req.ClientCapabilities()):
			return question(c, v), nil
		default:
			return p.stopped(v, p.howToConfirm(c, v)), nil
		}
		agreed = true
	}
	if agreed {
		l.past.Hear(in.Task) // the user has seen it and said yes
	}
	p.start(in.Task)
	p.record(&Part{Op: "startSession", Task: in.Task})
	return p.move(traverse.Proposal{}, false)
}

func (p *Proxy) planTool(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Next, Tool string
		Args       json.RawMessage
		Tokens     int64
	}
	if args := req.Params.Arguments; len(args) > 0 && !exact(args, map[string]any{"next": &in.Next, "tool": &in.Tool, "args": &in.Args, "tokens": &in.Tokens}) {
		return failed(`gbt_plan takes {"next":"..."} or {"tool":"...","args":{...}}, and tokens beside either`), nil
	}
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	if p.run == nil {
		return failed("No task is under way: call gbt_start with the task first."), nil
	}
	p.run.told(max(in.Tokens, tokensOf(req.Params.GetMeta())))
	p.record(&Part{Op: "propose", Text: in.Next})
	return p.move(traverse.Proposal{Text: in.Next, Tool: in.Tool, Args: in.Args}, true)
}

// plan is the answer of gbt_start and gbt_plan.
type plan struct {
	Verdict string         `json:"verdict,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Next    string         `json:"next,omitempty"`
	Tools   []string       `json:"tools,omitempty"`
	Brief   string         `json:"brief,omitempty"`
	Family  string         `json:"family,omitempty"`
	Covered bool           `json:"covered"`
	Lost    string         `json:"lost,omitempty"`
	Stopped string         `json:"stopped,omitempty"`
	Spine   []string       `json:"spine"`
	Stats   traverse.Stats `json:"stats"`
}

// move answers with where the session stands, after a proposal or without one.
func (p *Proxy) move(pr traverse.Proposal, propose bool) (*mcp.CallToolResult, error) {
	var out plan
	if propose {
		pr.Used = p.run.used()
		m := p.run.session.Propose(pr)
		out.Verdict, out.Reason, out.Brief = m.Verdict.String(), m.Reason, m.Brief.String()
		if m.Macro != nil {
			out.Next, out.Tools = m.Macro.Desc, m.Macro.Tools
		}
	}
	p.place(&out)
	b, err := json.Marshal(&out)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(b)}}, StructuredContent: json.RawMessage(b)}, nil
}

func (p *Proxy) place(out *plan) {
	st := p.run.session.Status()
	out.Family, out.Covered, out.Lost, out.Stopped, out.Spine, out.Stats = st.Family, st.Covered, st.Lost, st.Stopped, st.Spine, st.Stats
}

func (p *Proxy) spine(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	out := plan{Spine: []string{}, Reason: "no task is under way: call gbt_start"}
	if p.run != nil {
		out.Reason = ""
		p.place(&out)
	}
	b, err := json.MarshalIndent(&out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("spine: %w", err)
	}
	return textResource(req.Params.URI, "application/json", string(b)), nil
}

func (p *Proxy) policy(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return textResource(req.Params.URI, "text/plain", p.opts.About), nil
}

func textResource(uri, mime, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}
}
