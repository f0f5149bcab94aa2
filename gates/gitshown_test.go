package gates_test

import "testing"

// TestCredentialsInSettingsOfGit: what git prints of its settings asks where there is a
// credential among it, and passes everywhere else.
func TestCredentialsInSettingsOfGit(t *testing.T) {
	const head = "[core]\n\tbare = false\n[user]\n\tname = D\n\temail = d@x.example\n"
	const plain = head + "[remote \"origin\"]\n\turl = https://d@github.com/a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[remote \"ssh\"]\n\turl = ssh://git@git.example:22/a/b\n"
	const password = head + "[remote \"origin\"]\n\turl = https://d:s3cr3t@github.com/a/b.git\n"
	const token = head + "[remote \"origin\"]\n\turl = https://ghp_0123456789abcdef0123@github.com/a/b.git\n"
	const header = head + "[http \"https://x.example/\"]\n\textraheader = AUTHORIZATION: basic eA==\n"
	const instead = "[url \"https://d:s3cr3t@github.com/\"]\n\tinsteadOf = https://github.com/\n"
	for _, row := range []struct {
		name, repository, user, line string
		asks                         bool
	}{
		{"all", password, "", "git config -l", true},
		{"all, by the new word", password, "", "git config list --local", true},
		{"by a pattern", password, "", "git config --get-regexp url", true},
		{"by a pattern that cannot be read", password, "", "git config --get-regexp '(url'", true},
		{"one", password, "", "git config --get remote.origin.url", true},
		{"one, without a word for it", password, "", "git config remote.origin.url", true},
		{"the remotes", password, "", "git remote -v", true},
		{"one remote", password, "", "git -C src remote get-url origin", true},
		{"what is asked", token, "", "git ls-remote --get-url", true},
		{"a token", token, "", "git remote -v", true},
		{"a header", header, "", "git config --list", true},
		{"the user's", plain, instead, "git config -l", true},
		{"the user's, in remotes", plain, instead, "git remote -v", true},
		{"all, cut short", password, "", "git config --lis", true},
		{"all, letters together", password, "", "git config -lz", true},
		{"all, by git var", password, "", "git var -l", true},
		{"a pattern, cut short", password, "", "git config --get-regex url", true},
		{"remotes, cut short", password, "", "git remote --verb", true},
		{"what it looks at", password, "", "git ls-remote", true},
		{"a section on one line", head + "[remote \"origin\"] url = https://d:s3cr3t@github.com/a/b.git\n", "", "git config -l", true},
		{"a helper", head + "[credential]\n\thelper = \"!f() { echo username=d; echo password=abc; }; f\"\n", "", "git config credential.helper", true},
		{"one that is included", plain + "[include]\n\tpath = ../more\n", "", "git config -l", true},
		{"one that the user's include", plain, "[includeIf \"gitdir:~/p/\"]\n\tpath = ~/p/more\n", "git remote -v", true},
		{"a file", plain, "", "git config -f more -l", true},
		{"by an address", header, "", "git config --get-urlmatch http.extraheader https://x.example/", true},
		{"piped", password, "", "git config -l | sort", true},

		{"another file", password, "", "git config -f .gitmodules -l && git config --file .gitmodules --get-regexp url", false},
		{"names by a pattern", password, "", "git config --get-regexp --name-only url", false},
		{"one setting by its type", password, "", "git config --type bool core.bare true", false},
		{"another address", header, "", "git config --get-urlmatch http.sslverify https://x.example/", false},
		{"one of git's own", password, "", "git var GIT_EDITOR", false},
		{"a helper without", head + "[credential]\n\thelper = store\n", "", "git config -l", false},
		{"what another remote has", password, "", "git ls-remote -q", false},
		{"nothing secret", plain, "", "git config -l", false},
		{"nothing secret in remotes", plain, "", "git remote -v && git config --get-regexp url", false},
		{"names alone", password, "", "git config -l --name-only", false},
		{"remotes by name", password, "", "git remote", false},
		{"another setting", password, "", "git config user.name && git config --get user.email", false},
		{"another pattern", password, "", "git config --get-regexp '^user'", false},
		{"one that is set", password, "", "git config user.name E", false},
		{"the repository's alone", plain, instead, "git config --local -l", false},
		{"the user's alone", password, "", "git config --global -l", false},
		{"a header, and remotes", header, "", "git remote -v", false},
		{"not printed", password, "", "git status && git log -1 && git fetch", false},
	} {
		p := inProject(t, map[string]string{".git/config": row.repository, ".git/HEAD": "ref: refs/heads/main\n", "src/a.go": "", ".gitmodules": "[submodule \"a\"]\n\turl = https://github.com/a/c\n",
			"more": "[remote \"origin\"]\n\turl = https://d:s3cr3t@github.com/a/b.git\n"})
		if row.user != "" {
			p.disk["/home/u/.gitconfig"] = row.user
		}
		asks := false
		for _, r := range p.call("Bash", map[string]string{"command": row.line}).Reasons {
			asks = asks || r.Rule == "sensitive/read"
		}
		if asks != row.asks || p.st.Flow.SensitiveRead != row.asks {
			t.Errorf("%s: %s: asks %v, read %v", row.name, row.line, asks, p.st.Flow.SensitiveRead)
		}
	}
}
