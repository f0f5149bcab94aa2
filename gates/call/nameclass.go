package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
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
	ws := wordsOf(name, tool)
	c := guessVerb(ws)
	if handsOver(ws) && c.Verb == effect.VerbSend {
		return Class{Family: FamilyAgent, Verb: effect.VerbAsk, Basis: BasisName}
	}
	return c
}

// guessVerb is the class that a name's verb and nouns give it.
func guessVerb(ws []string) Class {
	if len(ws) > maxNameWords {
		return Class{High: true} // a sentence, not a name
	}
	if len(ws) == 2 && (ws[0] == "take" || ws[0] == "capture") && (ws[1] == "screenshot" || ws[1] == "snapshot") {
		return Class{Family: FamilyWeb, Verb: effect.VerbRead, Resource: ResourceUI, Basis: BasisName}
	}
	if tends(ws) {
		return Class{Family: FamilyWeb, Verb: effect.VerbNavigate, Resource: ResourceUI, Basis: BasisName}
	}
	if informs(ws) || resolves(ws) {
		return informing(ws)
	}
	verb, at := verbOf(ws)
	if at < 0 || !verb.Record().Changes() && joinsUnknown(ws) {
		return Class{High: true}
	}
	fam, res := objectOf(ws, at, verb)
	if fam == FamilyUnknown {
		fam, res = FamilyApp, ResourceRecord
	}
	if fam == FamilyCode && verb.Reads() {
		fam, res = FamilyApp, ResourceRecord // code that is looked at is not run
	}
	if verb == effect.VerbNavigate && at+1 < len(ws) && (ws[at+1] == "back" || ws[at+1] == "forward") {
		fam, res = FamilyWeb, ResourceUI // to a page that was open before
	}
	verb = verbOn(verb, ws[at:])
	if ws[at] == "download" && verb == effect.VerbRead && (fam == FamilyShell || len(ws) == 1) {
		// What a terminal downloads is from outside; files and records may be the
		// application's own.
		fam, res, verb = FamilyWeb, ResourceNetwork, effect.VerbNavigate
	}
	return Class{Family: fam, Verb: verb, Resource: res, High: High(verb, res), Basis: BasisName}
}

// wordsOf are the words of a tool's name, in the letter case of the tool where that
// is known. What a terminal does is known however it is written: terminalexecute.
func wordsOf(name, tool string) []string {
	short := tool
	if len(name) <= len(tool) {
		short = strings.TrimSpace(tool)
		short = short[max(0, len(short)-len(name)):]
	}
	ws := words(short)
	if len(ws) == 0 {
		return nil
	}
	if rest, ok := strings.CutPrefix(ws[0], "terminal"); ok {
		if v, _ := verbWord(rest); v == effect.VerbExecute || rest == "download" {
			return append([]string{"terminal", rest}, ws[1:]...)
		}
	}
	return compounds(ws)
}

// compounds puts the two words of a thing together of which one is also a verb: a pull
// request or a merge request is neither pulled nor merged nor requested, and a call
// hierarchy is not called.
func compounds(ws []string) []string {
	for i := 0; i+1 < len(ws); i++ {
		switch one := strings.TrimSuffix(ws[i+1], "s"); {
		case (ws[i] == "pull" || ws[i] == "merge") && one == "request":
			ws = slices.Replace(ws, i, i+2, "pullrequest")
		case (ws[i] == "call" || ws[i] == "calls") && (one == "graph" || one == "hierarchy" || one == "hierarchie" || one == "stack" || one == "tree"):
			ws = slices.Replace(ws, i, i+2, "hierarchy")
		}
	}
	return ws
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
		if i == at+1 && i == len(ws)-1 && v == effect.VerbSearch && auxiliary(ws[at]) {
			return v, i // a search is what it starts or stops
		}
		if joined(ws[at+1:i]) && v > verb && !(i == at+1 && isObject(verb, ws[i:])) {
			verb = v
		}
	}
	return verb, at
}

// auxiliary says whether a verb is one of those that begin or end what is named
// behind them.
func auxiliary(w string) bool {
	switch w {
	case "begin", "cancel", "run", "start", "stop":
		return true
	}
	return false
}

