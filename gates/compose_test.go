package gates

import (
	"encoding/json"
	"testing"
)

// TestComposeOfEarlierCalls: a compose file that the session wrote is run like a makefile,
// unless its services reach the machine.
func TestComposeOfEarlierCalls(t *testing.T) {
	services := func(lines string) string { return "services:\n  web:\n    image: nginx:1.27\n" + lines }
	for _, tt := range []struct {
		name, file, text, run string
		asks                  bool
	}{
		{"plain", "docker-compose.yml", services("    ports: [\"8080:80\"]\n    environment:\n      A: b\n"), "docker compose up -d", false},
		{"a directory of the project", "compose.yaml", services("    volumes:\n      - ./data:/data\n      - cache:/cache\nvolumes:\n  cache: {}\n"), "docker compose up -d", false},
		{"a check of health", "compose.yaml", services("    healthcheck:\n      test: [\"CMD\", \"curl\", \"-f\", \"http://localhost:80/x\"]\n"), "docker compose up -d", false},
		{"all of the machine", "docker-compose.yml", services("    volumes:\n      - /:/host\n"), "docker compose up -d", true},
		{"all of the machine, in one line", "docker-compose.yml", services("    volumes: [\"/:/host\"]\n"), "docker compose up -d", true},
		{"all of the machine, in full", "docker-compose.yml", services("    volumes:\n      - type: bind\n        source: /\n        target: /host\n"), "docker compose run web ls", true},
		{"all of the machine, as braces", "docker-compose.yml", services("    volumes: [{type: bind, source: /, target: /host}]\n"), "docker compose up", true},
		{"a device that is a directory", "docker-compose.yml", services("volumes:\n  v:\n    driver_opts: {type: none, o: bind, device: /home/me}\n"), "docker compose up", true},
		{"keys of a home", "docker-compose.yml", services("    volumes: ['~/.ssh:/k:ro']\n"), "docker compose up", true},
		{"variables of a home", "docker-compose.yml", services("    env_file: ~/.aws/credentials\n"), "docker compose up", true},
		{"a secret of a home", "docker-compose.yml", services("secrets:\n  k:\n    file: /home/me/.ssh/id_rsa\n"), "docker compose up", true},
		{"the socket", "docker-compose.yml", services("    volumes:\n      - /var/run/docker.sock:/var/run/docker.sock\n"), "docker compose up", true},
		{"privileged", "compose.yml", services("    privileged: true\n"), "docker-compose up -d", true},
		{"by another name", "stack.yml", services("    volumes: [\"/:/host\"]\n"), "docker compose -f stack.yml up -d", true},
		{"plain, by another name", "stack.yml", services(""), "docker compose -f stack.yml up -d", false},
		{"what is built from elsewhere", "compose.yml", services("    build: ../../other\n"), "docker compose up --build", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := State{Cwd: "/w/p", Roots: []string{"/w/p"}, Home: "/home/me", UID: 1000, GID: 1000}
			args, err := json.Marshal(map[string]string{"file_path": "/w/p/" + tt.file, "content": tt.text})
			if err != nil {
				t.Fatal(err)
			}
			c := NewContext(Request{Tool: "Write", Args: args}, s)
			s.Flow = c.After()
			c = ShellContext(tt.run, s)
			if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != tt.asks {
				t.Errorf("asks %v %+v", !tt.asks, d.Reasons)
			}
		})
	}
}

// TestStatementsOfEarlierCalls: a file of statements that the session wrote is judged by
// them.
func TestStatementsOfEarlierCalls(t *testing.T) {
	for text, asks := range map[string]bool{"select count(*)\nfrom orders;\n": false, "drop table orders;\n": true, "select 1;\n\\! id\n": true} {
		s := State{Cwd: "/w/p", Roots: []string{"/w/p"}, Home: "/home/me", UID: 1000, GID: 1000}
		args, err := json.Marshal(map[string]string{"file_path": "/w/p/q.sql", "content": text})
		if err != nil {
			t.Fatal(err)
		}
		c := NewContext(Request{Tool: "Write", Args: args}, s)
		s.Flow = c.After()
		c = ShellContext("psql -d app -f q.sql", s)
		if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != asks {
			t.Errorf("%q: asks %v %+v", text, !asks, d.Reasons)
		}
	}
}
