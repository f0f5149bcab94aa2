package distill

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// ServerConfig is one entry of the key servers of gbt.yaml: what an MCP server of
// the user's may touch.
type ServerConfig struct {
	Name    string   `yaml:"name"`
	Touches string   `yaml:"touches"`
	Hosts   []string `yaml:"hosts"`
}

// servers returns what the configuration says of MCP servers, in its order.
func (c *Config) servers() ([]call.Server, error) {
	var out []call.Server
	for i := range c.Servers {
		s, err := c.Servers[i].server([]any{"servers", i})
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o call.Server) bool { return o.Name == s.Name }) {
			return nil, faultAt([]any{"servers", i, "name"}, "server %s is given twice", s.Name)
		}
		out = append(out, s)
	}
	return out, nil
}

func (s *ServerConfig) server(at []any) (call.Server, error) {
	in := func(key string) []any { return append(slices.Clone(at), key) }
	out := call.Server{Name: strings.ToLower(s.Name), Hosts: slices.Clone(s.Hosts)}
	var ok bool
	if out.Touches, ok = call.ParseTouches(s.Touches); !ok {
		return out, faultAt(in("touches"), "%q is nothing that a server touches: give %s", s.Touches, strings.Join(call.TouchesNames(), ", "))
	}
	switch {
	case out.Name == "" || strings.Contains(out.Name, "__"):
		return out, faultAt(in("name"), "%q is no name of a server: give the one in mcp__NAME__tool", s.Name)
	case (len(out.Hosts) > 0) != (out.Touches == call.TouchesHosts):
		return out, faultAt(in("hosts"), "give hosts where touches is hosts, and there alone")
	}
	for _, h := range out.Hosts {
		if n, ok := effect.ParseURL(h, "https"); !ok || n.Domain == "" && n.IP == "" || strings.ContainsAny(h, "*/ ") {
			return out, faultAt(in("hosts"), "%q is no host, such as api.example.com", h)
		}
	}
	return out, nil
}
