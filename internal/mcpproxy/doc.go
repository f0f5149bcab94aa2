// Package mcpproxy stands between an MCP client and any number of MCP servers
// and decides on every tools/call before it is forwarded.
//
// New connects the servers, Proxy.Run serves one client over a transport, and
// Proxy.Handler serves clients over streamable HTTP. The official SDK does the
// protocol; what is here is the decision.
//
// What belongs here: connections, names and links of servers, what is asked of
// whom, and what a client is shown. What never does: what a call does
// (gates/call), what a run remembers (package episode), other transports than
// MCP's (internal/serve).
//
// # What is judged
//
// A call is judged under the name mcp__server__tool, by Options.Checker with the
// memory of everything that went through the proxy: history, information flow
// and where values came from. Annotations of tools are hints that may only raise
// the risk. Reading a resource is judged as the tool read_resource of its server.
// The arguments that are forwarded are the bytes that were judged. Arguments that
// two readers could understand differently (a name given twice, text that is not
// UTF-8, anything that is no object) are refused.
//
// All clients of one proxy share its memory: what one of them read counts for
// all, so that connecting again forgets nothing.
//
// # What is answered
//
// A stopped call is answered with isError and a text that names the reasons and
// what would be allowed; it never reaches a server. A call that needs a
// confirmation asks the user through elicitation, or through a file in
// Options.Confirmations, once for exactly this call; whoever cannot be asked has
// not agreed. Where the yes can be remembered (package scope) the form of an elicitation
// has a choice for the rest of the session, which is as long as the proxy runs. Which file it is goes to Options.Stderr and never to the client: proof
// of consent must not pass through the agent. A server that hangs or ends costs its own calls only.
//
// # What servers say of their tools
//
// The first definition seen of a tool is pinned (pin.go) and is what clients see
// from then on. A call of one that changed asks, and a yes takes over the new one. A
// tool that has the name of another server's is not offered, and names that only look
// different are told apart by their servers' names (names.go). Prompts and resources
// are not pinned: what they say is untrusted text each time.
//
// # The traverser
//
// With Options.Policy the tools gbt_start and gbt_plan and the resources
// gbt://spine and gbt://policy offer the traverser. What a client calls its task
// never counts as the user's words: only Options.Task does, or the user's yes to
// it. The session can only tighten what the checker decides. As long as no task
// was started the place in the tree is unknown, and the gates of every node are
// asked.
//
// A Proxy is safe for concurrent use.
package mcpproxy
