package call

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestRolesByNameAndVerb: what an argument is for follows from its name and from
// what its tool does.
func TestRolesByNameAndVerb(t *testing.T) {
	tests := []struct {
		tool, args, path, role string
	}{
		// a party that is looked up gets nothing
		{"find_customer", `{"email":"a@b.example"}`, "email", "record"},
		{"read_messages", `{"channel":"general"}`, "channel", "record"},
		{"post_message", `{"channel":"general"}`, "channel", "recipient"},
		{"get_quote", `{"recipients":"a@b.example"}`, "recipients", "recipient"},
		// whose messages they are is not who gets them; money goes to an account
		{"save_draft_message", `{"account":"work","to":"a@b.example"}`, "account", "record"},
		{"save_draft_message", `{"account":"work","to":"a@b.example"}`, "to", "recipient"},
		{"send_money", `{"account":"NL12"}`, "account", "recipient"},
		// who is named gets what is sent, unless an address stands beside the name
		{"invite_member", `{"user":"Ada"}`, "user", "recipient"},
		{"invite_member", `{"user":"Ada","user_email":"a@b.example"}`, "user", "record"},
		{"remove_member", `{"member":"Ada"}`, "member", "record"},
		// a record by its id, or by what the tool is called after
		{"cancel_appointment", `{"appointment_id":"7"}`, "appointment_id", "record"},
		{"reserve_room", `{"room":"blue"}`, "room", "record"},
		{"reserve_room", `{"colour":"blue"}`, "colour", ""},
		// where a tool changes an address, things go to its lines
		{"change_shipping_address", `{"street":"Elm 1"}`, "street", "recipient"},
		{"get_shipping_address", `{"street":"Elm 1"}`, "street", ""},
		{"reserve_room", `{"city":"Oslo"}`, "city", ""},
		// an address that a tool of the web sends to
		{"submit_webpage", `{"url":"https://a.example"}`, "url", "url-send"},
		{"load_webpage", `{"url":"https://a.example"}`, "url", "url-fetch"},
		{"create_ticket", `{"subject":"x"}`, "subject", "payload"},
		{"search_tickets", `{"subject":"x"}`, "subject", ""},
		// what else a tool that runs something is given stays unknown
		{"mcp__x__run_command", `{"command":"ls","session_id":"a b; c"}`, "session_id", ""},
	}
	places := effect.Places{Cwd: "/w"}.Normal()
	for _, tt := range tests {
		c := Read(Request{Tool: tt.tool, Args: []byte(tt.args)}, &places, nil)
		i := slices.IndexFunc(c.Args, func(a Arg) bool { return a.Path == tt.path })
		if i < 0 || c.Args[i].Role != tt.role {
			t.Errorf("%s %s: want %s to be %q: %+v", tt.tool, tt.args, tt.path, tt.role, c.Args)
		}
	}
}
