package gates

import "testing"

// guardedFiles are files that make others run later, in a few spellings.
var guardedFiles = []string{
	".git/hooks/pre-commit", ".GIT/hooks/pre-commit", ".github/workflows/ci.yml", ".GitHub/Workflows/ci.yml", ".vscode/settings.json", ".envrc", ".Claude/settings.json",
	".husky/pre-push", ".gitmodules", ".mcp.json", "./.idea/x.xml", "src/../.cursor/rules", ".gitlab-ci.yml.", "sub/.npmrc",
	".cargo/config.toml", "android/gradle/wrapper/gradle-wrapper.properties", ".mvn/jvm.config", "sub/.yarnrc.yml", ".pnpmfile.cjs", ".gdbinit",
}

// TestWorkTreeCommandsKeepWhatIsGuarded writes each guarded file in each way that
// the manuals of git and of the unpackers have.
func TestWorkTreeCommandsKeepWhatIsGuarded(t *testing.T) {
	ways := []string{
		"git checkout other -- %", "git checkout other %", "git checkout -- src/a.go %", "git checkout --theirs %", "git checkout -b x other && git checkout other -- '%'",
		"git checkout other -- ':/%'", "git checkout other -- ':(top)%'", "git checkout other -- ':(icase,top)%'", "git -C . checkout other -- %",
		"git restore %", "git restore -s other %", "git restore --source=other -- %", "git restore -SW --source other %", "git restore --source other --worktree --staged %",
		"git mv a %", "git mv -f a %", "git mv % b", "git rm %", "git rm -q -- %", "git stash push %", "git stash push -m x -- %", "git stash -- %", "git checkout-index -f %",
		"git merge-file % a b", "git apply <<'X'⏎--- a/%⏎+++ b/%⏎@@ -1 +1 @@⏎-a⏎+b⏎X", "git apply -p2 <<'X'⏎--- a/a/%⏎+++ b/b/%⏎X", "git am <<'X'⏎rename to %⏎X",
		"patch -p1 <<'X'⏎--- a/%⏎+++ b/%⏎@@ -1 +1 @@⏎-a⏎+b⏎X", "patch -p0 <<'X'⏎--- %⏎+++ %⏎X", "patch <<'X'⏎*** %⏎--- %⏎X", "patch % fix.patch", "patch -o % a fix.patch",
		"printf -- '--- a/x\\n+++ b/%\\n' > p.patch; git apply p.patch", "printf -- '+++ b/%\\n' > p.patch; patch -p1 -i p.patch",
		"tar xf a.tar %", "tar -x -f a.tar -- %", "tar --extract --file a.tar %", "bsdtar -xf a.tar %", "unzip a.zip %", "unzip -o a.zip b %", "7z x a.7z %", "unrar x a.rar %",
		"ar x a.a %", "jar xf a.jar %", "cp a %", "cp a b %", "mv a %", "mv % a", "ln -s ../a %", "ln -f a %", "ln -s % a", "install -m 644 a %", "rsync -a a %", "dd if=a of=%",
		"rsync -a x %", "tee % < a", "cat a > %", "sed -i s/a/b/ %", "truncate -s 0 %", "touch %",
	}
	var lines []string
	for _, l := range crossed(ways, guardedFiles) {
		lines = append(lines, unline(l))
	}
	neverApproved(t, lines, 700)
}

// TestDirectoriesOfGuardedFilesAreKept replaces the directories instead.
func TestDirectoriesOfGuardedFilesAreKept(t *testing.T) {
	dirs := []string{".git", ".GIT", ".git/hooks", ".github", ".github/", ".GITHUB", ".github/workflows", ".vscode", ".claude", ".husky", ".idea", ".ssh", ".cargo", "sub/.Cargo", ".mvn"}
	ways := []string{
		"git checkout other -- %", "git checkout other -- ':/%'", "git restore -s other %", "git rm -r %", "git mv % x", "git mv x %", "mv % x", "mv x %", "cp -r x %", "cp -a x/. %", "rsync -a x/ %/",
		"rm -rf %", "tar xf a.tar -C %", "unzip a.zip -d %", "7z x a.7z -o%", "git read-tree --prefix=%/ -u other", "ln -s % x",
	}
	neverApproved(t, crossed(ways, dirs), 190)
}

func TestWorkInTheTreeGoesThrough(t *testing.T) {
	allApproved(t, []string{
		`git checkout main`, `git checkout -b feature/x`, `git checkout -- src/a.go`, `git checkout main -- go.mod go.sum`, `git restore src/a.go`, `git restore --staged src/a.go`,
		`git restore --source=HEAD~1 README.md`, `git mv a.go b.go`, `git mv old/ new/`, `git rm old.go`, `git rm --cached build.log`, `git stash`, `git stash push -m wip`, `git stash push src/a.go`,
		`git stash pop`, `git apply fix.patch`, `git apply --check fix.patch`, `git am 0001.patch`, `git merge feature`, `git revert HEAD`, `git cherry-pick abc123`, `git switch -c x`,
		`patch -p1 < fix.patch`, `patch src/a.c fix.patch`, "patch -p1 <<'X'\n--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-a\n+b\nX", `tar xf a.tar`, `tar xzf a.tgz src/main.c`,
		`tar xf a.tar -C build`, `tar xf a.tar --strip-components=1`, `unzip a.zip`, `unzip -o a.zip -d build`, `unzip -l a.zip`, `7z x a.7z -obuild`, `unrar x a.rar`, `ar x liba.a`,
		`jar xf a.jar`, `cp -r src dst`, `cp a.go b.go`, `mv a.go pkg/`, `cp x .github/README.md`, `touch .github/dependabot.md`, `mv sub/a.go .`, `ln -s a b`, `install -m 755 a bin/a`,
		`rsync -a src/ dst/`, `git worktree add wt`, `git reset HEAD a.go`, `git sparse-checkout set src`, `cp src/.eslintrc.json .`, `cp .gitignore x`,
	})
}
