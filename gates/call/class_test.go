package call

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

func TestClassifyKnownTools(t *testing.T) {
	tests := []struct {
		tool string
		fam  Family
		verb effect.Verb
		res  ResourceType
		high bool
	}{
		{"execute_bash", FamilyShell, effect.VerbExecute, ResourceProcess, true},
		{"Bash", FamilyShell, effect.VerbExecute, ResourceProcess, true},
		{"functions.shell", FamilyShell, effect.VerbExecute, ResourceProcess, true},
		{"Read", FamilyFile, effect.VerbRead, ResourceFile, false},
		{"search_file_content", FamilyFile, effect.VerbSearch, ResourceFile, false},
		{"fetch_webpage", FamilyWeb, effect.VerbNavigate, ResourceNetwork, true},
		{"think", FamilyAgent, effect.VerbThink, ResourceNone, false},
	}
	for _, tt := range tests {
		want := Class{tt.fam, tt.verb, tt.res, tt.high, BasisBuiltin}
		if got := Classify(tt.tool); got != want {
			t.Errorf("Classify(%q) = %+v, want %+v", tt.tool, got, want)
		}
	}
}

func TestClassifyGuessesFromWords(t *testing.T) {
	tests := []struct {
		tool string
		fam  Family
		verb effect.Verb
		high bool
	}{
		{"GmailSendEmail", FamilyMessage, effect.VerbSend, true},
		{"GoogleCalendarCreateOrUpdateEvent", FamilyCalendar, effect.VerbWrite, true},
		{"mcp__crm__list_customers", FamilyApp, effect.VerbRead, false},
		{"deleteRepository", FamilyApp, effect.VerbDelete, true},
		{"BinanceWithdraw", FamilyApp, effect.VerbSend, true},
		{"read_and_delete_mail", FamilyMessage, effect.VerbDelete, true},
		{"terminalexecute", FamilyShell, effect.VerbExecute, true},
		{"TerminalDownload", FamilyWeb, effect.VerbNavigate, true},
		{"terminaldownload", FamilyWeb, effect.VerbNavigate, true},
		{"TerminalRead", FamilyShell, effect.VerbRead, false},
		{"download", FamilyWeb, effect.VerbNavigate, true},
		{"download_file", FamilyFile, effect.VerbRead, false}, // maybe the application's own
		{"download_and_execute", FamilyApp, effect.VerbExecute, true},
		{"terminalise", FamilyUnknown, effect.VerbUnknown, true},
		{"frobnicate", FamilyUnknown, effect.VerbUnknown, true},
		{"", FamilyUnknown, effect.VerbUnknown, true},
	}
	for _, tt := range tests {
		got := Classify(tt.tool)
		if got.Family != tt.fam || got.Verb != tt.verb || got.High != tt.high || got.Basis == BasisBuiltin {
			t.Errorf("Classify(%q) = %v %v high=%v basis=%d, want %v %v high=%v", tt.tool, got.Family, got.Verb, got.High, got.Basis, tt.fam, tt.verb, tt.high)
		}
	}
}

// TestClassifyAsksWhereAVerbIsMeant: a verb that also is a noun is one where its
// object follows, and a word joined to a verb is a verb unless it can be none.
func TestClassifyAsksWhereAVerbIsMeant(t *testing.T) {
	for _, tool := range []string{
		"get_transfer_money", "search_transfer_funds", "get_transfer_ownership", "list_transfer_ownership", "read_request_payment",
		"get_exchange_currency", "find_book_flight", "get_book_table", "get_order_pizza", "get_reply_all", "query_share_everyone",
		"list_patch_server", "get_update_all", "get_share_list", "get_transfer_for_bob", "get_order_status_wipe", "get_draft_letter",
		"find_and_ban_user", "get_and_wipe_records", "read_and_nuke_mailbox", "validate_and_settle_invoice", "calculateAndCharge",
		"verify_account_and_close", "fetch_then_drop_table", "view_and_email_invoice", "find_customer_and_email", "confirm_and_charge",
		"get_records_and_settles_invoice", "get_orders_and_refunds", "find_user_or_spam", "read_and", "check_order_packing_station", "get_city_or_region_details",
	} {
		if got := Classify(tool); !got.High || got.Verb.Reads() {
			t.Errorf("Classify(%q) = %v %v high=%v, want one that asks", tool, got.Family, got.Verb, got.High)
		}
	}
	for _, tool := range []string{
		"get_order", "get_order_details", "get_order_status_by_id", "get_order_items", "get_transfer_history", "get_transfer_by_id", "get_exchange_rate",
		"list_draft_emails", "list_post_ids", "get_terms_and_conditions", "list_hotels_and_flights_in_city", "get_date_and_time", "search_and_list_users",
	} {
		if got := Classify(tool); got.High || !got.Verb.Reads() {
			t.Errorf("Classify(%q) = %v %v high=%v, want a read", tool, got.Family, got.Verb, got.High)
		}
	}
}

