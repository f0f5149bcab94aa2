package traverse

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestConstraints: what a task's words forbid is stopped by what calls do, whatever they
// are called, and the rest goes on.
func TestConstraints(t *testing.T) {
	p := repair().open(t)
	w := Env{Cwd: "/w", Roots: []string{"/w"}, UID: 1000, GID: 1000}
	for _, tt := range []struct {
		words, call string
		want        gates.Disposition
	}{
		{"Do not delete anything.", "ls", gates.Approved},
		{"Do not delete notes.md.", "rm -r /w", gates.Rejected},
		{"Only read.", "sed -i s/a/b/ a.py", gates.Rejected},
		{"Only read.", "grep -r x .", gates.Approved},
		{"Do not touch notes.md.", "sed -i s/a/b/ notes.md", gates.Rejected},
		{"Do not touch notes.md.", "sed -i s/a/b/ a.py", gates.Approved},
		{"Do not touch notes.md.", "sed -i s/a/b/ *.py", gates.Approved},
		{"Do not touch notes.md.", "sed -i s/a/b/ n*.md", gates.Rejected},
		{"Do not touch notes.md.", "sed -i s/a/b/ $(cat list)", gates.ApprovedWithConstraints},
		{"Only change src/a.py.", "sed -i s/a/b/ src/a.py", gates.Approved},
		{"Only change src/a.py.", "sed -i s/a/b/ src/b.py", gates.Rejected},
		{"Do not commit.", "git commit -m x", gates.Rejected},
		{"Do not commit.", "git status", gates.Approved},
		{"Ask before committing.", "git commit -m x", gates.ApprovedWithConstraints},
		{"Work without the network.", "curl https://example.org/x", gates.Rejected},
		{"Do not install anything.", "pip install requests", gates.Rejected},
	} {
		rules, unread := Constraints(tt.words)
		if len(rules) == 0 || len(unread) > 0 {
			t.Fatalf("%s: %v %v", tt.words, rules, unread)
		}
		free := p.Start(Task{ID: "c", Text: fixTask}, w).Check(shell(tt.call))
		s := p.Start(Task{ID: "c", Text: fixTask, Constraints: rules}, w)
		a := s.Check(shell(tt.call))
		if want := min(tt.want, free.Disposition); a.Disposition != want {
			t.Errorf("%s: %s is %s %v, want %s", tt.words, tt.call, a.Disposition, a.Reasons, want)
		}
		if a.Disposition > free.Disposition {
			t.Errorf("%s: %s was loosened", tt.words, tt.call)
		}
		if a.Disposition < free.Disposition && !strings.HasPrefix(a.Reasons[0].Rule, "task/") {
			t.Errorf("%s: %s: reasons %v", tt.words, tt.call, a.Reasons)
		}
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := p.Resume(data); err != nil || len(again.Task().Constraints) != len(rules) {
			t.Errorf("%s: %v", tt.words, err)
		}
	}
	pay := Call{Tool: "send_money", Args: []byte(`{"recipient":"x","amount":51}`)}
	rules, _ := Constraints("Pay at most 50 euros.")
	if a := p.Start(Task{ID: "c", Text: fixTask, Constraints: rules}, w).Check(pay); a.Disposition != gates.Rejected || a.Reasons[0].Rule != "task/spend" {
		t.Errorf("51 of at most 50: %s %v", a.Disposition, a.Reasons)
	}
	pay.Args = []byte(`{"recipient":"x","amount":50}`)
	if a := p.Start(Task{ID: "c", Text: fixTask, Constraints: rules}, w).Check(pay); strings.Contains(a.Reasons[0].Rule, "task/") {
		t.Errorf("50 of at most 50: %v", a.Reasons)
	}
	unknown := []Constraint{{Does: "nothing that is known", Text: "x"}}
	if a := p.Start(Task{ID: "c", Text: fixTask, Constraints: unknown}, w).Check(shell("ls")); a.Allowed() {
		t.Error("a rule of an unknown kind lets a call pass")
	}
}

// TestConstraintsTighten: no rule of any form, sound or not, lets a call pass that passes
// less without it. A model may have proposed it (By).
func TestConstraintsTighten(t *testing.T) {
	p := repair().open(t)
	w := Env{Cwd: "/w", Roots: []string{"/w"}, UID: 1000, GID: 1000}
	calls := []Call{
		shell("ls"), shell("cat notes.md"), shell("sed -i s/a/b/ notes.md"), shell("rm notes.md"), shell("rm -rf /"), shell("git push --force"), shell("git commit -m x"),
		shell("curl https://example.org/x"), shell("pip install x"), shell("cat ~/.ssh/id_rsa"), shell("eval $(cat list)"), shell("sudo true"),
		{Tool: "send_money", Args: []byte(`{"recipient":"x","amount":51}`)}, {Tool: "send_money", Args: []byte(`{"recipient":"x","amount":"all"}`)},
	}
	bit := func(n, i int) bool { return n>>i&1 == 1 }
	tightened := 0
	for i := range calls {
		free := p.Start(Task{ID: "c", Text: fixTask}, w).Check(calls[i])
		for _, does := range []string{"delete", "change", "send", "network", "install", "push", "commit", "run", "spend", "allow", ""} {
			for n := range 1 << 4 {
				r := Constraint{Does: does, Asks: bit(n, 0), Only: bit(n, 1), Text: "x", By: "m"}
				if bit(n, 2) {
					r.Path = "notes.md"
				}
				if bit(n, 3) {
					r.Most = "1000000"
				}
				a := p.Start(Task{ID: "c", Text: fixTask, Constraints: []Constraint{r}}, w).Check(calls[i])
				if a.Disposition > free.Disposition || a.Would > free.Would {
					t.Errorf("%s with %+v: %s, without %s", calls[i].Args, r, a.Disposition, free.Disposition)
				}
				if a.Disposition < free.Disposition {
					tightened++
					if !strings.Contains(a.Reasons[0].Message, "is what the model m says") {
						t.Errorf("%s with %+v: %v", calls[i].Args, r, a.Reasons)
					}
				}
				// Beside a rule of the task's own, as well.
				own := Constraint{Does: "spend", Most: "50", Text: "At most 50 euros"}
				alone, both := p.Start(Task{ID: "c", Text: fixTask, Constraints: []Constraint{own}}, w).Check(calls[i]), p.Start(Task{ID: "c", Text: fixTask, Constraints: []Constraint{own, r}}, w).Check(calls[i])
				if both.Disposition > alone.Disposition {
					t.Errorf("%s with %+v beside %+v: %s, without %s", calls[i].Args, r, own, both.Disposition, alone.Disposition)
				}
			}
		}
	}
	if tightened < 200 {
		t.Errorf("%d of the rules did anything", tightened)
	}
}
