package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/call/shell"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Role is what an argument of a tool is for. The zero value says nothing.
type Role uint8

// The roles. A role decides which effect an argument has; RoleWords has none
// and keeps the argument out of the context (requirement C5).
const (
	RoleNone       Role = iota
	RolePathRead        // a path that is read
	RolePathList        // a path whose names are listed or searched
	RolePathWrite       // a path that is created or changed
	RolePathDelete      // a path that is removed
	RoleURLFetch        // an address that is fetched from
	RoleURLSend         // an address that is sent to
	RoleCommand         // a shell command line
	RoleCode            // code for an interpreter
	RoleSQL             // statements for a database
	RoleRecipient       // who or what receives: an address, an account, a channel
	RoleAmount          // how much money, or how many of something
	RolePayload         // what is written or sent
	RoleRecord          // the id or name of a record of an application
	RoleCwd             // the directory a command runs in
	RoleEscalate        // asks to run outside a sandbox, unless it is false
	RoleSecret          // a password or key to set
	RoleWords           // words for people: a description, a reason, a thought
	numRoles
)

var roleNames = [numRoles]string{
	"", "path-read", "path-list", "path-write", "path-delete", "url-fetch", "url-send", "command", "code", "sql",
	"recipient", "amount", "payload", "record", "cwd", "escalate", "secret", "words",
}

// String returns the role's name, as Arg.Role and gbt.yaml have it.
func (r Role) String() string { return nameOf(roleNames[:], int(r)) }

// ParseRole returns the role with a name.
func ParseRole(name string) (Role, bool) {
	for i, n := range roleNames {
		if n == name {
			return Role(i), true
		}
	}
	return RoleNone, false
}

// leads says whether an argument of the role decides where a call leads: to
// whom, to which page, with which secret.
func (r Role) leads() bool {
	return r == RoleRecipient || r == RoleURLFetch || r == RoleURLSend || r == RoleSecret
}

// Sinks returns the indexes of the arguments that decide where data, money or
// control goes: recipients, amounts, addresses and secrets that are set. An
// attacker's value in one of them is what most injected calls carry, so
// provenance gates look there.
func (c *Context) Sinks() []int {
	var out []int
	for i := range c.Args {
		switch r, _ := ParseRole(c.Args[i].Role); r {
		case RoleRecipient, RoleAmount, RoleURLFetch, RoleURLSend, RoleSecret:
			out = append(out, i)
		}
	}
	return out
}

// roles gives each argument its role and takes the words out, comments of a
// command line among them.
func (b *builder) roles() {
	kept := b.c.Args[:0]
	risk := b.has("security_risk")
	for _, a := range b.c.Args {
		r := b.roleOf(a.Path, risk)
		if r == RoleWords {
			continue
		}
		a.Role = r.String()
		if r == RoleCommand && !strings.Contains(a.Path, ".") {
			a.Value = shell.StripComments(a.Value)
		}
		kept = append(kept, a)
	}
	b.c.Args = kept
}

func (b *builder) has(key string) bool {
	for i := range b.c.Args {
		if b.c.Args[i].Path == key {
			return true
		}
	}
	return false
}

// roleOf finds the role of an argument by its path: in the tool's schema, in
// the built-in table, or by its name. risk says that the call carries OpenHands'
// own estimate of its risk, which it puts beside a summary for people.
func (b *builder) roleOf(path string, risk bool) Role {
	key, _, nested := strings.Cut(path, ".")
	if b.schema != nil {
		if r, ok := b.schema.role(path); ok {
			return r
		}
		return RoleNone
	}
	if key == "security_risk" || risk && key == "summary" {
		return RoleWords // an agent's claim about its own call, on every tool OpenHands has
	}
	if b.c.Class.Basis == BasisBuiltin {
		if r, ok := builtinRole(bareName(b.call.Tool), key); ok {
			return r
		}
	}
	return b.guessRole(key, nested)
}

// guessRole names the role of an argument that no table knows by its name. It
// only labels: effects of such tools do not rest on it.
func (b *builder) guessRole(key string, nested bool) Role {
	switch {
	case b.c.Class.Family == FamilyFile && (!nested && contains(pathKeys[:], key) || nested && contains(pathLists[:], key)):
		switch b.c.Class.Verb {
		case VerbRead, VerbSearch:
			return RolePathRead
		case VerbDelete:
			return RolePathDelete
		}
		return RolePathWrite
	case b.c.Class.Family == FamilyShell && contains(commandKeys[:], key):
		return RoleCommand
	case effect.SecretArgument(key):
		return RoleSecret
	}
	if i, ok := find(roleWords[:], key, func(e roleWord) string { return e.key }); ok {
		return roleWords[i].role
	}
	return RoleNone
}

type roleWord struct {
	key  string
	role Role
}

// roleWords are names of arguments that mean the same in the tools of most
// MCP servers and benchmarks. Sorted by key.
var roleWords = [...]roleWord{
	{"account", RoleRecipient}, {"account_number", RoleRecipient}, {"amount", RoleAmount}, {"attendees", RoleRecipient},
	{"bcc", RoleRecipient}, {"beneficiary", RoleRecipient}, {"body", RolePayload}, {"cc", RoleRecipient},
	{"channel", RoleRecipient}, {"channel_id", RoleRecipient}, {"chat_id", RoleRecipient}, {"content", RolePayload},
	{"destination_account", RoleRecipient}, {"email", RoleRecipient}, {"emails", RoleRecipient}, {"endpoint", RoleURLSend},
	{"guests", RoleRecipient}, {"iban", RoleRecipient}, {"invitees", RoleRecipient}, {"link", RoleURLFetch},
	{"message", RolePayload}, {"participants", RoleRecipient}, {"payee", RoleRecipient},
	{"phone", RoleRecipient}, {"phone_number", RoleRecipient}, {"price", RoleAmount}, {"quantity", RoleAmount},
	{"receiver", RoleRecipient}, {"recipient", RoleRecipient}, {"recipient_email", RoleRecipient}, {"recipients", RoleRecipient},
	{"share_with", RoleRecipient}, {"sum", RoleAmount}, {"text", RolePayload}, {"to", RoleRecipient},
	{"to_account", RoleRecipient}, {"url", RoleURLFetch}, {"urls", RoleURLFetch}, {"user_email", RoleRecipient},
	{"wallet", RoleRecipient}, {"webhook", RoleURLSend}, {"webhook_url", RoleURLSend},
}

// RoleNames are the names of all roles, VerbNames and FamilyNames those of all
// verbs and families that a schema can have.
func RoleNames() []string { return append([]string(nil), roleNames[1:]...) }

// VerbNames lists the verbs; see RoleNames.
func VerbNames() []string { return append([]string(nil), verbNames[1:]...) }

// FamilyNames lists the families; see RoleNames.
func FamilyNames() []string { return append([]string(nil), familyNames[1:]...) }

// ParseVerb returns the verb with a name; the unknown verb has none.
func ParseVerb(name string) (Verb, bool) {
	i := nameIndex(verbNames[1:], name)
	return Verb(i + 1), i >= 0
}

// ParseFamily returns the family with a name; the unknown family has none.
func ParseFamily(name string) (Family, bool) {
	i := nameIndex(familyNames[1:], name)
	return Family(i + 1), i >= 0
}

func nameIndex(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// secretTool says whether a tool's name says that it reads secrets: of a vault,
// a password manager, a cloud's secret store.
func secretTool(tool string) bool { return effect.SecretTool(Words(tool)) }