func joined(between []string) bool {
	return len(between) == 0 || slices.ContainsFunc(between, conjunction)
}

//go:noinline
func conjunction(w string) bool { return w == "and" || w == "or" || w == "then" }

// joinsUnknown says whether a conjunction of a name is followed by a word that no
// table has and that may be a verb, as in find_and_ban_user.
func joinsUnknown(ws []string) bool {
	for i, w := range ws {
		if !conjunction(w) {
			continue
		}
		if i+1 == len(ws) {
			return true
		}
		if _, ok := verbWord(ws[i+1]); !ok && (w == "then" || !joinsNouns(ws, i)) {
			return true
		}
	}
	return false
}

// joinsNouns says whether the words around the conjunction at i are both nouns:
// attributes of a record, two keys that something is found by, or two plurals
// behind which no object follows.
func joinsNouns(ws []string, i int) bool {
	if i == 0 || i+2 < len(ws) && !preposition(ws[i+2]) {
		return false
	}
	both := ws[i-1 : i+2 : i+2]
	a, b := both[:1], both[2:]
	switch {
	case hasNoun(a, attributes[:]) && hasNoun(b, attributes[:]):
		return true
	case i > 1 && ws[i-2] == "by" && isKey(a) && isKey(b):
		return true
	}
	return plural(ws[i-1]) && plural(ws[i+1])
}

func isKey(w []string) bool { return hasNoun(w, attributes[:]) || hasNoun(w, addressNouns[:]) }

// plural says whether a word has a plural s and is no form of a known verb.
func plural(w string) bool {
	one, ok := strings.CutSuffix(w, "s")
	_, verb := verbWord(one)
	_, same := verbWord(w)
	return ok && one != "" && !strings.HasSuffix(one, "s") && !verb && !same
}

// nounVerbs are verbs that are nouns as well, names of a record: get_order reads
// one. Words for what runs (call, run, build) are none of them: which is meant is
// not known, and the riskier reading stands. Sorted.
const nounVerbs = "block book change draft exchange order patch plan post purchase refund reply request schedule share transfer tweet update"

// attributes are what records have: behind a noun they go on about it, and a verb
// has none of them for its object. Without a plural s. Sorted.
var attributes = [...]string{
	"count", "date", "detail", "history", "id", "info", "information", "item", "list", "name", "number", "rate", "statu", "summary", "time", "type",
}

// handedVerbs hand over or ask for what stands behind them, even one of
// handedThings: share_list, exchange_items, request_info. Sorted.
var (
	handedVerbs  = [...]string{"exchange", "request", "share", "transfer"}
	handedThings = [...]string{"info", "information", "item", "list", "name", "number", "summary"}
)

// isObject says whether the word behind a verb that reads is the noun that is
// read, and no second verb: it may be one, nothing but attributes of a record
// follows, which it could not have for its object, and no other verb does.
func isObject(verb effect.Verb, rest []string) bool {
	if verb != effect.VerbRead && verb != effect.VerbSearch {
		return false
	}
	if ok := mark.Among(nounVerbs, rest[0]); !ok {
		return false
	}
	return describes(rest) && !slices.ContainsFunc(rest[1:], func(w string) bool {
		v, ok := verbWord(w)
		return ok && !v.Reads()
	})
}

// describes says whether the words behind a noun that may be a verb only describe
// it: attributes, then by, for, in or of what. A draft is also what things are that
// are not sent yet: list_draft_invoices.
func describes(ws []string) bool {
	_, hands := slices.BinarySearch(handedVerbs[:], ws[0])
	for i, w := range ws[1:] {
		one := ws[1+i : 2+i]
		switch {
		case hasNoun(one, attributes[:]) && !(hands && hasNoun(one, handedThings[:])):
		case w == "by":
			return true
		case w == "for", w == "in", w == "of":
			return !hands
		case ws[0] == "draft" && i == 0 && plural(w) && hasNounWord(w):
		default:
			return false
		}
	}
	return true
}

func hasNounWord(noun string) bool {
	fam, _ := nounOf([]string{noun})
	return fam != FamilyUnknown
}

