package gates

import "testing"

// TestThroughLinks: what follows links reads what the session made them lead to.
func TestThroughLinks(t *testing.T) {
	const link, inner = "ln -s ~/Documents /tmp/mine/d", "ln -s ../a /tmp/mine/b/l"
	for _, tt := range []struct {
		steps []string
		asks  bool
	}{
		{[]string{link, "cp -rL /tmp/mine out"}, true},
		{[]string{link, "cp --dereference -r /tmp out"}, true},
		{[]string{link, "tar chf x.tar /tmp/mine"}, true},
		{[]string{link, "tar -c --dereference -f x.tar /tmp/mine"}, true},
		{[]string{link, "rsync -aL /tmp/mine/ out"}, true},
		{[]string{link, "grep -R k /tmp/mine"}, true},
		{[]string{link, "rg --follow k /tmp/mine"}, true},
		{[]string{link, "zip -r x.zip /tmp/mine"}, true},
		{[]string{link, "diff -r /tmp/mine src"}, true},
		{[]string{link, "cat /tmp/mine/*/tax.txt"}, true},
		{[]string{"ln -s ~/.ssh k", "cp -rL . /tmp/mine2"}, true},
		{[]string{link, "cp -r /tmp/mine out"}, false},
		{[]string{link, "tar cf x.tar /tmp/mine"}, false},
		{[]string{link, "rsync -a /tmp/mine/ out"}, false},
		{[]string{link, "grep -r k /tmp/mine"}, false},
		{[]string{link, "zip -ry x.zip /tmp/mine"}, false},
		{[]string{link, "cp -rL /tmp/other out"}, false},
		{[]string{link, "cp -rL src out"}, false},
		{[]string{inner, "cp -rL /tmp/mine/b out"}, false},
		{[]string{"ln -s src s2", "cp -rL . /tmp/mine2"}, false},
		{[]string{"cp -rL /tmp/mine out"}, false},
	} {
		c, d := turnedChain(t, tt.steps, &Checker{})
		if (d.Disposition != Approved) != tt.asks {
			t.Errorf("%q: %v %+v %+v", tt.steps, d.Disposition, d.Reasons, c.Effects)
		}
	}
}

// TestWroteTree: pointers of work trees that the session wrote are told, whatever wrote
// them, and those of git worktree add are git's.
func TestWroteTree(t *testing.T) {
	own, tree := "/home/d/src/w/.git/worktrees/x", "/home/d/Documents/.git"
	for step, want := range map[string]bool{
		"echo /home/d/Documents/.git > .git/worktrees/x/gitdir": true,
		"cp -r /tmp/forged/. .git/":                             true,
		"/home/d/Documents/.git <- gitdir: x":                   true,
		"mv /tmp/g ~/Documents/.git":                            true,
		"mkdir -p .git/worktrees/x":                             true,
		"git worktree add ../x":                                 false,
		"echo x > .git/worktrees/y/gitdir":                      false,
		"echo x > gitdir.txt":                                   false,
	} {
		c := turnedStep(t, step, turnedState())
		flow := c.After()
		if got := flow.WroteTree(own, tree); got != want {
			t.Errorf("%s: %v %q", step, got, flow.Turned)
		}
	}
}
