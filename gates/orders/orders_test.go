package orders_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/orders"
)

// What a text orders: p a push, r a pull request, c replies to comments; nothing where it
// ends with a bar. Behind a colon stands the branch that is named.
func TestOf(t *testing.T) {
	for _, line := range []string{
		"push|p", "push it|p", "ok push|p", "Push.|p", "yes, push|p", "git push|p", "push please!|p", "now push it up to origin|p",
		"commit and push|p", "commit, push|p", "commit this then push|p", "Commit everything & push to the remote please|p",
		"can you commit and push?|p", "could you push the branch?|p", "let's push this|p", "I want you to push the changes|p",
		"continue the merge, then push|p", "run the tests and push when you're done|p", "format once more please (then push)|p",
		"The tests are green. Commit and push|p", "thanks! push it.|p", "push to main|p:main", "push to origin main|p:main",
		"create a pr|pr", "open a draft PR against main|pr:main", "commit, push, create a draft pull request|pr", "amend please, then push and make a PR|pr",
		"push and PR|pr", "make a merge request for this branch|pr", "Nice. Open a PR.|pr",
		"reply to the review comments|c", "commit it, push then answer the PR comments please|pc", "respond to each comment on the PR|c", "answer the reviewer's comments inline|c",

		"remove the dead code in router.go, then push|p", "fix session.c:214; commit and push|p", "Rename `Tok` to `Token` in the parser. Then commit everything and push it. Thanks a lot!|p", "ok, apply the suggestions from review, commit & push 🚀|p",
		"add a test for the retry. then open a PR|pr", "push and watch the run|", "push those changes|p", "commit, and fix the rest|", "can you fix the loader and then push?|p",

		"push those 3 commits|p", "git push then gh pr create --fill|pr", "retry the push|p", "commit the rest and push|p", "address the review feedback on the PR and push|p", "- commit\n- push\n- open a draft PR|pr", "1. rename it in the parser\n2. commit\n3. push|p", "commit. PR it|pr",

		"implement fetch and push|", "test commit and push|", "How we release:\n- commit\n- push|", "- commit\n- don't push|", "- commit\n- push if it builds|", "Don't:\n- commit\n- push|",
		"add a script to build and push|", "write a hook that tests, then push|", "add menu entries for stage, commit, push, pull|", "add buttons for commit, push|", "write a tutorial: commit, push|", "fix the docs and push|p", "use the commit message \"fix, push, run it\"|",
		"set the title \"commit, then push\"|", "make sure it builds, then push|", "explain the change, then push|", "let bob commit, then push|", "remove the part that will push, then push|", "fix it unless it is green, then push|", "fix the loader, then push?|", "fix it, push and test it on staging|p", "push and deploy it to staging|", "fix it\nnot now\npush|",
		"|", "don't push|", "do not push|", "push?|", "did you push?|", "should we push?|", "you pushed?|", "do you push|", "never push|",
		"commit but don't push|", "push if the tests pass|", "if the tests pass push|", "push once CI is green|", "push when the tests are green|p", "push after review|", "push unless it fails|",
		"commit, I'll push|", "I will commit and push|", "I push|", "bob will push|", "we commit and push|", "commit and push later|", "push tomorrow|", "push only the tests|",
		"push to production|", "push to staging|", "push to my fork|", "push to upstream|", "push the tag|", "push the image|", "push to prod branch|", "push notifications|", "push the button|", "force push|", "push -f|", "push --force|", "push back|", "push this to s3|",
		"push to main. push to dev|", "push main|", "git push origin HEAD:prod|", "push to origin/release|", "push to https://example.com|",
		"\"commit and push\"|", "the doc says commit and push|", "what does push do|", "the doc says: commit and push. is that right?|", "fix the push|", "test push|",
		"don't:\n- push\n|", "Don't do this.\n\nPush.|", "Never push. Commit and push|", "Push. Wait, no|", "Push. Actually, don't.|", "Not yet. Push|", "Ask before you send. Push|", "He said \"ok. Push|", "issue:\n> ok.\npush|",
		"review PR|", "review the PR|", "review the pull request|", "merge the pr|", "close the PR|", "update the PR|", "update the pr description|", "the PR|", "fix the typo and the PR|", "check the tests and PR|", "commit and PR|pr", "pr|", "open a PR if you think it works|", "create a pr in the other repo|", "open a PR against upstream|", "open a PR to acme/tools|",
		"reply|", "reply to Bob|", "reply to the email|", "respond to the customer's comment|", "reply to the comments on slack|", "comment your code|", "address the review comments|", "answer my question|", "reply yes to the comments|",
		"rename pull, push|", "remove commit, push|", "skip build, push|", "swap pull / push|", "change the order of test, build, push|", "refactor fetch, pull and push|", "implement stack pop, push|", "fix pull; push|", "log in, push|", "sort add, commit, push|", "run build and push|",
		"use pull then push|", "commit then push|p", "fix the loader then push|p", "implement the stack, push|", "document the flow, commit, push|", "add these labels, push|", "rename the method, then push|p",
		"use the fork, then push|", "change the url of the remote, push|", "merge it to main and push|", "apply it to main, then push|", "merge main into this, then push|p", "rebase onto main, push|p", "Nope. Push|",
		"rebase off parent, push|p", "write tests, push|p", "add a check, push|p", "fetch, pull, push|p", "format, lint, test, push|p", "fix session.c:214; commit, push|p", "can you fix the loader, commit and push?|p",
		"fix: commit, push|", "Changelog: commit, push|", "title: push|", "fix it\n\npush|p", "✅ commit\n✅ push|", "1. push|", "3. commit and push|", "B. Open a PR|", "push?!|", "can we push?|", "will you push?|",
		"commits and PRs|", "write the commit message and PR|", "fix the commit and PR|", "commit message and pr|", "push this pr|", "open PRs|", "open the PR|", "make PRs|", "create a PR against dev|pr:dev", "commit, push to main and open a PR|",
		"respond to my feedback|", "answer my comments|", "reply to the comments|", "respond to reviews|", "answer the code comments|", "respond to the code review|c",
		"Translate to German. Commit and push.|", "The title is this. Push it.|", "Does it build? Commit and push.|", "Can you fix it? Commit and push.|p", "Tests pass? Push.|", "Switch to staging. Push.|", "In the other repo. Push.|", "Check with me. Then push.|", "run it by me, then push|", "handle approvals, then push|", "Read this:\nok. push|",
		"push " + strings.Repeat("please ", 100) + "|", "commit and push 🚫|", "пуш|",
	} {
		text, want, _ := strings.Cut(line, "|")
		got := ""
		branch := ""
		for _, o := range orders.Of(text) {
			got += map[orders.Kind]string{orders.Push: "p", orders.PullRequest: "r", orders.Reply: "c"}[o.Kind]
			if o.Branch != "" {
				branch = ":" + o.Branch
			}
		}
		if got+branch != want {
			t.Errorf("%q: orders %q, not %q", text, got+branch, want)
		}
	}
}

