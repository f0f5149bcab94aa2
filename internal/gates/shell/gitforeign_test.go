package shell

import "testing"

// TestGitConfigStarts: only what is known passes, in the one form that is read as git reads it.
func TestGitConfigStarts(t *testing.T) {
	for text, known := range map[string]bool{
		"": true,
		"[core]\n\trepositoryformatversion = 1\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tpromisor = true\n\tpartialclonefilter = blob:none\n": true,
		"# a\n; b\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = a\n":                                                                   true,
		"[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n":                                                          true,
		"[core]\r\n\tbare = true\r\n":                              true,
		"[core]\n\tfsmonitor = x\n":                                false,
		"[CORE]\n\tFSMonitor = x\n":                                false,
		"[core] fsmonitor = x\n":                                   false,
		"[user][core]fsmonitor = x\n":                              false,
		"[user]\n# a\\\n[core]\nname = x\n":                        false,
		"[user]\nname = a\\\r\n[core]\n":                           false,
		"[remote \"a]b\"]\n\turl = x\n":                            false,
		"[remote \"a\\\"b\"]\n\turl = x\n":                         false,
		"[core]\n\tworktree = /etc\n":                              false,
		"[core]\n\thooksPath = h\n":                                false,
		"[core]\n\tsshCommand = x\n":                               false,
		"[diff]\n\texternal = x\n":                                 false,
		"[diff \"a\"]\n\ttextconv = x\n":                           false,
		"[filter \"lfs\"]\n\tclean = sh x\n":                       false,
		"[filter \"a\"]\n\tsmudge = x\n":                           false,
		"[include]\n\tpath = ../x\n":                               false,
		"[alias]\n\tst = !x\n":                                     false,
		"[pager]\n\tlog = x\n":                                     false,
		"[gpg]\n\tprogram = x\n":                                   false,
		"[remote \"o\"]\n\turl = ext::sh -c x\n":                   false,
		"[remote \"o\"]\n\tuploadpack = x\n":                       false,
		"[remote \"o\"]\n\turl = --upload-pack=x\n":                false,
		"[extensions]\n\tworktreeConfig = true\n":                  false,
		"fsmonitor = x\n":                                          false,
		"[frob]\n\ta = b\n":                                        false,
		"[submodule \"a\"]\n\tupdate = !x\n":                       false,
		"[merge \"a\"]\n\tdriver = x\n":                            false,
		"[credential]\n\thelper = !x\n":                            false,
		"[core]\n\tbare = false\n[trace2]\n\teventTarget = /x/y\n": false,
	} {
		if got := GitConfigStarts(text); (got == "") != known {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestHgConfigStarts(t *testing.T) {
	for text, known := range map[string]bool{
		"[paths]\ndefault = https://x.example/a\n\n# a\n[ui]\nusername = a <a@b>\n": true,
		"":                             true,
		"[hooks]\npre-status = x\n":    false,
		"[extensions]\na = x.py\n":     false,
		"[alias]\nstatus = !x\n":       false,
		"[ui]\nssh = x\n":              false,
		"[ui]\neditor = x\n":           false,
		"%include /tmp/x\n":            false,
		"[paths]\ndefault = a\n b\n":   false,
		"[paths]\ndefault = ext::x\n":  false,
		" [hooks]\n":                   false,
		"default = x\n":                false,
		"[paths]\na = b\n[hooks] a=b ": false,
	} {
		if got := HgConfigStarts(text); (got == "") != known {
			t.Errorf("%q: %q", text, got)
		}
	}
}
