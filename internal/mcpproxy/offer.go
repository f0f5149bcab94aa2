package mcpproxy

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gbt-policy/gbt/gates"
)

// offer brings what clients see up to date with what the servers offer.
func (p *Proxy) offer() {
	p.offerTools()
	p.offerPrompts()
	p.offerResources()
}

func (p *Proxy) offerTools() {
	var servers []string
	names, tools := map[string][]string{}, map[[2]string]*mcp.Tool{}
	for _, u := range p.ups {
		servers = append(servers, u.Name)
		for _, t := range u.offers.tools {
			key := [2]string{u.Name, t.Name}
			if tools[key] == nil {
				names[u.Name] = append(names[u.Name], t.Name)
			}
			tools[key] = t
		}
	}
	for _, s := range servers {
		for _, n := range names[s] {
			if standsIn(s, n, servers) {
				fmt.Fprintf(p.opts.Stderr, "gbt: MCP server %s: the tool %s is not offered: its name is that of another server's tool\n", s, printable(n))
			}
		}
	}
	old := p.tools
	p.tools = offeredNames(servers, names)
	var gone []string
	for _, t := range old {
		if !slices.ContainsFunc(p.tools, func(n target) bool { return n.name == t.name }) {
			gone = append(gone, t.name)
		}
	}
	p.server.RemoveTools(gone...)
	for _, t := range p.tools {
		p.note(t, tools[[2]string{t.server, t.own}])
		p.addTool(t, p.pinned(t, tools[[2]string{t.server, t.own}]))
	}
	p.savePins()
}

// note remembers the risk of a tool. A server that takes an annotation back, or
// says later that a tool only reads, does not lower it.
func (p *Proxy) note(t target, tool *mcp.Tool) {
	name, h := judged(t.server, t.own), hints(tool.Annotations)
	was, known := p.risk[name]
	if pin, ok := p.pins[name]; ok && !known {
		old := &mcp.Tool{}
		was, known = gates.Hints{}, true
		if json.Unmarshal(pin, old) == nil {
			was = hints(old.Annotations)
		}
	}
	p.risk[name] = gates.Hints{
		Destructive: h.Destructive || was.Destructive, OpenWorld: h.OpenWorld || was.OpenWorld, ReadOnly: h.ReadOnly && (was.ReadOnly || !known),
	}
}

// addTool offers a tool. A definition that the SDK refuses is offered without the
// parts that it refuses.
func (p *Proxy) addTool(t target, tool *mcp.Tool) {
	offered := *tool
	offered.Name = t.name
	if p.tryAdd(t, &offered) {
		return
	}
	p.tryAdd(t, &mcp.Tool{Name: t.name, Description: tool.Description, Annotations: tool.Annotations, InputSchema: json.RawMessage(`{"type":"object"}`)})
}

// tryAdd turns the panic by which the SDK refuses a definition into an answer:
// the definition is another program's, so it is no fault of ours.
func (p *Proxy) tryAdd(t target, tool *mcp.Tool) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Fprintf(p.opts.Stderr, "gbt: MCP server %s: %s\n", t.server, printable(fmt.Sprint(e)))
		}
	}()
	p.server.AddTool(tool, p.toolHandler(t))
	return true
}

func (p *Proxy) offerPrompts() {
	p.server.RemovePrompts(p.prompts...)
	p.prompts, p.promptOf = nil, map[string]target{}
	seen := map[string]bool{}
	for _, u := range p.ups {
		for _, pr := range u.offers.prompts {
			offered := *pr
			if seen[pr.Name] {
				offered.Name = u.Name + "__" + pr.Name
			}
			if seen[offered.Name] {
				continue
			}
			seen[offered.Name] = true
			p.prompts = append(p.prompts, offered.Name)
			p.promptOf[offered.Name] = target{offered.Name, u.Name, pr.Name}
			p.server.AddPrompt(&offered, p.promptHandler(u, pr.Name))
		}
	}
}

// offerResources offers the resources of all servers. Of two with one address the
// first server's counts; addresses of the proxy's own scheme are nobody else's.
func (p *Proxy) offerResources() {
	p.server.RemoveResources(p.resources...)
	p.server.RemoveResourceTemplates(p.templates...)
	p.resources, p.templates, p.resourceOf = nil, nil, map[string]*upstream{}
	seen := map[string]bool{}
	for _, u := range p.ups {
		for _, r := range u.offers.resources {
			if ownScheme(r.URI) || seen[r.URI] {
				continue
			}
			seen[r.URI] = true
			if p.tryResource(u, func() { p.server.AddResource(r, p.resourceHandler(u)) }) {
				p.resources = append(p.resources, r.URI)
				p.resourceOf[r.URI] = u
			}
		}
		for _, t := range u.offers.templates {
			if ownScheme(t.URITemplate) || seen[t.URITemplate] {
				continue
			}
			seen[t.URITemplate] = true
			if p.tryResource(u, func() { p.server.AddResourceTemplate(t, p.resourceHandler(u)) }) {
				p.templates = append(p.templates, t.URITemplate)
				p.resourceOf[t.URITemplate] = u
			}
		}
	}
}

func (p *Proxy) tryResource(u *upstream, add func()) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Fprintf(p.opts.Stderr, "gbt: MCP server %s: %s\n", u.Name, printable(fmt.Sprint(e)))
		}
	}()
	add()
	return true
}
