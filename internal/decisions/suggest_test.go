package decisions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/gates"
)

// TestAnswering: the log names the rule that would answer a question, and none that says
// more of the call than a person reads of it.
func TestAnswering(t *testing.T) {
	for line, want := range map[string]string{
		"git push -u origin fix": "allow git push origin *",
		"git push":               "allow git push",
		"curl 'https://docs.example/a/b?key=hunter2'": "allow curl https://docs.example/*",
		"cat ~/notes/a":                                  "allow read ~/notes/**",
		"cat ~/notes/a; git push origin x":               "allow git push origin *|allow read ~/notes/**",
		"touch ~/q/a":                                    "allow write ~/q/*",
		"gh pr create --title hunter2":                   "allow gh pr create",
		"docker compose push":                            "allow docker compose push",
		"frob --token hunter2":                           "",
		"frob hunter2":                                   "",
		"curl https://u:hunter2pw@a.example/x":           "",
		"cat ~/notes/ghp_0a1b2c3d4e5f6g7h8i9j0k1l2m3n/a": "",
		"redis-cli set hunter2 x":                        "",
		"git push --force origin x":                      "",
		"rm -rf /":                                       "",
		"ls":                                             "",
	} {
		c, d := decide(line)
		var e Entry
		e.Decided(c, d, "id", "policy")
		got := slices.Sorted(slices.Values(e.Allow))
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q (%s)", line, got, want, e.Asked)
		}
		if text := string(Line(&e)); strings.Contains(text, "hunter2") || strings.Contains(text, "ghp_") {
			t.Errorf("%s: %s", line, text)
		}
	}
}

// TestManyRules: a line of the log stays short where a call would need many rules.
func TestManyRules(t *testing.T) {
	var line strings.Builder
	for i := range 30 {
		line.WriteString("cat ~/" + strings.Repeat("d", 40+i) + "/a; ")
	}
	c, d := decide(line.String())
	var e Entry
	if e.Decided(c, d, "id", "policy"); e.Allow != nil || len(Line(&e)) > maxLine {
		t.Errorf("%d rules", len(e.Allow))
	}
}

// TestSuggest: a rule is suggested where people agreed often enough and nobody declined
// what it lets pass, by workspace.
func TestSuggest(t *testing.T) {
	var list []Entry
	add := func(in, scope, answer string, allow ...string) {
		call := string(rune('a' + len(list)))
		now := noon.Add(time.Duration(len(list)) * time.Second)
		list = append(list, Entry{Time: now, Host: "h", Session: "s" + in, Call: call, In: in, Verdict: VerdictAsks, Scope: []string{scope}, Allow: allow})
		if answer != "" {
			list = append(list, Entry{Time: now, Host: "h", Session: "s" + in, Call: call, Answer: answer})
		}
	}
	for range 3 {
		add("/a", "push", AnswerYes, "allow git push origin *", "allow read ~/n/**")
		add("/a", "fetch", AnswerYes, "allow fetch a.example")
		add("/a", "nothing", AnswerYes)
		add("/a", "silent", "", "allow fetch silent.example")
		add("/a", "write", AnswerYes, "allow write ~/q/*")
		add("/a", "read", AnswerYes, "allow read ~/m/**")
	}
	add("/a", "fetch", AnswerNo)                      // the same question, which no rule answers
	add("/a", "other", AnswerNo, "allow write ~/q/*") // another question, which the same rule answers
	add("/a", "below", AnswerNo, "allow read ~/m/own/**")
	add("/b", "push", AnswerYes, "allow read ~/n/**")  // another project
	add("/b", "more", AnswerYes, "allow fetch b.test") // once
	add("/c", "push", AnswerNo)                        // of a project that does not count below
	for _, tt := range []struct {
		w    Wanted
		want string
	}{
		{Wanted{Times: 3}, ""},
		{Wanted{Times: 3, In: func(in string) bool { return in == "/a" }}, "allow git push origin * 3, allow read ~/n/** 3"},
		{Wanted{Times: 4, In: func(in string) bool { return in == "/a" }}, ""},
		{Wanted{Times: 1, In: func(in string) bool { return in != "/c" }}, "allow read ~/n/** 4, allow fetch b.test 1, allow git push origin * 3"},
		{Wanted{Times: 1, Places: 2, In: func(in string) bool { return in != "/c" }}, "allow read ~/n/** 4"},
	} {
		var got []string
		for _, s := range Suggest(list, tt.w) {
			got = append(got, s.Rule+" "+string(rune('0'+s.Yes)))
		}
		want := strings.Split(tt.want, ", ")
		slices.Sort(got)
		if slices.Sort(want); strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%+v: %q, want %q", tt.w, got, want)
		}
	}
}

// BenchmarkDecided is what an entry costs beside the decision.
//
//	go test ./internal/decisions -run '^$' -bench Decided
func BenchmarkDecided(b *testing.B) {
	for _, line := range []string{"ls", "git push origin x", "cat ~/notes/a; curl https://a.example/x; git push origin x"} {
		c := gates.ShellContext(line, gates.State{Cwd: "/home/ana/shop", Home: "/home/ana", Roots: []string{"/home/ana/shop"}, UID: -1, GID: -1})
		d := (&gates.Guardrail{}).Decide(&c)
		b.Run(strings.Fields(line)[0], func(b *testing.B) {
			for b.Loop() {
				var e Entry
				e.Decided(&c, &d, "id", "p")
			}
		})
	}
}
