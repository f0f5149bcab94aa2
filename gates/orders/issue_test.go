package orders

import "testing"

// TestIssues: one sentence that orders an issue, whatever the message says beside it.
func TestIssues(t *testing.T) {
	for text, in := range map[string]string{
		"file an issue": "",
		"Please open a GitHub issue for this, low priority.":                                             "github",
		"hm, log a ticket with what we saw, that is for next week":                                       "",
		"The retry never fires. Create a Jira ticket about it. Then fix the typo.":                       "jira",
		"can you create an issue in linear?":                                                             "linear",
		"could you write me a follow-up linear issue in Project:Web to track this":                       "linear",
		"fix the loader, then raise a bug report":                                                        "",
		"let's add a jira story for these two, please":                                                   "jira",
		"ok, let's definitely log the follow-up ticket with the numbers from above":                      "",
		"let's take the smaller one first, could you file the linear ticket? it goes under Project: Web": "linear",
		"don't fix it, open an issue instead":                                                            "", "make a ticket pls": "", "jira ticket for that one please": "jira", "put it in jira": "jira", "write that up as a ticket": "", "turn this into a linear issue": "linear",
		"new linear issue: the toggle is lost": "linear", "can u make an issue on github about the steps": "github", "gh issue create for the missing check": "github", "I need a ticket in YouTrack": "youtrack",
		"The field is missing, can you open an issue for adding one?": "", "Document the workaround and also file a ticket": "", "> it fails\n> every time\n\nFile an issue for this.\nThen go on.": "",
		"submit a ticket\n\nthen go on with the tests":                                                              "",
		"file a ticket to rename the flag everywhere (Project: Web).\n\nthen let's change it - the docs come first": "",
	} {
		var got *Order
		for _, o := range Of(text) {
			if o.Kind == Issue {
				got = &o
			}
		}
		if got == nil || got.In != in {
			t.Errorf("%q: %+v, want an issue in %q", text, got, in)
		}
	}
}

// TestNoIssues: what is no order of one issue, is put off, or is about a thing that is called so.
func TestNoIssues(t *testing.T) {
	for _, text := range []string{
		"don't create an issue", "do not file a ticket yet", "should we open an issue?", "should I file an issue", "create issues for each of these", "create an issue?", "did you create an issue?",
		"open the issue", "open issue 12", "look at the issue", "an issue", "there is an issue with the parser", "we have an issue to fix", "fix the issue and write a test",
		"when a test fails, create an issue", "if it fails again, file an issue", "create an issue if it fails", "create an issue once it is reviewed", "before you create an issue, ask me", "create an issue, but show me the text",
		"create an issue. Actually, never mind.", "file an issue. wait, don't", "file a ticket. don't post it", "create an issue - let me review it", "draft an issue", "write an issue draft", "create an issue template", "add an issue form",
		"add an issue to the list", "add an issue in the test", "create an issue in the database", "log an issue to the console", "create an issue for the api", "add a button to create an issue", "write a script to file an issue",
		"implement: create an issue with the title", "The bot should: create an issue", "the handler should validate, create an issue and notify", "users can log in, create a ticket and close it",
		"- create an issue\n- close it\n", "Steps:\n1. open an issue\n2. see that it fails", "\"create an issue\" is what the button says", "`create an issue`", "> create an issue", "# Plan\ncreate an issue",
		"create an issue. create a ticket.", "maybe create an issue", "create an issue instead of a comment, or not", "translate to German: create an issue", "the docs say create an issue", "every failure must create an issue", "how do I create an issue",
		"Here's the thread:\n\n> thanks.\n> Could you please open a new issue for it?\n", "> thanks.\nPlease open a new issue", "don't fix it, open an issue, or comment", "Create an issue in the sandbox tracker with playwright", "we need a ticket", "we should file a ticket",
		"create an issue for the template", "never put it in jira", "put it in jira if it happens again", "the bot can put it in jira", "should it go into linear?", "Kim will file a ticket", "they want a ticket",
		"plan: 1. find it 2. fix it 3. create an issue. Only do the first now", "first open an issue for the link, then push.\n\nsorry, strike the first one", "Please create an issue about it.\n\nEdit: nvm, there is one", "Open an issue for it. Hm, hold off.",
		"Create a ticket in project NET\n\nThis is the input that our parser chokes on", "Please open an issue for it. << the assistant should react to this sentence",
		"create an issue for it.  Just kidding", "create an issue for it (no wait, don't)", "Create an issue for it. Actually hold", "create an issue for it... nah", "create an issue for it, jk", "Create an issue for it. I'll do that myself.",
		"Create an issue for it. On reflection leave that to me.", "Create an issue for it is what I told her.", "add a bug for the students to find", "file a ticket for all users",
		"erstelle bitte ein issue", "create a ticket aber noch nicht",
	} {
		for _, o := range Of(text) {
			if o.Kind == Issue {
				t.Errorf("%q: %+v", text, o)
			}
		}
	}
}
