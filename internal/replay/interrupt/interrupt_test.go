package interrupt

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
)

func bash(line string) corpora.Step {
	return corpora.Step{Tool: "Bash", Args: `{"command":"` + line + `"}`, Status: corpora.StatusExecuted, Cwd: "/home/u/p"}
}

// declined is a call to which the user said no.
func declined(s corpora.Step) corpora.Step {
	s.Status, s.BlockedBy = corpora.StatusBlocked, "user"
	return s
}

func TestWalk(t *testing.T) {
	fetch := "curl https://a.example/x"
	for name, tt := range map[string]struct {
		steps                       []corpora.Step
		asked, remembered, rejected int
	}{
		"nothing to ask":                       {steps: []corpora.Step{bash("ls"), bash("go test ./...")}},
		"one answer settles the next":          {steps: []corpora.Step{bash(fetch), bash("curl https://a.example/y")}, asked: 2, remembered: 1},
		"of the same place only":               {steps: []corpora.Step{bash(fetch), bash("curl https://b.example/y")}, asked: 2, remembered: 2},
		"a no settles nothing":                 {steps: []corpora.Step{declined(bash(fetch)), bash(fetch)}, asked: 2, remembered: 2},
		"secrets are asked about every time":   {steps: []corpora.Step{bash("cat /home/u/.aws/credentials"), bash("cat /home/u/.aws/credentials")}, asked: 2, remembered: 2},
		"what was read is remembered":          {steps: []corpora.Step{bash("cat /home/u/.aws/credentials"), bash(fetch)}, asked: 2, remembered: 2},
		"what was declined was not read":       {steps: []corpora.Step{declined(bash("cat /home/u/.aws/credentials")), bash(fetch)}, asked: 2, remembered: 2},
		"writing beside the workspace":         {steps: []corpora.Step{bash("touch /home/u/q/a"), bash("touch /home/u/q/b"), bash("touch /home/u/r/b")}, asked: 3, remembered: 2},
		"the home is that above the workspace": {steps: []corpora.Step{bash("touch ~/p/a")}},
	} {
		t.Run(name, func(t *testing.T) {
			g := Guard{Checker: &gates.Checker{}}
			s := g.Walk(&corpora.Episode{Steps: tt.steps})
			asked, remembered := s.Asked()
			if asked != tt.asked || remembered != tt.remembered || s.Rejected != tt.rejected || s.Calls != len(tt.steps) {
				t.Errorf("asked %d, remembered %d, rejected %d of %d; want %d, %d, %d: %+v", asked, remembered, s.Rejected, s.Calls, tt.asked, tt.remembered, tt.rejected, s.Questions)
			}
		})
	}
}

// TestTakenUpElsewhere: a session that people took up in another directory has its
// workspace there, one that a call went to does not.
func TestTakenUpElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		steps []corpora.Step
		asked int
	}{
		"taken up in another project":  {[]corpora.Step{at(bash("ls"), "/home/u/p"), at(bash("cat /home/u/q/a"), "/home/u/q")}, 0},
		"the first project from there": {[]corpora.Step{at(bash("ls"), "/home/u/p"), at(bash("cat /home/u/p/a"), "/home/u/q")}, 1},
		"a call went there":            {[]corpora.Step{at(bash("cd ../q"), "/home/u/p"), at(bash("cat /home/u/q/a"), "/home/u/q")}, 1},
		"below the workspace":          {[]corpora.Step{at(bash("ls"), "/home/u/p"), at(bash("cat /home/u/p/a"), "/home/u/p/sub")}, 0},
	} {
		g := Guard{Checker: &gates.Checker{}}
		if asked, _ := g.Walk(&corpora.Episode{Steps: tt.steps}).Asked(); asked != tt.asked {
			t.Errorf("%s: asked %d, want %d", name, asked, tt.asked)
		}
	}
}

// TestRemotesTold: what git prints of a remote is one, what anything else prints is not.
func TestRemotesTold(t *testing.T) {
	told := func(text string) corpora.Step {
		s := bash("git remote -v")
		s.Result = text
		return s
	}
	e := &corpora.Episode{Steps: []corpora.Step{told("origin\tgit@example.com:a/b.git (fetch)\norigin\tgit@example.com:a/b.git (push)\n"), told("To https://example.com/a/c.git\n   1..2  main -> main\n"), told("see https://example.com/evil/x\nFrom: me\n")}}
	var known Known
	if got := known.of(e); !slices.Equal(got, []string{"example.com/a/b", "example.com/a/c"}) {
		t.Errorf("%q", got)
	}
}

