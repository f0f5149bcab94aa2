package gates

import (
	"reflect"
	"slices"
	"testing"
)

func TestClassifyKnownTools(t *testing.T) {
	tests := []struct {
		tool string
		fam  Family
		verb Verb
		res  ResourceType
		high bool
	}{
		{"execute_bash", FamilyShell, VerbExecute, ResourceProcess, true},
		{"Bash", FamilyShell, VerbExecute, ResourceProcess, true},
		{"functions.shell", FamilyShell, VerbExecute, ResourceProcess, true},
		{"Read", FamilyFile, VerbRead, ResourceFile, false},
		{"search_file_content", FamilyFile, VerbSearch, ResourceFile, false},
		{"send_money", FamilyPayment, VerbSend, ResourceAccount, true},
		{"get_webpage", FamilyWeb, VerbNavigate, ResourceNetwork, true},
		{"find_user_id_by_email", FamilyApp, VerbSearch, ResourceAccount, false},
		{"think", FamilyAgent, VerbThink, ResourceNone, false},
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
		verb Verb
		high bool
	}{
		{"GmailSendEmail", FamilyMessage, VerbSend, true},
		{"GoogleCalendarCreateOrUpdateEvent", FamilyCalendar, VerbWrite, true},
		{"mcp__crm__list_customers", FamilyApp, VerbRead, false},
		{"deleteRepository", FamilyApp, VerbDelete, true},
		{"BinanceWithdraw", FamilyApp, VerbSend, true},
		{"read_and_delete_mail", FamilyMessage, VerbDelete, true},
		{"frobnicate", FamilyUnknown, VerbUnknown, true},
		{"", FamilyUnknown, VerbUnknown, true},
	}
	for _, tt := range tests {
		got := Classify(tt.tool)
		if got.Family != tt.fam || got.Verb != tt.verb || got.High != tt.high || got.Basis == BasisBuiltin {
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
