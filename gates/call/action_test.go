package call

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

func TestShellAction(t *testing.T) {
	tests := []struct {
		command, key string
		delta        effect.Delta
	}{
		{"ls -la", "view", effect.DeltaNone},
		{"cd src && ls", "view", effect.DeltaNone},
		{"cat a.txt | head -3", "view", effect.DeltaNone},
		{"ps aux | grep node", "proc", effect.DeltaNone},
		{"cat > a.py <<'EOF'\nimport os\nEOF\n", "edit", effect.DeltaWrite},
		{"echo hi 2>/dev/null", "noop", effect.DeltaNone},
		{"sed -n 1,3p a.go", "text", effect.DeltaNone},
		{"sed -i s/a/b/ a.go", "edit", effect.DeltaWrite},
		{"ls -l && chmod +x run.sh && ./run.sh", "run", effect.DeltaRun},
		{"sudo -n timeout 5s python3 x.py", "run", effect.DeltaRun},
		{"python -m pytest -q", "test", effect.DeltaRun},
		{"bash -lc 'go test ./...'", "test", effect.DeltaRun},
		{"git diff --stat", "review", effect.DeltaNone},
		{"git commit -m x", "vcs", effect.DeltaWrite},
		{"git push origin main", "remote", effect.DeltaSend},
		{"find . -name '*.o' -delete", "delete", effect.DeltaDelete},
		{"curl -s https://example.org", "net", effect.DeltaNavigate},
		{"curl -d @a https://example.org", "remote", effect.DeltaSend},
		{"rm -rf build; ls", "delete", effect.DeltaDelete},
		{"grep -r x . |", "search", effect.DeltaUnknown}, // does not parse: the rest is unknown
		{"frobnicate --all", "run", effect.DeltaRun},     // what no table has gives no name
		{"ghp_0123456789abcdefghij; ls", "run", effect.DeltaRun},
		{"[ -f x ]", "noop", effect.DeltaNone},
		{"7z x a.7z", "archive", effect.DeltaWrite}, // a name may begin with a digit, a number is none
		{"123 4", "noop", effect.DeltaNone},
		{"'ls' -la", "view", effect.DeltaNone},
		{`"ls" -la`, "view", effect.DeltaNone},
		{"tee out.txt", "edit", effect.DeltaWrite},
		{"tee /dev/null", "text", effect.DeltaNone},
		{"", "noop", effect.DeltaNone},
	}
	for _, tt := range tests {
		if got := shellAction(shell.Parse(tt.command)); got.Key != tt.key || got.Delta != tt.delta {
			t.Errorf("%q = %s %s, want %s %s", tt.command, got.Key, got.Delta, tt.key, tt.delta)
		}
	}
}

func TestActionOf(t *testing.T) {
	tests := []struct {
		tool, args, key string
		delta           effect.Delta
	}{
		{"execute_bash", `{"command":"ls"}`, "view", effect.DeltaNone},
		{"str_replace_editor", `{"command":"view","path":"/a"}`, "view", effect.DeltaNone},
		{"str_replace_editor", `{"path":"/a","command":"create","file_text":"x"}`, "edit", effect.DeltaWrite},
		{"Read", `{"file_path":"/a"}`, "view", effect.DeltaNone},
		{"Grep", `{"pattern":"x"}`, "search", effect.DeltaNone},
		{"get_price_for_restaurants", `{}`, "read:restaurant", effect.DeltaNone},
		{"get_rating_reviews_for_hotels", `{}`, "read:hotel", effect.DeltaNone},
		{"search_direct_flight", `{}`, "read:flight", effect.DeltaNone},
		{"send_email", `{}`, "send:email", effect.DeltaSend},
		{"gmail_send", `{}`, "send:gmail", effect.DeltaSend},
		{"the_gmail_send", `{}`, "send:gmail", effect.DeltaSend},
		{"read_thing", `{}`, "read:thing", effect.DeltaNone},
		{"robot", `{"input":"Open the drawer"}`, "open", effect.DeltaWrite}, // what it is told says it
		{"robot", `{"action":"search the room"}`, "read", effect.DeltaNone},
		{"robot", `{"instruction":"xyzzy it"}`, "robot", effect.DeltaUnknown},
		{"GmailSendEmail", `{}`, "send:email", effect.DeltaSend},
		{"mcp__shop__cancel_order", `{}`, "cancel:order", effect.DeltaDelete},
		{"sql", `{"query":"  (SELECT 1)"}`, "sql:select", effect.DeltaNone},
		{"sql", `{"query":"DROP TABLE t"}`, "sql:delete", effect.DeltaDelete},
		{"zorp", `{}`, "zorp", effect.DeltaUnknown},
		{"list_files", `{}`, "view", effect.DeltaNone},
		{"list_files", "{ \n}", "view", effect.DeltaNone},
		{"run", `{"command":"y","is_input":true}`, "input", effect.DeltaRun},
		{"run", `{ "command" : "y" , "is_input" : "true" }`, "input", effect.DeltaRun},
		{"run", `{"command":"ls","is_input" :false}`, "view", effect.DeltaNone},
	}
	for _, tt := range tests {
		if got := ActionOf(tt.tool, tt.args); got.Key != tt.key || got.Delta != tt.delta {
			t.Errorf("ActionOf(%q, %s) = %s %s, want %s %s", tt.tool, tt.args, got.Key, got.Delta, tt.key, tt.delta)
		}
	}
}

