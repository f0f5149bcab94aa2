package orders_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/orders"
)

// What a text orders: p a push, r a pull request, c replies to comments; nothing where it
// ends with a bar.
func TestOf(t *testing.T) {
	for _, line := range []string{
		"push|p", "push it|p", "ok push|p", "Push.|p", "yes, push|p", "git push|p", "push please!|p", "now push it up to origin|p",
		"commit and push|p", "commit, push|p", "commit this then push|p", "Commit everything & push to the remote please|p",
		"can you commit and push?|p", "could you push the branch?|p", "let's push this|p", "I want you to push the changes|p",
		"continue the merge, then push|p", "run the tests and push when you're done|p", "update again please (then push)|p",
		"The tests are green. Commit and push|p", "thanks! push it.|p", "push to main|p:main", "push to origin main|p:main",
		"create a pr|pr", "open a draft PR against main|pr", "commit, push, create a draft pull request|pr", "commit please, then push and open a PR|pr",
		"push and PR|pr", "make a merge request for this branch|pr", "Nice. Open a PR.|pr",
		"reply to the review comments|c", "commit, push then respond directly to PR comments please|pc", "respond to each comment on the PR|c", "answer the reviewer's comments inline|c",

		"|", "don't push|", "do not push|", "push?|", "did you push?|", "should we push?|", "you pushed?|", "do you push|", "never push|",
		"commit but don't push|", "push if the tests pass|", "if the tests pass push|", "push once CI is green|", "push when the tests are green|", "push after review|", "push unless it fails|",
		"commit, I'll push|", "I will commit and push|", "I push|", "bob will push|", "we commit and push|", "commit and push later|", "push tomorrow|", "push only the tests|",
		"push to production|", "push to staging|", "push to my fork|", "push to upstream|", "push the tag|", "push the image|", "push to prod branch|", "push notifications|", "push the button|", "force push|", "push -f|", "push --force|", "push back|", "push this to s3|",
		"push to main. push to dev|", "push main|", "git push origin HEAD:prod|", "push to origin/release|", "push to https://example.com|",
		"\"commit and push\"|", "the doc says commit and push|", "what does push do|", "the doc says: commit and push. is that right?|", "fix the push|", "test push|",
		"don't:\n- push\n|", "Don't do this.\n\nPush.|", "Never push. Commit and push|", "Push. Wait, no|", "Push. Actually, don't.|", "Not yet. Push|", "Ask before you send. Push|", "He said \"ok. Push|", "issue:\n> ok.\npush|",
		"review PR|", "review the PR|", "review the pull request|", "merge the pr|", "close the PR|", "update the PR|", "update the pr description|", "the PR|", "fix the typo and the PR|", "check the tests and PR|", "commit and PR|pr", "pr|", "create a PR if it's all fine|", "create a pr in the other repo|", "open a PR against upstream|", "open a PR to acme/tools|",
		"reply|", "reply to Bob|", "reply to the email|", "respond to the customer's comment|", "reply to the comments on slack|", "comment your code|", "address the review comments|", "answer my question|", "reply yes to the comments|",
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

func ExampleOf() {
	fmt.Println(orders.Of("Looks good. Commit, push and open a draft PR"))
	fmt.Println(orders.Of("commit, and push if the tests pass"))
	// Output:
	// [{push } {pull request }]
	// []
}
