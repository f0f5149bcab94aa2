package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// guessRole names the role of an argument that no table knows, by its name and by
// what its tool does. It only labels: effects of such tools do not rest on it.
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
		return b.wordRole(&roleWords[i])
	}
	return b.appRole(key)
}

// wordRole is the role of a telling name, in what the tool does: where nothing is
// handed out, a person or an account is one that is looked up, and an address
// that something is sent to is more than one to fetch from.
func (b *builder) wordRole(w *roleWord) effect.Role {
	verb := b.c.Class.Verb
	looks := verb == effect.VerbRead || verb == effect.VerbSearch
	switch {
	case w.role == effect.RoleRecipient && (looks && !w.gets || w.key == "account" && b.c.Class.Family == FamilyMessage):
		return effect.RoleRecord // of messages the account is whose they are
	case w.role == effect.RoleURLFetch && b.c.Class.Family == FamilyWeb && verb.Record().Changes():
		return effect.RoleURLSend
	}
	return w.role
}

// appRole is the role of a name in a tool of an application: of an id, a user, or
// what the tool itself is called after (reserve_room, room) the record that the
// call is about, and of a subject or a description what it carries. Whom a tool
// that sends names is who gets it, unless an address stands beside the name: then
// that does, and the name says whose it is. What else a tool that runs something
// is given stays unknown.
func (b *builder) appRole(key string) effect.Role {
	ws := words(key)
	if b.c.Class.Basis != BasisName || slices.Contains(runners[:], b.c.Class.Family) || len(ws) == 0 {
		return effect.RoleNone
	}
	verb := b.c.Class.Verb
	switch {
	case hasNoun(ws[:1], peopleNouns[:]) || ws[0] == "username":
		if verb == effect.VerbSend && !b.hasAddress() {
			return effect.RoleRecipient
		}
		return effect.RoleRecord
	case verb.Record().Changes() && b.about("address") && addressLine(ws[0]):
		return effect.RoleRecipient
	case verb.Record().Changes() && (key == "subject" || key == "description"):
		return effect.RolePayload
	case ws[len(ws)-1] == "id", len(ws) == 1 && b.about(ws[0]):
		return effect.RoleRecord
	}
	return effect.RoleNone
}

// runners are the families of tools that run what they are given.
var runners = [...]Family{FamilyShell, FamilyCode, FamilySQL}

// hasAddress says whether an argument is a person's address by its name.
func (b *builder) hasAddress() bool {
	return slices.ContainsFunc(b.c.Args, func(a Arg) bool {
		key, _, _ := strings.Cut(a.Path, ".")
		return hasNoun(words(key), addressNouns[:])
	})
}

// addressNouns are what people are reached by. Sorted.
var addressNouns = [...]string{"account", "email", "iban", "mail", "phone"}

// about says whether a word is one of the tool's name and no verb.
func (b *builder) about(word string) bool {
	_, verb := verbWord(word)
	return !verb && slices.Contains(Words(b.call.Tool), word)
}

// addressLine says whether an argument is a part of a postal address: where the
// address is what a tool changes, that is where things go from then on.
func addressLine(word string) bool {
	switch word {
	case "address", "city", "country", "county", "house", "postal", "postcode", "province", "region", "state", "street", "zip", "zipcode":
		return true
	}
	return false
}

// roleWord is a telling name of an argument. gets says that whoever it names
// receives something, whatever the tool's name says: others name a party that a
// tool may as well look up by it.
type roleWord struct {
	key  string
	role effect.Role
	gets bool
}

// roleWords are names of arguments that mean the same in the tools of most
// applications and MCP servers. Sorted by key.
var roleWords = [...]roleWord{
	{"account", effect.RoleRecipient, false},
	{"account_number", effect.RoleRecipient, false},
	{"amount", effect.RoleAmount, false},
	{"attendees", effect.RoleRecipient, true},
	{"bcc", effect.RoleRecipient, true},
	{"beneficiary", effect.RoleRecipient, true},
	{"body", effect.RolePayload, false},
	{"cc", effect.RoleRecipient, true},
	{"channel", effect.RoleRecipient, false},
	{"channel_id", effect.RoleRecipient, false},
	{"chat_id", effect.RoleRecipient, false},
	{"content", effect.RolePayload, false},
	{"destination_account", effect.RoleRecipient, true},
	{"email", effect.RoleRecipient, false},
	{"emails", effect.RoleRecipient, false},
	{"endpoint", effect.RoleURLSend, false},
	{"guests", effect.RoleRecipient, true},
	{"iban", effect.RoleRecipient, false},
	{"invitees", effect.RoleRecipient, true},
	{"link", effect.RoleURLFetch, false},
	{"message", effect.RolePayload, false},
	{"participants", effect.RoleRecipient, true},
	{"payee", effect.RoleRecipient, true},
	{"phone", effect.RoleRecipient, false},
	{"phone_number", effect.RoleRecipient, false},
	{"price", effect.RoleAmount, false},
	{"quantity", effect.RoleAmount, false},
	{"receiver", effect.RoleRecipient, true},
	{"recipient", effect.RoleRecipient, true},
	{"recipient_email", effect.RoleRecipient, true},
	{"recipients", effect.RoleRecipient, true},
	{"share_with", effect.RoleRecipient, true},
	{"sum", effect.RoleAmount, false},
	{"text", effect.RolePayload, false},
	{"to", effect.RoleRecipient, true},
	{"to_account", effect.RoleRecipient, true},
	{"url", effect.RoleURLFetch, false},
	{"urls", effect.RoleURLFetch, false},
	{"user_email", effect.RoleRecipient, false},
	{"wallet", effect.RoleRecipient, false},
	{"webhook", effect.RoleURLSend, false},
	{"webhook_url", effect.RoleURLSend, false},
}
