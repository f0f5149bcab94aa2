package orders_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/orders"
)

// messages are the lines of a file of tests, with their line breaks.
func messages(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			out = append(out, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return out
}

// kinds are those of a text, as in TestOf.
func kinds(text string) string {
	out := ""
	for _, o := range orders.Of(text) {
		out += map[orders.Kind]string{orders.Push: "p", orders.PullRequest: "r", orders.Reply: "c"}[o.Kind]
	}
	return out
}

// TestLong: orders in messages of several sentences, of which some are about something else. What
// stands behind a bar that begins a line is missed, which costs a question.
func TestLong(t *testing.T) {
	for _, line := range messages(t, "orders.txt") {
		want, text, _ := strings.Cut(line, "|")
		if got := kinds(text); got != want {
			t.Errorf("%q: orders %q, not %q", text, got, want)
		}
	}
}

// TestNone: messages that order no push, request or reply, with the words of orders. Three of them order an issue.
func TestNone(t *testing.T) {
	issues := 0
	for _, text := range messages(t, "none.txt") {
		list := orders.Of(text)
		if len(list) == 1 && list[0].Kind == orders.Issue {
			issues++
			continue
		}
		if len(list) > 0 {
			t.Errorf("%q: %+v", text, list)
		}
	}
	if issues != 3 {
		t.Errorf("%d order an issue", issues)
	}
}

// TestTakenBack: what may put an order off, take it back or make it somebody else's, before it and behind.
func TestTakenBack(t *testing.T) {
	none := func(text string) {
		if list := orders.Of(text); len(list) > 0 {
			t.Errorf("%q: %+v", text, list)
		}
	}
	for _, text := range []string{
		"Commit and push", "Fix the header on mobile. Then commit and push it", "The export is slow when the list is long. Fix it and open a PR",
		"Rename the flag in `main.go`.\n\nRun the tests, push the branch", "Please address the review comments on PR 7. Push and reply to each comment",
	} {
		if kinds(text) == "" {
			t.Errorf("%q orders nothing", text)
		}
		for _, first := range messages(t, "before.txt") {
			none(first + " " + text + ".")
			none(first + "\n\n" + text + ".")
			none(first + "\n" + text)
		}
		for _, then := range messages(t, "behind.txt") {
			none(text + ". " + then)
			none(text + ".\n\n" + then)
			none(text + ", " + strings.ToLower(then))
			none(text + " - " + then)
			none(text + " (" + strings.TrimRight(then, ".") + ")")
		}
	}
}

// TestSaid: what an order says of the request and of the tests, and the names of branches as they were typed.
func TestSaid(t *testing.T) {
	push := orders.Order{Kind: orders.Push, SideBranch: true}
	for text, want := range map[string][]orders.Order{
		"open a draft PR":                                           {push, {Kind: orders.PullRequest, Draft: true}},
		"Push and open a PR":                                        {push, {Kind: orders.PullRequest}},
		"Fix it. Open a PR, as a draft":                             {push, {Kind: orders.PullRequest, Draft: true}},
		"Fix it. Open a PR as draft against develop.":               {push, {Kind: orders.PullRequest, Draft: true, Branch: "develop"}},
		"Fix it. Open a PR against release/3.x":                     {push, {Kind: orders.PullRequest, Branch: "release/3.x"}},
		"Fix it. Push it to my branch `Fix-7`":                      {{Kind: orders.Push, Branch: "Fix-7"}},
		"Fix it. Push once the tests pass.":                         {{Kind: orders.Push, Tested: true}},
		"Fix it. Commit when everything is green. Then push.":       {{Kind: orders.Push, Tested: true}},
		"Fix it. Push it, but don't open a PR.":                     {{Kind: orders.Push}},
		"Fix it. Push and open a PR. Open a PR as draft.":           {push, {Kind: orders.PullRequest, Draft: true}},
		"Fix it. Open a PR. Base it on release/2.":                  {push, {Kind: orders.PullRequest, Branch: "release/2"}},
		"Fix it. Open a PR. Base: release/2.":                       {push, {Kind: orders.PullRequest, Branch: "release/2"}},
		"Fix it. Open a PR, base is develop.":                       {push, {Kind: orders.PullRequest, Branch: "develop"}},
		"Fix it. Open a PR. Keep it a draft.":                       {push, {Kind: orders.PullRequest, Draft: true}},
		"Fix it. Open a WIP PR.":                                    {push, {Kind: orders.PullRequest, Draft: true}},
		"Fix it. The tests must pass. Commit and push.":             {{Kind: orders.Push, Tested: true}},
		"Run the tests. All of them have to pass. Commit and push.": {{Kind: orders.Push, Tested: true}},
		"Make sure the tests pass. Commit and push.":                {{Kind: orders.Push, Tested: true}},
		"Fix it. CI needs to be green. Push it.":                    {{Kind: orders.Push, Tested: true}},
		"Fix it. Create a new branch for it. Commit and push.":      {push},
		"Use a separate branch, commit and push":                    {push},
		"Fix it. Push it. No force, please.":                        {{Kind: orders.Push}},
	} {
		got := orders.Of(text)
		same := len(got) == len(want)
		for i := range got {
			same = same && got[i] == want[i]
		}
		if !same {
			t.Errorf("%q: %+v, not %+v", text, got, want)
		}
	}
}