// TestWordListsAreSorted: what is out of its place is not found.
func TestWordListsAreSorted(t *testing.T) {
	names := func(list []programEntry) (names []string) {
		for _, p := range list {
			names = append(names, p.name)
		}
		return names
	}
	for list, words := range map[string][]string{"others": names(others[:]), "fillers": strings.Fields(fillers), "runOptions": strings.Fields(runOptions)} {
		if len(words) < 15 {
			t.Errorf("%s: only %d words", list, len(words))
		}
		for i := 1; i < len(words); i++ {
			if words[i] <= words[i-1] {
				t.Errorf("%s: %q stands behind %q", list, words[i], words[i-1])
			}
		}
	}
}

// TestProgramsHaveActionWords: a word that is none would be an action that runs
// something and is shared with nobody.
func TestProgramsHaveActionWords(t *testing.T) {
	all := slices.Clone(others[:])
	for line := range strings.Lines(strings.TrimPrefix(programs, "\n")) {
		words := strings.Fields(line)
		for _, name := range words[1:] {
			all = append(all, programEntry{name, words[0]})
			if key, ok := known(name); !ok || key != words[0] {
				t.Errorf("%s: known as %q, not as %q", name, key, words[0])
			}
		}
	}
	if len(all) < 1000 {
		t.Errorf("only %d programs", len(all))
	}
	for _, p := range all {
		if rankOf(p.key) == len(shellWords) {
			t.Errorf("%s: %q is no word of shellWords", p.name, p.key)
		}
	}
	for _, p := range all {
		if actionNamed(p.key).Key != p.key {
			t.Errorf("%s: no table has the action %s", p.name, p.key)
		}
	}
}

func TestTextField(t *testing.T) {
	tests := []struct{ args, key, want string }{
		{`{"a":"x","b":"y"}`, "b", "y"},
		{`{"a":{"b":"no"},"b":"yes"}`, "b", "yes"},
		{`{"a":[1,{"b":"no"}],"b":"y\n"}`, "b", "y\n"},
		{`{"a":"quo\"te,","b":"y"}`, "b", "y"},
		{`{ "a" : 1 , "b" : "y" }`, "b", "y"},
		{`{"b":1}`, "b", ""},
		{`{"b":"cut`, "b", ""},
		{``, "b", ""},
		{`[1,2]`, "b", ""},
	}
	for _, tt := range tests {
		if got, ok := textField(tt.args, tt.key); got != tt.want || ok != (tt.want != "") {
			t.Errorf("textField(%s, %q) = %q, %v", tt.args, tt.key, got, ok)
		}
	}
}

func FuzzActionOf(f *testing.F) {
	f.Add("bash", `{"command":"ls | wc"}`)
	f.Add("edit", `{"command":"view"`)
	f.Add("sql", `{"query":"select"}`)
	f.Fuzz(func(t *testing.T, tool, args string) {
		if a := ActionOf(tool, args); a.Delta >= effect.NumDeltas || a != ActionOf(tool, args) {
			t.Errorf("ActionOf(%q, %q) = %v", tool, args, a)
		}
	})
}
