package distill

import (
	"strings"
	"testing"
)

// TestServers: what is said of MCP servers is understood or refused with its line.
func TestServers(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"servers:\n  - {name: Memory, touches: own}\n  - {name: files, touches: roots}\n  - {name: api, touches: hosts, hosts: [api.example.com, 10.0.0.8]}\n", ""},
		{"servers:\n  - {name: memory, touches: all}\n", "line 2: servers[0].touches: \"all\" is nothing that a server touches: give own, roots, hosts"},
		{"servers:\n  - {name: memory, touches: anything}\n", "give own, roots, hosts"},
		{"servers:\n  - {name: memory}\n", "line 2: servers[0].touches: \"\""},
		{"servers:\n  - {touches: own}\n", "is no name of a server"},
		{"servers:\n  - {name: a__b, touches: own}\n", "is no name of a server"},
		{"servers:\n  - {name: a, touches: own}\n  - {name: A, touches: roots}\n", "line 3: servers[1].name: server a is given twice"},
		{"servers:\n  - {name: a, touches: hosts}\n", "give hosts where touches is hosts"},
		{"servers:\n  - {name: a, touches: own, hosts: [b.example]}\n", "give hosts where touches is hosts"},
		{"servers:\n  - {name: a, touches: hosts, hosts: ['*.example.com']}\n", "is no host, such as api.example.com"},
		{"servers:\n  - {name: a, reaches: own}\n", "line 2: no key \"reaches\""},
	} {
		c, err := ReadConfig([]byte(tt.text))
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.text, err)
		case tt.want == "":
			if k, err := c.Checker(); err != nil || k.Schemas == nil {
				t.Errorf("%s: %v", tt.text, err)
			}
		case err == nil || !strings.Contains(err.Error(), tt.want):
			t.Errorf("%s: %v", tt.text, err)
		}
	}
}
