package action

import (
	"sort"
	"testing"
)

func TestShell(t *testing.T) {
	tests := []struct {
		command, key string
		delta        Delta
	}{
		{"ls -la", "view", DeltaNone},
		{"cd src && ls", "view", DeltaNone},
		{"cat a.txt | head -3", "view", DeltaNone},
		{"ps aux | grep node", "proc", DeltaNone},
		{"cat > a.py <<'EOF'\nimport os\nEOF\n", "edit", DeltaWrite},
		{"echo hi 2>/dev/null", "noop", DeltaNone},
		{"sed -n 1,3p a.go", "text", DeltaNone},
		{"sed -i s/a/b/ a.go", "edit", DeltaWrite},
		{"ls -l && chmod +x run.sh && ./run.sh", "run", DeltaRun},
		{"sudo -n timeout 5s python3 x.py", "run", DeltaRun},
		{"python -m pytest -q", "test", DeltaRun},
		{"bash -lc 'go test ./...'", "test", DeltaRun},
		{"git diff --stat", "review", DeltaNone},
		{"git commit -m x", "vcs", DeltaWrite},
		{"git push origin main", "remote", DeltaSend},
		{"find . -name '*.o' -delete", "delete", DeltaDelete},
		{"curl -s https://example.org", "net", DeltaNavigate},
		{"curl -d @a https://example.org", "remote", DeltaSend},
		{"rm -rf build; ls", "delete", DeltaDelete},
		{"grep -r x . |", "search", DeltaUnknown}, // does not parse: the rest is unknown
		{"frobnicate --all", "frobnicate", DeltaRun},
		{"[ -f x ]", "noop", DeltaNone},
		{"7z x a.7z", "archive", DeltaWrite}, // a name may begin with a digit, a number is none
		{"123 4", "noop", DeltaNone},
		{"'ls' -la", "view", DeltaNone},
		{`"ls" -la`, "view", DeltaNone},
		{"tee out.txt", "edit", DeltaWrite},
		{"tee /dev/null", "text", DeltaNone},
		{"", "noop", DeltaNone},
	}
	for _, tt := range tests {
		if got := Shell(tt.command); got.Key != tt.key || got.Delta != tt.delta {
			t.Errorf("Shell(%q) = %s %s, want %s %s", tt.command, got.Key, got.Delta, tt.key, tt.delta)
		}
	}
}

func TestOf(t *testing.T) {
	tests := []struct {
		tool, args, key string
		delta           Delta
	}{
		{"execute_bash", `{"command":"ls"}`, "view", DeltaNone},
		{"str_replace_editor", `{"command":"view","path":"/a"}`, "view", DeltaNone},
		{"str_replace_editor", `{"path":"/a","command":"create","file_text":"x"}`, "edit", DeltaWrite},
		{"Read", `{"file_path":"/a"}`, "view", DeltaNone},
		{"Grep", `{"pattern":"x"}`, "search", DeltaNone},
		{"get_price_for_restaurants", `{}`, "read:restaurant", DeltaNone},
		{"get_rating_reviews_for_hotels", `{}`, "read:hotel", DeltaNone},
		{"search_direct_flight", `{}`, "read:flight", DeltaNone},
		{"send_email", `{}`, "send:email", DeltaSend},
		{"gmail_send", `{}`, "send:gmail", DeltaSend},
		{"the_gmail_send", `{}`, "send:gmail", DeltaSend},
		{"read_thing", `{}`, "read:thing", DeltaNone},
		{"robot", `{"input":"Open the drawer"}`, "open", DeltaWrite}, // what it is told says it
		{"robot", `{"action":"search the room"}`, "read", DeltaNone},
		{"robot", `{"instruction":"xyzzy it"}`, "robot", DeltaUnknown},
		{"GmailSendEmail", `{}`, "send:email", DeltaSend},
		{"mcp__shop__cancel_order", `{}`, "cancel:order", DeltaDelete},
		{"sql", `{"query":"  (SELECT 1)"}`, "sql:select", DeltaNone},
		{"sql", `{"query":"DROP TABLE t"}`, "sql:delete", DeltaDelete},
		{"zorp", `{}`, "zorp", DeltaUnknown},
		{"list_files", `{}`, "view", DeltaNone},
		{"list_files", "{ \n}", "view", DeltaNone},
		{"run", `{"command":"y","is_input":true}`, "input", DeltaRun},
		{"run", `{ "command" : "y" , "is_input" : "true" }`, "input", DeltaRun},
		{"run", `{"command":"ls","is_input" :false}`, "view", DeltaNone},
	}
	for _, tt := range tests {
		if got := Of(tt.tool, tt.args); got.Key != tt.key || got.Delta != tt.delta {
			t.Errorf("Of(%q, %s) = %s %s, want %s %s", tt.tool, tt.args, got.Key, got.Delta, tt.key, tt.delta)
		}
	}
}

func TestTablesAreSorted(t *testing.T) {
	if !sort.SliceIsSorted(programs[:], func(i, j int) bool { return programs[i].name < programs[j].name }) {
		t.Error("programs are out of order")
	}
	if !sort.StringsAreSorted(fillers[:]) {
		t.Error("fillers are out of order")
	}
	if len(programs) < 200 {
		t.Errorf("only %d programs", len(programs))
	}
}

func TestField(t *testing.T) {
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
		if got, ok := field(tt.args, tt.key); got != tt.want || ok != (tt.want != "") {
			t.Errorf("field(%s, %q) = %q, %v", tt.args, tt.key, got, ok)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("bash", `{"command":"ls | wc"}`)
	f.Add("edit", `{"command":"view"`)
	f.Add("sql", `{"query":"select"}`)
	f.Fuzz(func(t *testing.T, tool, args string) {
		if a := Of(tool, args); a.Delta >= NumDeltas || a != Of(tool, args) {
			t.Errorf("Of(%q, %q) = %v", tool, args, a)
		}
	})
}