// TestSideBranch: a push for a pull request, and one to a branch of the user's own, is none of the branch
// that the work of others is based on.
func TestSideBranch(t *testing.T) {
	for text, want := range map[string]bool{
		"push": false, "commit and push to origin": false, "push to main": false, "push to the branch": false,
		"push to a new branch": true, "push it to my branch": true, "push to the feature branch": true, "push to the PR": true, "open a PR": true, "push and PR": true, "commit, push and open a draft PR": true,
	} {
		if list := orders.Of(text); len(list) == 0 || list[0].Kind != orders.Push || list[0].SideBranch != want {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

func ExampleOf() {
	for _, o := range orders.Of("Looks good. Commit, push and open a draft PR") {
		fmt.Printf("%s, a draft: %v\n", o.Kind, o.Draft)
	}
	fmt.Println(orders.Of("commit, and push if the tests pass"))
	// Output:
	// push, a draft: false
	// pull request, a draft: true
	// []
}

// FuzzOf: at most one order of a kind, the same for the same text, and none in a longer text.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"commit, push and open a PR", "- commit\n- push", "reply to the comments on the PR. Push to main", "don't push"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list := orders.Of(s)
		seen := map[orders.Kind]bool{}
		for _, o := range list {
			if seen[o.Kind] {
				t.Errorf("%q: twice %q", s, o.Kind)
			}
			seen[o.Kind] = true
		}
		if len(list) > 0 && len(orders.Of("if it is fine, "+s)) > 0 {
			t.Errorf("%q: an order on a condition", s)
		}
		for _, s := range []string{"Not yet. " + s, s + "\n\nNot yet, wait for me.", s + ". Or rather not."} {
			if len(list) > 0 && len(orders.Of(s)) > 0 {
				t.Errorf("%q: taken back, and an order all the same", s)
			}
		}
		if len(orders.Of(s+strings.Repeat(" now", orders.MaxPrompt/4))) > 0 && len(s) > 0 {
			t.Errorf("%q: an order in a long text", s)
		}
	})
}
