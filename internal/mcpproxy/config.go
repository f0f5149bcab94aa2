package mcpproxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Server says how to reach one MCP server: by a command, over standard input
// and output, or by a URL, over streamable HTTP.
type Server struct {
	Name    string
	Command []string
	Dir     string
	Env     []string // NAME=value, besides the few variables that servers get
	URL     string
	Headers map[string]string // sent with every request to URL
}

// nameRE are the names of servers: those that tool names may be made of.
var nameRE = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// Check says why a server cannot be used.
func (s *Server) Check() error {
	switch {
	case !nameRE.MatchString(s.Name) || strings.Contains(s.Name, "__"):
		return fmt.Errorf("server %q: a name is made of letters, digits, - . and single _, and starts with a letter or digit", s.Name)
	case (len(s.Command) == 0) == (s.URL == ""):
		return fmt.Errorf("server %s: give either a command or a url", s.Name)
	case len(s.Command) > 0 && s.Command[0] == "":
		return fmt.Errorf("server %s: the command is empty", s.Name)
	}
	if s.URL == "" {
		return nil
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("server %s: %q is no http or https address", s.Name, s.URL)
	}
	return nil
}

// serverJSON is one entry of mcpServers. Keys that hosts add beside these say
// nothing about how to reach a server.
type serverJSON struct {
	Type     string            `json:"type"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Cwd      string            `json:"cwd"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Disabled bool              `json:"disabled"`
}

// ParseServers reads the form that MCP hosts keep their servers in, one object
// with "mcpServers" (or "servers") by name. ${NAME} and ${NAME:-default} stand
// for variables, which lookup knows. Servers come sorted by name.
func ParseServers(data []byte, lookup func(string) (string, bool)) ([]Server, error) {
	var file struct {
		Servers map[string]serverJSON `json:"mcpServers"`
		VSCode  map[string]serverJSON `json:"servers"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("not a file of MCP servers: %w", err)
	}
	list := file.Servers
	if list == nil {
		list = file.VSCode
	}
	x := expander{lookup: lookup}
	var out []Server
	for _, name := range slices.Sorted(maps.Keys(list)) {
		in := list[name]
		if in.Disabled {
			continue
		}
		s, err := in.server(name, &x)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, errors.New(`no MCP server in it: {"mcpServers":{"name":{"command":"...","args":[...]}}}`)
	}
	return out, nil
}

func (in *serverJSON) server(name string, x *expander) (Server, error) {
	s := Server{Name: name, Dir: x.expand(in.Cwd), URL: x.expand(in.URL)}
	switch strings.ToLower(in.Type) {
	case "", "stdio", "http", "streamable-http", "streamablehttp", "streamable_http":
	default:
		return s, fmt.Errorf("server %s: type %q is not spoken here: stdio and http (streamable) are", name, in.Type)
	}
	if in.Command != "" {
		s.Command = []string{x.expand(in.Command)}
		for _, a := range in.Args {
			s.Command = append(s.Command, x.expand(a))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(in.Env)) {
		s.Env = append(s.Env, k+"="+x.expand(in.Env[k]))
	}
	for _, k := range slices.Sorted(maps.Keys(in.Headers)) {
		if s.Headers == nil {
			s.Headers = map[string]string{}
		}
		s.Headers[k] = x.expand(in.Headers[k])
	}
	if x.missing != "" {
		return s, fmt.Errorf("server %s: the variable %s is not set", name, x.missing)
	}
	return s, s.Check()
}

var variableRE = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expander replaces variables and notes the first that is missing.
type expander struct {
	lookup  func(string) (string, bool)
	missing string
}

func (x *expander) expand(s string) string {
	return variableRE.ReplaceAllStringFunc(s, func(ref string) string {
		m := variableRE.FindStringSubmatch(ref)
		if v, ok := x.lookup(m[1]); ok {
			return v
		}
		if m[2] == "" && x.missing == "" {
			x.missing = m[1]
		}
		return m[3]
	})
}
