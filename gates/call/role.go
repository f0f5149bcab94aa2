package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// roles gives each argument its role and takes the words out, comments of a
// command line among them.
func (b *builder) roles() {
	kept := b.c.Args[:0]
	risk := b.has("security_risk")
	for _, a := range b.c.Args {
		r := b.roleOf(a.Path, risk)
		if r == effect.RoleWords {
			continue
		}
		a.Role = r.String()
		if r == effect.RoleCommand && !strings.Contains(a.Path, ".") {
			if strings.IndexByte(a.Value, '#') >= 0 {
				a.Value = b.parsed(a.Value).WithoutComments()
			}
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
func (b *builder) roleOf(path string, risk bool) effect.Role {
	key, _, nested := strings.Cut(path, ".")
	if b.schema != nil {
		if r, ok := b.schema.role(path); ok {
			return r
		}
		return effect.RoleNone
	}
	if key == "security_risk" || risk && key == "summary" {
		return effect.RoleWords // an agent's claim about its own call, on every tool OpenHands has
	}
	if b.c.Class.Basis == BasisBuiltin {
		if r, ok := builtinRole(Name(b.call.Tool), key); ok {
			return r
		}
	}
	return b.guessRole(key, nested)
}

// guessRole names the role of an argument that no table knows by its name. It
// only labels: effects of such tools do not rest on it.
func (b *builder) guessRole(key string, nested bool) effect.Role {
	switch {
	case b.c.Class.Family == FamilyFile && (!nested && slices.Contains(pathKeys[:], key) || nested && slices.Contains(pathLists[:], key)):
		switch b.c.Class.Verb {
		case effect.VerbRead, effect.VerbSearch:
			return effect.RolePathRead
		case effect.VerbDelete:
			return effect.RolePathDelete
		}
		return effect.RolePathWrite
	case b.c.Class.Family == FamilyShell && slices.Contains(commandKeys[:], key):
		return effect.RoleCommand
	case names.SecretArgument(key):
		return effect.RoleSecret
	}
	if i, ok := find(roleWords[:], key, func(e roleWord) string { return e.key }); ok {
		return roleWords[i].role
	}
	return effect.RoleNone
}

type roleWord struct {
	key  string
	role effect.Role
}

// roleWords are names of arguments that mean the same in the tools of most
// MCP servers and benchmarks. Sorted by key.
var roleWords = [...]roleWord{
	{"account", effect.RoleRecipient}, {"account_number", effect.RoleRecipient}, {"amount", effect.RoleAmount}, {"attendees", effect.RoleRecipient},
	{"bcc", effect.RoleRecipient}, {"beneficiary", effect.RoleRecipient}, {"body", effect.RolePayload}, {"cc", effect.RoleRecipient},
	{"channel", effect.RoleRecipient}, {"channel_id", effect.RoleRecipient}, {"chat_id", effect.RoleRecipient}, {"content", effect.RolePayload},
	{"destination_account", effect.RoleRecipient}, {"email", effect.RoleRecipient}, {"emails", effect.RoleRecipient}, {"endpoint", effect.RoleURLSend},
	{"guests", effect.RoleRecipient}, {"iban", effect.RoleRecipient}, {"invitees", effect.RoleRecipient}, {"link", effect.RoleURLFetch},
	{"message", effect.RolePayload}, {"participants", effect.RoleRecipient}, {"payee", effect.RoleRecipient},
	{"phone", effect.RoleRecipient}, {"phone_number", effect.RoleRecipient}, {"price", effect.RoleAmount}, {"quantity", effect.RoleAmount},
	{"receiver", effect.RoleRecipient}, {"recipient", effect.RoleRecipient}, {"recipient_email", effect.RoleRecipient}, {"recipients", effect.RoleRecipient},
	{"share_with", effect.RoleRecipient}, {"sum", effect.RoleAmount}, {"text", effect.RolePayload}, {"to", effect.RoleRecipient},
	{"to_account", effect.RoleRecipient}, {"url", effect.RoleURLFetch}, {"urls", effect.RoleURLFetch}, {"user_email", effect.RoleRecipient},
	{"wallet", effect.RoleRecipient}, {"webhook", effect.RoleURLSend}, {"webhook_url", effect.RoleURLSend},
}

// FamilyNames are the names of the families that a schema can have.
func FamilyNames() []string { return append([]string(nil), familyNames[1:]...) }

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
func secretTool(tool string) bool { return names.SecretTool(Words(tool)) }
