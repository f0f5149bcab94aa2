package mcpproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// confirmKey is the id of the one question that the proxy asks.
const confirmKey = "confirm"

// canElicit says whether the client can ask its user.
func canElicit(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// question asks the user to confirm exactly this call. The SDK turns it into a
// request to the client or into an input_required result, as the client's
// protocol version has it, and calls the handler again with the answer.
func question(c *toolCall, v *ruling) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		RequestState: v.token,
		InputRequests: mcp.InputRequestMap{confirmKey: &mcp.ElicitParams{
			Mode:            "form",
			Message:         questionText(c, v) + v.offered(),
			RequestedSchema: v.choice(),
		}},
	}
}

// questionText shows the user what would happen, and then what would run: nothing that
// the agent wrote comes before the worst of it.
func questionText(c *toolCall, v *ruling) string {
	text := ""
	for _, line := range strings.Split(v.texts().Person, "\n") {
		text += printable(line) + "\n"
	}
	text += "May " + printable(c.tool) + " be called with " + printable(cut(string(c.args), maxShown)) + " ?"
	if c.change != nil {
		text += "\nThe tool: " + printable(c.change.shown)
	}
	return text + "\nYour yes is for exactly this call, once."
}

// maxShown bounds the arguments shown to the user.
const maxShown = 2000

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "… (cut)"
}

// answered looks for the user's answer in a request. It counts for exactly the call
// that was asked about, and once.
func (p *Proxy) answered(state string, responses mcp.InputResponseMap, c *toolCall) answer {
	if state == "" {
		return unanswered
	}
	r, _ := responses[confirmKey].(*mcp.ElicitResult)
	return p.ledger.settle(state, c.hash(), answerOf(r))
}

// confirmedByFile uses the file up by which the user confirmed a call.
func (p *Proxy) confirmedByFile(token string) bool {
	return p.opts.Confirmations != "" && os.Remove(filepath.Join(p.opts.Confirmations, token)) == nil
}

// howToConfirm tells the user how to agree to a call when the client cannot ask,
// and returns what the agent is told. Which file it takes goes to standard error
// alone: an agent that knew its name could create it with a tool of its own.
func (p *Proxy) howToConfirm(c *toolCall, v *ruling) string {
	if p.opts.Confirmations == "" {
		return "This client cannot ask the user (it has no elicitation), and gbt mcp runs without --confirmations, so nobody can agree here. Ask the user to do it, or do without it."
	}
	fmt.Fprintf(p.opts.Stderr, "gbt: %s\nTo agree, create the file %s\n", questionText(c, v), filepath.Join(p.opts.Confirmations, v.token))
	return "How to agree stands in the standard error of gbt mcp, for the user alone: ask the user to agree there, then make the same call again. It holds for this call only, once."
}