// verbOn is what a verb comes to, done to what the words behind it name: to read
// a page is to open it, to add people is to invite them, to make a payment is
// to pay, to extract files is to write them, and to confirm an order is to place it.
func verbOn(verb effect.Verb, ws []string) effect.Verb {
	switch {
	case (ws[0] == "complete" || ws[0] == "confirm" || ws[0] == "finish") && hasServiceNoun(ws[1:]):
		return effect.VerbWrite
	case ws[0] == "extract" && (len(ws) == 1 || hasNoun(ws[1:], packedNouns[:])):
		return effect.VerbWrite
	case verb == effect.VerbRead && ws[0] != "list" && ws[0] != "count" && hasNoun(ws[1:], webNouns[:]):
		return effect.VerbNavigate
	case verb != effect.VerbCreate:
		return verb
	case hasNoun(ws[1:], moneyNouns[:]), ws[0] == "add" && hasNoun(ws[1:], peopleNouns[:]):
		return effect.VerbSend
	}
	return verb
}

// hasServiceNoun says whether a name has a noun of something that a service keeps: to
// complete or confirm a payment or a booking changes it, while a task that is finished
// is the agent's own and a question that is confirmed is its user's.
func hasServiceNoun(ws []string) bool {
	if i := slices.IndexFunc(ws, preposition); i >= 0 {
		ws = ws[:i]
	}
	fam, _ := nounOf(ws)
	switch fam {
	case FamilyMessage, FamilyPayment, FamilyCalendar, FamilyApp, FamilyDevice:
		return true
	}
	return false
}

// What is opened by being read, what moves money by being made, who is told
// of being added, and what is unpacked by being extracted: nouns without a plural s. Pages and sites are not among the
// first, which are also those of a wiki or of a shop's database. Sorted.
var (
	webNouns    = [...]string{"http", "internet", "url", "web", "webpage", "website"}
	moneyNouns  = [...]string{"deposit", "fund", "money", "payment", "refund", "transaction", "transfer", "withdrawal"}
	peopleNouns = [...]string{"attendee", "collaborator", "follower", "guest", "invitee", "member", "participant", "people", "recipient", "subscriber", "user"}
	packedNouns = [...]string{"all", "archive", "dir", "directory", "file", "folder", "package", "tar", "tarball", "to", "zip"}
	dutyNouns   = [...]string{"human", "operator", "representative", "staff", "supervisor"}
)

// hasNoun says whether one of the words is one of a sorted list, in the singular or the plural. Not
// inlined, for the size of programs.
//
//go:noinline
func hasNoun(ws, nouns []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool {
		_, ok := slices.BinarySearch(nouns, strings.TrimSuffix(w, "s"))
		return ok
	})
}

// handsOver says whether a name hands the conversation over to somebody on duty,
// and names no thing: transfer_to_human, transfer_to_human_agents. What else
// follows is what gets something: transfer_to_staff_account.
func handsOver(ws []string) bool {
	if len(ws) < 3 || ws[0] != "transfer" || ws[1] != "to" || !hasNoun(ws[2:3], dutyNouns[:]) {
		return false
	}
	return len(ws) == 3 || len(ws) == 4 && (ws[3] == "agent" || ws[3] == "agents")
}

// handOver keeps a tool that hands the conversation over one that asks only where
// the arguments say no more than why. Any other may be what is handed to whom, and
// then the tool sends.
func (b *builder) handOver() {
	ws := wordsOf(Name(b.call.Tool), b.call.Tool)
	told := b.c.Class
	if told.Basis != BasisName || told.Verb != effect.VerbAsk || !handsOver(ws) {
		return
	}
	b.c.Class = guessVerb(ws)
	if b.doc.kind != objectValue {
		return
	}
	for i := range b.c.Args {
		path := b.c.Args[i].Path
		if !slices.Contains(handedWords[:], path) {
			return
		}
	}
	b.c.Class = told
}

// handedWords are the arguments that say why a conversation is handed over.
var handedWords = [...]string{"explanation", "goal", "justification", "reason", "summary", "thought", "thoughts"}

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

//go:noinline
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