// TestClassifyReadsEnglish: where a word of a name stands says what it is, in names
// of no benchmark as well.
func TestClassifyReadsEnglish(t *testing.T) {
	tests := []struct {
		tool string
		fam  Family
		verb effect.Verb
		high bool
	}{
		// a noun behind a verb that reads is what is read
		{"get_order_status", FamilyApp, effect.VerbRead, false},
		{"listDraftInvoices", FamilyPayment, effect.VerbRead, false},
		{"find_post", FamilyMessage, effect.VerbSearch, false},
		{"get_draft_send", FamilyApp, effect.VerbCreate, true}, // another verb follows: nobody knows
		{"search_replace_text", FamilyApp, effect.VerbWrite, true},
		{"fetch_run", FamilyApp, effect.VerbExecute, true},
		{"create_order", FamilyApp, effect.VerbCreate, true},
		// what is read over the network is opened
		{"read_website", FamilyWeb, effect.VerbNavigate, true},
		{"loadUrl", FamilyWeb, effect.VerbNavigate, true},
		{"list_websites", FamilyWeb, effect.VerbRead, false},
		{"get_page", FamilyWeb, effect.VerbRead, false}, // of a wiki
		{"search_web", FamilyWeb, effect.VerbSearch, false},
		// who is added is told, and who is on duty is asked
		{"add_guests", FamilyApp, effect.VerbSend, true},
		{"add_label", FamilyApp, effect.VerbCreate, true},
		{"hand_to_supervisor", FamilyUnknown, effect.VerbUnknown, true},
		{"forward_to_staff", FamilyApp, effect.VerbSend, true}, // a thing that is not named
		{"transfer_to_staff", FamilyAgent, effect.VerbAsk, false},
		{"transferToHumanAgent", FamilyAgent, effect.VerbAsk, false},
		{"transfer_to_staff_account", FamilyApp, effect.VerbSend, true},
		{"transfer_to_operator_wallet", FamilyPayment, effect.VerbSend, true},
		{"bank_transfer_to_staff", FamilyPayment, effect.VerbSend, true},
		{"send_to_operator", FamilyApp, effect.VerbSend, true},
		{"pay_to_representative", FamilyApp, effect.VerbSend, true},
		{"transfer_money_to_operator", FamilyPayment, effect.VerbSend, true},
		{"transfer_to_savings", FamilyPayment, effect.VerbSend, true},
		// money moves by being made
		{"create_payment", FamilyPayment, effect.VerbSend, true},
		{"schedule_withdrawal", FamilyApp, effect.VerbSend, true},
		{"create_invoice", FamilyPayment, effect.VerbCreate, true},
		{"schedule_meeting", FamilyCalendar, effect.VerbCreate, true},
		// by what something is found is not what is found
		{"find_customer_by_phone_and_email", FamilyApp, effect.VerbSearch, false},
		{"send_file_by_email", FamilyMessage, effect.VerbSend, true},
	}
	for _, tt := range tests {
		if got := Classify(tt.tool); got.Family != tt.fam || got.Verb != tt.verb || got.High != tt.high || got.Basis == BasisBuiltin {
			t.Errorf("Classify(%q) = %v %v high=%v basis=%d, want %v %v high=%v", tt.tool, got.Family, got.Verb, got.High, got.Basis, tt.fam, tt.verb, tt.high)
		}
	}
}

func TestToolTablesAreSorted(t *testing.T) {
	check := func(name string, words []string) {
		if len(words) == 0 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%s is empty, unsorted or has duplicates", name)
		}
	}
	var a, b, c []string
	for _, e := range builtinTools {
		a = append(a, e.name)
	}
	for _, e := range verbWords {
		b = append(b, e.word)
	}
	for _, e := range nounWords {
		c = append(c, e.word)
	}
	check("builtinTools", a)
	check("verbWords", b)
	check("nounWords", c)
	check("nounVerbs", strings.Fields(nounVerbs))
	for _, nouns := range [][]string{webNouns[:], moneyNouns[:], peopleNouns[:], dutyNouns[:], addressNouns[:], attributes[:], handedVerbs[:], handedThings[:]} {
		check(nouns[0], nouns)
	}
	for w := range strings.FieldsSeq(nounVerbs) {
		if _, ok := verbWord(w); !ok {
			t.Errorf("nounVerbs: %s is no verb", w)
		}
	}
}

func TestWords(t *testing.T) {
	if got, want := words("getHTTPPage_v2-now"), []string{"get", "http", "page", "v", "now"}; !reflect.DeepEqual(got, want) {
		t.Errorf("words = %q, want %q", got, want)
	}
}

func TestCommandOf(t *testing.T) {
	tests := []struct {
		name, tool, args, want string
		ok                     bool
	}{
		{"object", "execute_bash", `{"command":"ls -l","timeout":3}`, "ls -l", true},
		{"object in a string", "bash", `"{\"command\":\"ls\"}"`, "ls", true},
		{"bare string", "bash", `"ls"`, "ls", true},
		{"codex vector", "shell", `{"command":["bash","-lc","git status"]}`, "git status", true},
		{"vector", "shell", `{"command":["rm","a b"]}`, "rm 'a b'", true},
		{"exec_command", "exec_command", `{"cmd":"make"}`, "make", true},
		{"an editor's command is no command line", "str_replace_editor", `{"command":"view"}`, "", false},
		{"no command", "bash", `{"restart":true}`, "", false},
		{"bad JSON", "bash", `{"command":`, "", false},
	}
	for _, tt := range tests {
		got, ok := CommandOf(tt.tool, []byte(tt.args))
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: CommandOf = %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}