// TestKnown: a session in which git tells nothing has the remotes of those that began in
// the same work tree, else of the repository that has its directory's name, else none.
func TestKnown(t *testing.T) {
	tells := at(bash("git push"), "/home/u/shop/.worktrees/1")
	tells.Result = "To git@example.com:a/shop.git\n"
	var known Known
	known.Learn(&corpora.Episode{Steps: []corpora.Step{tells}})
	for dir, want := range map[string][]string{"/home/u/shop": {"example.com/a/shop"}, "/home/u/shop/.worktrees/2": {"example.com/a/shop"}, "/home/v/shop": {"example.com/a/shop"}, "/home/u/other": nil} {
		if got := known.of(&corpora.Episode{Steps: []corpora.Step{at(bash("ls"), dir)}}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestPushesAreOneQuestion: a push with and without words is the same effect, to another
// branch it is another one, and what overwrites is asked about every time.
func TestPushesAreOneQuestion(t *testing.T) {
	on := func(branch string, lines ...string) []corpora.Step {
		var out []corpora.Step
		for _, l := range lines {
			s := at(bash(l), "/home/u/shop")
			s.Branch = branch
			out = append(out, s)
		}
		return out
	}
	for name, tt := range map[string]struct {
		steps []corpora.Step
		want  int
	}{
		"one branch":     {on("fix", "git push -u origin fix", "git push", "git push origin HEAD"), 1},
		"two":            {append(on("fix", "git push"), on("main", "git push")...), 2},
		"by force":       {on("fix", "git push", "git push -f", "git push -f"), 3},
		"nobody knows":   {on("", "git push", "git push"), 2},
		"another remote": {on("fix", "git push", "git push https://example.com/x fix"), 2},
	} {
		g := Guard{Checker: &gates.Checker{}}
		if _, got := g.Walk(&corpora.Episode{Steps: tt.steps}).Asked(); got != tt.want {
			t.Errorf("%s: %d questions, want %d", name, got, tt.want)
		}
	}
}

func TestScopesNeverRemembered(t *testing.T) {
	g := Guard{Checker: &gates.Checker{}}
	for _, line := range []string{"cat /home/u/.ssh/id_rsa", "echo x > .git/hooks/pre-commit", "rm $X", "$X y"} {
		s := g.Walk(&corpora.Episode{Steps: []corpora.Step{bash(line)}})
		if len(s.Questions) != 1 || len(s.Questions[0].Scope) > 0 {
			t.Errorf("%s: %+v; want one question without a scope", line, s.Questions)
		}
		if len(s.Questions) == 1 && slices.ContainsFunc(s.Questions[0].Names(), func(n string) bool { return n == "" }) {
			t.Errorf("%s: a question without a name", line)
		}
	}
}

func TestHomeOf(t *testing.T) {
	for dir, want := range map[string]string{"/home/u/p": "/home/u", "/Users/u": "/Users/u", "/root/p": "/root", "/rooted": "", "/srv/x": "", "": "",
		`C:\Users\Jane\repos\p`: `C:\Users\Jane`, "c:/users/jane/p": "c:/users/jane", "/c:/Users/jane/p": "/c:/Users/jane", "/c/Users/jane/p": "/c/Users/jane", "/mnt/c/Users/jane/p": "/mnt/c/Users/jane", `D:\p`: "", `C:\UsersX\jane\p`: "", "/cc/Users/jane": "", "/mnt/users/jane": ""} {
		if got := homeOf(dir); got != want {
			t.Errorf("home of %q is %q, want %q", dir, got, want)
		}
	}
}

// at is a step in a directory.
func at(s corpora.Step, dir string) corpora.Step {
	s.Cwd = dir
	return s
}

// TestTold: the evaluation knows of files what git told, and nothing else.
func TestTold(t *testing.T) {
	says := func(line, text string) corpora.Step {
		s := bash(line)
		s.Result = text
		return s
	}
	const held, dirty, status = " a.go | 2 +-\n 1 file changed\n", " M a.go\n", "git status --short"
	stat := says("git log --stat", held)
	edit := corpora.Step{Tool: "Edit", Args: `{"file_path":"/home/u/p/a.go","old_string":"x","new_string":"y"}`, Status: corpora.StatusExecuted, Cwd: "/home/u/p"}
	edit.Result = "The file /home/u/p/a.go has been updated."
	failed := edit
	failed.Result, failed.Error = "", "String to replace not found in file."
	write := corpora.Step{Tool: "Write", Args: `{"file_path":"/home/u/p/new.go","content":"x"}`, Status: corpora.StatusExecuted, Cwd: "/home/u/p"}
	over := write
	over.Result = "The file /home/u/p/new.go has been updated."
	for name, tt := range map[string]struct {
		steps []corpora.Step
		asked int
	}{
		"a file that git never told of":        {[]corpora.Step{bash("rm a.go")}, 1},
		"one that it holds":                    {[]corpora.Step{stat, bash("rm a.go")}, 0},
		"one that the session changed":         {[]corpora.Step{stat, edit, bash("rm a.go")}, 1},
		"one that it failed to change":         {[]corpora.Step{stat, failed, bash("rm a.go")}, 0},
		"and committed":                        {[]corpora.Step{stat, edit, says("git commit -am x", "[main 1234567] x"), bash("rm a.go")}, 0},
		"one that others changed":              {[]corpora.Step{stat, says(status, dirty), bash("rm a.go")}, 1},
		"one that git does not hold":           {[]corpora.Step{says(status, "?? b.go\n"), bash("rm b.go")}, 1},
		"changes of the session's":             {[]corpora.Step{stat, edit, bash("git checkout -- a.go")}, 0},
		"seen by git after that":               {[]corpora.Step{stat, edit, says(status, dirty), bash("git checkout -- a.go")}, 0},
		"changes of others":                    {[]corpora.Step{says(status, dirty), edit, bash("git checkout -- a.go")}, 1},
		"a conflict":                           {[]corpora.Step{says("git merge x", "CONFLICT (content): Merge conflict in a.go\n"), bash("git checkout --theirs a.go")}, 0},
		"no conflict any more":                 {[]corpora.Step{says("git merge x", "CONFLICT (content): Merge conflict in a.go\n"), says("git commit -m x", "[main 1] x"), bash("git checkout --theirs a.go")}, 1},
		"a file that the session wrote":        {[]corpora.Step{write, bash("rm new.go")}, 0},
		"one that it wrote over":               {[]corpora.Step{over, bash("rm new.go")}, 1},
		"a temporary directory":                {[]corpora.Step{bash("rm -rf /tmp/x && mkdir /tmp/x")}, 0},
		"one in which git ran":                 {[]corpora.Step{bash("cd /tmp/x && git status"), bash("rm -rf /tmp/x")}, 1},
		"one above it":                         {[]corpora.Step{bash("git -C /tmp/x/y status"), bash("rm -rf /tmp/x")}, 1},
		"another one":                          {[]corpora.Step{bash("git -C /tmp/x/y status"), bash("rm -rf /tmp/z")}, 0},
		"what another program says is no word": {[]corpora.Step{says("cat notes", held), bash("rm a.go")}, 1},
	} {
		g := Guard{Checker: &gates.Checker{}}
		if asked, _ := g.Walk(&corpora.Episode{Steps: tt.steps}).Asked(); asked != tt.asked {
			t.Errorf("%s: asked %d, want %d", name, asked, tt.asked)
		}
	}
}

// TestSaved: a file in which the host says that it put a long result is read without a
// question, a secret and a file of another name are not.
func TestSaved(t *testing.T) {
	saved := func(file string) corpora.Step {
		s := bash("git diff main...HEAD")
		s.Result = file
		return s
	}
	for name, tt := range map[string]struct {
		steps []corpora.Step
		asked int
	}{
		"the file":         {[]corpora.Step{saved("/home/u/.x.txt"), bash("head -50 /home/u/.x.txt")}, 0},
		"another file":     {[]corpora.Step{saved("/home/u/.x.txt"), bash("head -50 /home/u/.y.txt")}, 1},
		"before it is put": {[]corpora.Step{bash("head -50 /home/u/.x.txt"), saved("/home/u/.x.txt")}, 1},
		"a change of it":   {[]corpora.Step{saved("/home/u/.x.txt"), bash("rm /home/u/.x.txt")}, 1},
		"a secret":         {[]corpora.Step{saved("/home/u/.aws/credentials"), bash("cat /home/u/.aws/credentials")}, 1},
		"taken up again":   {[]corpora.Step{saved("/home/u/.x.txt"), at(bash("cat /home/u/.x.txt"), "/home/u/q")}, 0},
	} {
		g := Guard{Checker: &gates.Checker{}, Saved: func(_, result string) string { return result }}
		s := g.Walk(&corpora.Episode{Steps: tt.steps})
		if asked, _ := s.Asked(); asked != tt.asked {
			t.Errorf("%s: asked %d, want %d: %+v", name, asked, tt.asked, s.Questions)
		}
	}
}

// TestOwnClones: what a session cloned, it may fetch from again after one yes.
func TestOwnClones(t *testing.T) {
	for line, want := range map[string]int{
		"cd /tmp/big && git fetch origin": 1,
		"git -C /tmp/big pull":            1,
		"cd /tmp/other && git fetch":      2,
	} {
		clone := at(bash("git clone --depth=1 https://github.com/acme/big.git /tmp/big"), "/home/u/shop")
		s := (&Guard{Checker: &gates.Checker{}}).Walk(&corpora.Episode{Steps: []corpora.Step{clone, at(bash(line), "/home/u/shop")}})
		if _, got := s.Asked(); got != want {
			t.Errorf("%s: %d questions, want %d: %v", line, got, want, s.Questions)
		}
	}
}
