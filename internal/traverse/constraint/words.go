package constraint

import (
	"regexp"
	"slices"
	"strings"
)

// This file is about what in a sentence turns its meaning: exceptions, words that forbid
// nothing, objects that are no file's name, and the short forms of lists. What is not read
// for certain is returned as not understood: a rule that says the opposite of a sentence,
// or much more, is worse than none.

var (
	exceptRE = regexp.MustCompile(`(?i)\b(?:except(?:ing| for)?|apart from|aside from|other than|save for|besides|excluding|outside(?: of)?|beyond|unless|until|not (?:in|inside|under|below|within|part of)|without)\b|\b(?:anything|everything|nothing|any files?|any file|files?) but\b`)
	// The one path behind an exception, and nothing else.
	exceptPath = regexp.MustCompile("(?i)^(?:(?:for|in|to|the|file|folder|directory|of|what is in|but)\\s+)*[`'\"]?[\\w./-]+[`'\"]?(?:\\s+(?:folder|directory|file|please))*[!?]*$")
	// The exceptions of which one path is read; "unless" and "without" speak of conditions.
	exactly = regexp.MustCompile(`(?i)^(?:except(?:ing)?(?: for)?|apart from|aside from|other than|save for|excluding|outside(?: of)?|.* but)$`)
	// What a forbidding word does not forbid: "do not forget to delete it".
	turnsRE = regexp.MustCompile(`(?i)^\s*(?:forget|hesitate|fail|worry|mind|be afraid|just|only|merely|simply|bother|neglect|omit|skip|avoid|refrain|stop|need|have to|want)\b`)

	leaveRE  = regexp.MustCompile(`(?i)\b(?:leave|keep|let)\b.*\b(?:alone|be|untouched|unchanged|unmodified|unedited|intact|as (?:it|they) (?:is|are|was|were)|as[- ]is|read[- ]only)\s*$`)
	unreadRE = regexp.MustCompile(`(?i)\b(?:leave|keep)\b.*\b(?:unread|unopened|private|secret|confidential|closed|offline|locked)\b`)
	noRE     = regexp.MustCompile(`(?i)(?:^|[,:(]\s*|\b(?:and|but|please|with)\s+)no (?:more |further |new |other |any )?(.*)$`)
	statesRE = regexp.MustCompile(`(?i)\b(?:is|are|was|were|has|have|had|needs?|needed|will|would|can|does|do|exists?|found|matter|longer|one|fails?|failed|shows?)\b`)
	partlyRE = regexp.MustCompile(`(?i)\b(?:or|and|nor)\s+(?:the|any|my|our|your|other|all)\s+[a-z]`)
	wordRE   = regexp.MustCompile(`[A-Za-z][\w'-]*`)
	objectRE = regexp.MustCompile(`(?i)\b((?:push|commit|send|publish|upload|post|shar|submit|install|stag|merg)(?:e|es|ing|ting|s)?\s+(?:(?:any|the|your|my|our|these|those|all|local)\s+)*)(?:changes?|edits?|updates?|modifications?|writes?|deletions?)\b`)
)

// general are words that name no file in particular: what is forbidden is forbidden of all.
var general = strings.Fields(`a access actually all allowed an and any anything anywhere at calls code command commands content contents data directories directory disk either else ever
	everything existing file files folder folders from here i in information into it's items kind my net network no nor nothing of on or other our permanently permitted please program programs project
	repo repository requests script scripts so something sort stuff system that the their them there these things this to under us way what whatever whatsoever within work workspace you your`)

// vague says whether words speak of something that is neither a path nor everything. Words
// for deeds are none.
func vague(bare string) bool {
	for _, d := range deeds {
		bare = d.words.ReplaceAllString(bare, " ")
	}
	for _, w := range wordRE.FindAllString(strings.ToLower(bare), -1) {
		if !slices.Contains(general, w) {
			return true
		}
	}
	return false
}

// excepted reads "delete anything except a.txt" behind a word that forbids: of what it
// names, everything but the one path is meant. Of all other exceptions no rule is made.
func excepted(words, text string, r Rule) []Rule {
	paths := named(words)
	at := exceptRE.FindStringIndex(words)
	if len(paths) != 1 || !exactly.MatchString(words[at[0]:at[1]]) || len(named(words[:at[0]])) > 0 || vague(words[:at[0]]) || !exceptPath.MatchString(strings.TrimSpace(words[at[1]:])) {
		return nil
	}
	var out []Rule
	for _, d := range deeds {
		if !d.words.MatchString(words[:at[0]]) {
			continue
		}
		if d.does != "delete" && d.does != "change" {
			return nil
		}
		r.Does, r.Path, r.Only, r.Text = d.does, paths[0], true, text
		out = append(out, r)
	}
	return out
}

// left reads "leave main.go alone": the files that it names are not changed.
func left(s string) []Rule {
	m := leaveRE.FindStringIndex(s)
	if m == nil || !addressed(s, m[0]) || exceptRE.MatchString(s) {
		return nil
	}
	var out []Rule
	for _, p := range named(s[m[0]:]) {
		out = append(out, Rule{Does: "change", Path: p, Text: s})
	}
	return out
}

// none reads "no commits please" and "no changes to a.py".
func none(s string) []Rule {
	m := noRE.FindStringSubmatchIndex(s)
	if m == nil || states(s) || exceptRE.MatchString(s) {
		return nil
	}
	rest := s[m[2]:]
	if vague(pathRE.ReplaceAllString(rest, " ")) {
		return nil
	}
	out, _ := about(rest, s, Rule{})
	return out
}

// states says whether a sentence with "no" tells of something and forbids nothing: "no
// tests fail".
func states(s string) bool {
	m := noRE.FindStringSubmatchIndex(s)
	return m == nil || statesRE.MatchString(pathRE.ReplaceAllString(s[m[2]:], " "))
}

// short says whether a sentence bounds something in one of the short forms.
func short(s string) bool {
	if m := leaveRE.FindStringIndex(s); m != nil && addressed(s, m[0]) {
		return true
	}
	if m := unreadRE.FindStringIndex(s); m != nil && addressed(s, m[0]) {
		return true
	}
	if m := exceptRE.FindStringIndex(s); m != nil && m[0] == 0 && !strings.EqualFold(s[m[0]:m[1]], "without") && !strings.EqualFold(s[m[0]:m[1]], "besides") {
		return true
	}
	m := noRE.FindStringSubmatchIndex(s)
	if m == nil || states(s) {
		return false
	}
	bare := pathRE.ReplaceAllString(s[m[2]:], " ")
	return m[0] == 0 || slices.ContainsFunc(All, func(does string) bool { return deedIn(does, bare) })
}

// deedIn says whether words name a deed.
func deedIn(does, words string) bool {
	for _, d := range deeds {
		if d.does == does && d.words.MatchString(words) {
			return true
		}
	}
	return false
}
