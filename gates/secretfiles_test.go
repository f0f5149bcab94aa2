package gates

import (
	"strings"
	"testing"
)

// secretNames are files that hold secrets, by a name that says so.
var secretNames = []string{".env", ".env.production", ".netrc", "server.pem", "id_rsa", "credentials.json", "prod.env", ".env~"}

// TestSearchesThatReadSecretsAsk looks for each secret by each way of naming and
// reads what is found.
func TestSearchesThatReadSecretsAsk(t *testing.T) {
	tests := []string{"-name %", "-iname %", "-name '%'", "-path '*/%'", "-wholename ./%", "-regex '.*/%'", "-type f -name %", "-maxdepth 2 -iname '%' -newer x", `\( -name % -o -name x \)`, "-not -empty -name %"}
	readers := []string{`-exec cat {} \;`, `-exec head {} +`, `-execdir base64 {} \;`, `-ok grep . {} \;`, `-exec cp {} x.txt \;`, `| xargs cat`, `-print0 | xargs -0 grep -h .`, `| xargs -I{} sed p {}`}
	var finds []string
	for _, test := range tests {
		for _, r := range readers {
			finds = append(finds, "find . "+test+" "+r)
		}
	}
	ways := append(finds, "cat $(find . -name %)", "fd -H % -x cat", "fd -HI -g % -X head", "fd -H -g '%' | xargs cat", "for f in $(find . -name %); do cat $f; done",
		"grep -r --include=% . .", "grep -rh --include='%' '' src", "rg --hidden -g % .", "rg -uu --iglob '%' ''", "egrep -r --include '%' x",
		"git grep . -- %", "git grep -h x HEAD -- %", "git stash show -p -- %", "git format-patch -1 --stdout -- %", "git checkout-index --temp %", "git log -p -- %", "echo % | git hash-object -w --stdin-paths",
		"tar xOf a.tar %", "tar -x --to-stdout -f a.tar %", "bsdtar -xOf a.tar ./%", "unzip -p a.zip %", "unzip -c a.zip 'sub/%'")
	neverApproved(t, crossed(ways, secretNames), 700)
}

// TestPatternsOfHiddenFilesReadSecrets reads by patterns that begin with a dot.
func TestPatternsOfHiddenFilesReadSecrets(t *testing.T) {
	readers := []string{"cat %", "head -50 %", "tail -n +1 %", "grep . %", "sed p %", "awk 1 %", "base64 %", "strings %", "cp % x", "sort < %", "python3 -m json.tool %", "tar cf x.tar %"}
	patterns := []string{".*", ".??*", ".e*", "./.*", "sub/.e*", ".[a-f]*", ".en?", ".n*rc", "*/.env", "sub/.*"}
	neverApproved(t, crossed(readers, patterns), 100)
}

// TestSecretsKeepTheirNames gives secrets other names; reading those would show them.
func TestSecretsKeepTheirNames(t *testing.T) {
	ways := []string{"mv % x.txt", "ln -s % x", "ln % x.txt", "git mv % x.txt", "mv -f -- % notes/a.md", "ln -sf $PWD/% x", "mv % x.txt && cat x.txt", "mv -T % x", "install % x", "rsync % x"}
	neverApproved(t, crossed(ways, secretNames), 70)
}

func TestFoldersOfSecretsAreRead(t *testing.T) {
	neverApproved(t, crossed([]string{"cat %", "head %", "grep . %", "jq . %"}, []string{
		"secrets/prod.json", "secrets/*", "config/secrets/db.yaml", ".secrets/token", "secrets/*/prod.json", "k8s/secrets/*.yaml", "deploy/Secrets/a.txt",
	}), 28)
	neverApproved(t, []string{"cd secrets && cat */prod.json", "cd secrets; cat a.txt", "getent shadow", "getent gshadow root"}, 4)
}

// TestLeavingSecretsOutIsNotReadingThem holds searches, listings and renames of daily
// work that come near secrets.
func TestLeavingSecretsOutIsNotReadingThem(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(`
find . -not -name .env -exec grep x {} +
find . ! -name '*.pem' -type f -exec wc -l {} +
find . -name .env -prune -o -type f -exec grep x {} +
find . \( -name .git -o -name .env \) -prune -o -type f -exec grep -l x {} +
find . -not \( -name .env -o -name '*.key' \) -type f -exec grep -l x {} +
find . -name '*.go' -exec gofmt -l {} +
find . -name '*.go' | xargs grep foo
find . -type f | xargs grep foo
find . -name .env
find . -name '*.pem' -print
find . -name .env -exec ls -l {} \;
fd -e go -x gofmt -l
fd main.go -x cat
fd -H .env
grep -rn password .
grep -rn --include='*.go' foo .
grep -rn --include='*.{ts,tsx}' foo src
grep -rn --exclude=.env foo .
rg -g '!.env' foo
rg -g '!*.pem' -g '*.go' foo
rg -g '*.ts' foo
git grep foo
git grep foo -- '*.go'
git grep foo -- ':!.env'
git grep .env
git stash show -p
git log -p -- src/a.go
ls -d .*
ls -la .*
ls .env*
ls -l .gitignore
du -sh .*
cat .gitignore
cat .eslintrc*
cat .github/*
cat .env.example
cat src/secrets/index.ts
cat docs/secrets/README.md
ls secrets/
mv .env.example .env.sample
mv .env .env.local
mv .env backend/
cp .env.example .env
mv a.go b/
git mv a.go b.go
tar xf a.tar
tar xOf a.tar README.md
unzip -p a.zip x.txt
getent hosts localhost
getent passwd root
`), "\n")
	for _, l := range lines {
		if d := inventedDecision(l); d.Disposition != Approved {
			t.Errorf("asks: %s: %s", l, d.Reasons[0].Message)
		}
	}
}
