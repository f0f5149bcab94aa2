package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads what an unlisted tool does out of the words of its name, as
// English puts them: a verb, what it is done to, and behind a preposition whom or
// where. It knows words and no tools: two names of the same words in the same
// order have the same class.

// maxNameWords bounds the words of a name that is guessed at. The longest name
// of a tool in the shared logs has seven.
const maxNameWords = 8

// guess classifies an unlisted tool by the words of its name. The first word
// that is a verb decides, except that a verb joined to it by "and" or "or"
// (create_or_update, read_and_delete) counts too and the riskier one wins.
func guess(name, tool string) Class {
	short := tool
	if len(name) <= len(tool) {
		short = strings.TrimSpace(tool)
		short = short[max(0, len(short)-len(name)):]
	}
	ws := words(short)
	if len(ws) > maxNameWords {
		return Class{High: true} // a sentence, not a name
	}
	verb, at := verbOf(ws)
	if at < 0 {
		return Class{High: true}
	}
	if asksPerson(ws[at+1:]) && verb == effect.VerbSend {
		return Class{Family: FamilyAgent, Verb: effect.VerbAsk, Basis: BasisName}
	}
	fam, res := objectOf(ws, at, verb)
	if fam == FamilyUnknown {
		fam, res = FamilyApp, ResourceRecord
	}
	verb = verbOn(verb, ws[at:])
	return Class{Family: fam, Verb: verb, Resource: res, High: High(verb, res), Basis: BasisName}
}

// verbOf returns what the verbs of a name say, and where the first one stands; -1
// if there is none.
func verbOf(ws []string) (effect.Verb, int) {
	verb, at := effect.VerbUnknown, -1
	for i, w := range ws {
		v, ok := verbWord(w)
		if !ok {
			continue
		}
		if at < 0 {
			verb, at = v, i
			continue
		}
		if joined(ws[at+1:i]) && v > verb && !(i == at+1 && isObject(verb, ws[i:])) {
			verb = v
		}
	}
	return verb, at
}

func joined(between []string) bool {
	for _, w := range between {
		if w == "and" || w == "or" {
			return true
		}
	}
	return len(between) == 0
}

// nounVerbs are verbs that are nouns as well, names of a record: get_order reads
// one. Words for what runs (call, run, build) are none of them: which is meant is
// not known, and the riskier reading stands. Sorted.
var nounVerbs = [...]string{
	"block", "book", "change", "draft", "exchange", "order", "patch", "plan", "post", "purchase", "refund", "reply", "request", "schedule",
	"share", "transfer", "tweet", "update",
}

// isObject says whether the word behind a verb that reads is the noun that is
// read, and no second verb: it may be one, and no other verb follows, which would
// have it for its object.
func isObject(verb effect.Verb, rest []string) bool {
	if verb != effect.VerbRead && verb != effect.VerbSearch {
		return false
	}
	if _, ok := slices.BinarySearch(nounVerbs[:], rest[0]); !ok {
		return false
	}
	return !slices.ContainsFunc(rest[1:], func(w string) bool {
		v, ok := verbWord(w)
		return ok && !v.Reads()
	})
}

// verbOn is what a verb comes to, done to what the words behind it name: to read
// a page is to open it, to add people is to invite them, and to make a payment is
// to pay.
func verbOn(verb effect.Verb, ws []string) effect.Verb {
	switch {
	case verb == effect.VerbRead && ws[0] != "list" && ws[0] != "count" && hasNoun(ws[1:], webNouns[:]):
		return effect.VerbNavigate
	case verb != effect.VerbCreate:
		return verb
	case hasNoun(ws[1:], moneyNouns[:]), ws[0] == "add" && hasNoun(ws[1:], peopleNouns[:]):
		return effect.VerbSend
	}
	return verb
}

// What is opened by being read, what moves money by being made, and who is told
// of being added: nouns without a plural s. Pages and sites are not among the
// first, which are also those of a wiki or of a shop's database. Sorted.
var (
	webNouns    = [...]string{"http", "internet", "url", "web", "webpage", "website"}
	moneyNouns  = [...]string{"deposit", "fund", "money", "payment", "refund", "transaction", "transfer", "withdrawal"}
	peopleNouns = [...]string{"attendee", "collaborator", "follower", "guest", "invitee", "member", "participant", "people", "recipient", "subscriber", "user"}
	dutyNouns   = [...]string{"human", "operator", "representative", "staff", "supervisor"}
)

func hasNoun(ws, nouns []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool {
		_, ok := slices.BinarySearch(nouns, strings.TrimSuffix(w, "s"))
		return ok
	})
}

// asksPerson says whether the words behind a verb that sends name no thing, and
// somebody on duty to whom: transfer_to_human hands the conversation over.
func asksPerson(rest []string) bool {
	return len(rest) > 1 && rest[0] == "to" && hasNoun(rest[1:min(len(rest), 3)], dutyNouns[:])
}

func verbWord(w string) (effect.Verb, bool) {
	i, ok := find(verbWords[:], w, func(e verbEntry) string { return e.word })
	if !ok {
		return effect.VerbUnknown, false
	}
	return verbWords[i].verb, true
}

// objectOf is what a tool works with, by the nouns of its name. What is read
// stands before the first preposition; behind it stands by what it is found:
// find_user_by_email. Whatever changes something counts for what it may reach
// last.
func objectOf(ws []string, at int, verb effect.Verb) (Family, ResourceType) {
	if verb == effect.VerbRead || verb == effect.VerbSearch {
		if i := slices.IndexFunc(ws[at+1:], preposition); i > 0 {
			if fam, res := nounOf(ws[:at+1+i]); fam != FamilyUnknown {
				return fam, res
			}
		}
	}
	return nounOf(ws)
}

func preposition(w string) bool {
	switch w {
	case "at", "by", "for", "from", "in", "of", "on", "to", "with":
		return true
	}
	return false
}

func nounOf(ws []string) (Family, ResourceType) {
	for i := len(ws) - 1; i >= 0; i-- {
		w := strings.TrimSuffix(ws[i], "s")
		if j, ok := find(nounWords[:], w, func(e nounEntry) string { return e.word }); ok {
			return nounWords[j].family, nounWords[j].resource
		}
	}
	return FamilyUnknown, ResourceNone
}
