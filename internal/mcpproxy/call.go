package mcpproxy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// toolHandler judges the calls of one tool and forwards those that may run.
func (p *Proxy) toolHandler(t target) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := &toolCall{tool: judged(t.server, t.own), args: req.Params.Arguments, tokens: tokensOf(req.Params.GetMeta())}
		if len(c.args) == 0 {
			c.args = json.RawMessage("{}")
		}
		c.hints = p.hints(c.tool)
		c.defined, c.change = p.changed(c.tool)
		v, res, err := p.decide(ctx, req, c)
		if err != nil || res != nil {
			return res, err
		}
		return p.forward(ctx, t, c, v, req), nil
	}
}

// hints are what was ever said of a tool's risk.
func (p *Proxy) hints(tool string) gates.Hints {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.risk[tool]
}

// decide judges a call, asking the user where that is needed. A result is the
// answer to a call that does not run now.
func (p *Proxy) decide(ctx context.Context, req *mcp.CallToolRequest, c *toolCall) (*ruling, *mcp.CallToolResult, error) {
	if why := noObject(c.args); why != "" {
		v, err := p.malformed(c, why)
		if err != nil {
			return nil, nil, err
		}
		return nil, p.stopped(v, ""), nil
	}
	said := p.answered(req.Params.RequestState, req.Params.InputResponses, c)
	if said == refused {
		p.ledger.mu.Lock()
		p.record(&Part{Op: "observe", Tool: c.tool, Args: c.args, Declined: true})
		p.ledger.mu.Unlock()
		return nil, failed("gbt stopped this call: the user was asked and did not agree. It did not run."), nil
	}
	v, err := p.judge(ctx, c, said)
	if err == nil && v.token != "" && p.confirmedByFile(v.token) && p.ledger.settle(v.token, c.hash(), once) == once {
		v, err = p.judge(ctx, c, once)
	}
	switch {
	case err != nil:
		return nil, nil, notLogged(err)
	case v.allowed():
		return v, nil, nil
	case v.token == "":
		return nil, p.stopped(v, ""), nil
	case canElicit(req.ClientCapabilities()):
		return nil, question(c, v), nil
	}
	return nil, p.stopped(v, p.howToConfirm(c, v)), nil
}

// malformed decides on arguments that are no object.
func (p *Proxy) malformed(c *toolCall, why string) (*ruling, error) {
	v := &ruling{decision: gates.Decision{Disposition: gates.RevisionRequired, Would: gates.RevisionRequired, Reasons: []gates.Reason{{
		Rule: "input/malformed", Disposition: gates.RevisionRequired, Effect: -1, Message: why + ".",
	}}}}
	gc := gates.Context{Tool: c.tool}
	v.id = v.decision.ID(&gc, p.opts.Digest)
	if p.opts.Log == nil {
		return v, nil
	}
	p.ledger.mu.Lock()
	defer p.ledger.mu.Unlock()
	if err := p.opts.Log(Event{c.tool, nil, &gc, &v.decision, v.id, false}); err != nil {
		return nil, notLogged(err)
	}
	return v, nil
}

// notLogged says that a call did not run because its decision could not be
// written down.
func notLogged(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "gbt: the decision could not be logged, so the call did not run: " + err.Error()}
}

func (p *Proxy) byName(server string) *upstream {
	for _, u := range p.ups {
		if u.Name == server {
			return u
		}
	}
	panic("gbt: internal error: no server " + server)
}

// forward calls the server's tool with the bytes that were judged.
func (p *Proxy) forward(ctx context.Context, t target, c *toolCall, v *ruling, req *mcp.CallToolRequest) *mcp.CallToolResult {
	var res *mcp.CallToolResult
	u := p.byName(t.server)
	token, end := p.began(u, req.Session, req.Params.GetProgressToken())
	defer end()
	err := p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) (err error) {
		if now, _ := p.changed(c.tool); p.hints(c.tool) != c.hints || !slices.Equal(now, c.defined) {
			return errors.New("it now says something else about the tool than before: the call did not run; make it again")
		}
		out := &mcp.CallToolParams{Name: t.own, Arguments: json.RawMessage(c.args)}
		if token != nil {
			out.SetProgressToken(token)
		}
		res, err = s.CallTool(ctx, out)
		return err
	})
	switch {
	case err != nil:
		res = failed(printable(err.Error()))
	case res.NeedsInput():
		res = failed("The tool asks the user for input, which this proxy does not pass on.")
	}
	text, fault := resultText(res), ""
	if res.IsError {
		if fault = strings.TrimSpace(text); fault == "" {
			fault = "the tool failed"
		}
	}
	p.observe(c, v, text, fault)
	return res
}

// resourceHandler reads resources of a server, judged as its tool read_resource.
func (p *Proxy) resourceHandler(u *upstream) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := reading(u, req.Params.URI)
		said := p.answered(req.Params.RequestState, req.Params.InputResponses, c)
		v, err := p.judge(ctx, c, said)
		if err == nil && v.token != "" && p.confirmedByFile(v.token) && p.ledger.settle(v.token, c.hash(), once) == once {
			v, err = p.judge(ctx, c, once)
		}
		if err != nil {
			return nil, notLogged(err)
		}
		if !v.allowed() {
			how := ""
			switch {
			case v.token == "":
			case req.Params.RequestState != "":
				how = "The user was asked and did not agree."
			case canElicit(req.ClientCapabilities()):
				q := question(c, v)
				return &mcp.ReadResourceResult{RequestState: q.RequestState, InputRequests: q.InputRequests, Contents: []*mcp.ResourceContents{}}, nil
			default:
				how = p.howToConfirm(c, v)
			}
			return nil, &jsonrpc.Error{Code: codeStopped, Message: explain(v) + how}
		}
		var res *mcp.ReadResourceResult
		err = p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) (err error) {
			res, err = s.ReadResource(ctx, &mcp.ReadResourceParams{URI: req.Params.URI})
			return err
		})
		if err != nil {
			p.observe(c, v, "", err.Error())
			return nil, asJSONRPC(err)
		}
		var text strings.Builder
		for _, part := range res.Contents {
			text.WriteString(part.Text + "\n")
		}
		p.observe(c, v, text.String(), "")
		return res, nil
	}
}

// reading is the call that a resource is read by.
func reading(u *upstream, uri string) *toolCall {
	args, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // a string has a JSON form
	}
	return &toolCall{tool: judged(u.Name, "read_resource"), args: args}
}

// codeStopped is the JSON-RPC code of a request that was stopped, in the range
// that the specification leaves to implementations (JSON-RPC 2.0, section 5.1).
const codeStopped = -32050

// promptHandler passes a prompt on. It is text for the model that a server chose.
func (p *Proxy) promptHandler(u *upstream, name string) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		var res *mcp.GetPromptResult
		err := p.ask(ctx, u, func(ctx context.Context, s *mcp.ClientSession) (err error) {
			res, err = s.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: req.Params.Arguments})
			return err
		})
		tool := judged(u.Name, "get_prompt")
		if err != nil {
			p.ledger.returned(tool, nil, err.Error())
			return nil, asJSONRPC(err)
		}
		texts := []string{res.Description}
		for _, m := range res.Messages {
			texts = append(texts, contentText(m.Content)...)
		}
		p.ledger.returned(tool, nil, strings.Join(texts, "\n"))
		return res, nil
	}
}

// asJSONRPC keeps an answer of the protocol and makes one of everything else.
func asJSONRPC(err error) error {
	var said *jsonrpc.Error
	if errors.As(err, &said) {
		return said
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}
