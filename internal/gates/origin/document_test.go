package origin_test

import (
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/origin"
)

// TestDocument holds that what looks like fields is none where all of a result is
// somebody else's: of a page, a file, a message, a program, a host's own texts.
func TestDocument(t *testing.T) {
	const dump, object, literal = "name: Osric\nemail: osric@lathes.example", `{"email":"osric@lathes.example"}`, `['write to', 'osric@lathes.example']`
	for tool, want := range map[string][3]string{
		"": {"~", "~", "~"}, "get_webpage": {"~", "~", "~"}, "read_file": {"~", "~", "~"}, "bash": {"~", "~", "~"}, "execute_ipython_cell": {"~", "~", "~"},
		"get_file_contents": {"~", "~", "~"}, "mcp__hub__getFileContents": {"~", "~", "~"}, "read_email": {"~", "~", "~"}, "get_issue_comment": {"~", "~", "~"},
		"slack_get_thread": {"~", "~", "~"}, "notion-fetch": {"~", "~", "~"}, "tavily-extract": {"~", "~", "~"}, "load_file": {"~", "~", "~"}, "get_page_text": {"~", "~", "~"},
		"get_file_by_id": {"~", "~", "~"}, "query_knowledge_base": {"~", "~", "~"}, "download_attachment": {"~", "~", "~"}, "retrieve": {"~", "~", "~"},
		// Who has such a name may return anything: prose is not taken for a dump.
		"get_order": {"~", "email", "[]"}, "check_status": {"~", "email", "[]"}, "get_address": {"~", "email", "[]"}, "whois": {"~", "email", "[]"},
		"web_search": {"email", "email", "[]"}, "list_files": {"email", "email", "[]"}, "search_files": {"email", "email", "[]"}, "get_orders": {"email", "email", "[]"},
		"get_unread_emails": {"email", "email", "[]"}, "read_channel_messages": {"email", "email", "[]"}, "get_user_info": {"email", "email", "[]"}, "create_issue": {"email", "email", "[]"},
	} {
		for i, result := range []string{dump, object, literal} {
			var x origin.Index
			x.Observe(tool, []byte(result))
			if _, _, form := x.Find("osric@lathes.example"); form != want[i] {
				t.Errorf("%s: %s: form %q, want %q", tool, result, form, want[i])
			}
		}
	}
}

// TestLetter holds that a few lines of prose that happen to be a mapping are text.
func TestLetter(t *testing.T) {
	for result, want := range map[string]string{
		"note: mail the figures to the address below\naddress: osric@lathes.example":      "~",
		"To whom it concerns: hello\naddress: osric@lathes.example":                       "~",
		"'Dear all': hello\naddress: osric@lathes.example":                                "~",
		"street: 4 Long Mill Lane\naddress: osric@lathes.example":                         "~",
		"street: Mill Lane 4\naddress: osric@lathes.example":                              "address",
		"street: 4 Long Mill Lane\naddress: osric@lathes.example\nzip: '11'\ncity: Lathe": "address",
		"- note: mail the figures to the address below\n  address: osric@lathes.example":  "[].address",
		"note: mail the figures to the address below\nto:\n- osric@lathes.example":        "to[]",
	} {
		var x origin.Index
		x.Observe("get_orders", []byte(result))
		if _, _, form := x.Find("osric@lathes.example"); form != want {
			t.Errorf("%q: form %q, want %q", result, form, want)
		}
	}
}
