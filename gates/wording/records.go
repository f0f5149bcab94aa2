package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/class"
)

// This file says which record of an application a call changes, by what the call's arguments are
// named: a thing and what it is told by (plan_name, task_position, boardId), what it is given
// (status), and else the first line of its text.

// tellers end, or are, the names of arguments that tell one thing from others.
const tellers = " id index key name no num number position slug subject title "

// stands are names of arguments that say in which of a few states something is put.
const stands = " assignee checked column completed done due list progress stage state status visibility "

// recordTexts are names of arguments that hold what is written there, the likeliest first.
var recordTexts = [...]string{"description", "text", "content", "body", "message", "prompt", "task", "todo", "note", "comment", "value", "data"}

// maxRecordParts bounds how many of them a sentence has.
const maxRecordParts = 3

// identified are the arguments of the call that say which record it is and how it stands then, but
// for what is told already: " (plan “X”, task 3, completed: true)". Their names are in used.
func (s *subject) identified(told string) (out string, used []string) {
	if s.c == nil {
		return "", nil
	}
	var parts []string
	for i := range s.c.Args {
		a := &s.c.Args[i]
		thing, state := argumentThing(a.Path)
		value := strings.TrimSpace(clean(a.Value))
		if thing == "" || value == "" || value == "null" || strings.ContainsAny(value[:1], "{[") || strings.ContainsAny(a.Value, "\n\r") || len(value) > maxObject || secret(value) || len(parts) == maxRecordParts {
			continue
		}
		if told != "" && !state && slices.Contains([]string{"name", "subject", "title"}, thing) {
			continue // which one is told already: that is what it is called from then on
		}
		if told == "" || !state {
			used = append(used, a.Path)
		}
		if strings.Contains(told, shorten(value, maxObject/2)) {
			continue
		}
		switch {
		case state:
			thing += ": " + quotedValue(value)
		default:
			thing += " " + quotedValue(value)
		}
		if !slices.Contains(parts, thing) {
			parts = append(parts, thing)
		}
	}
	if len(parts) == 0 {
		return "", used
	}
	return " (" + strings.Join(parts, ", ") + ")", used
}

// quotedValue is a value as a sentence shows it: a short word or a number as it is, all else in
// quotation marks.
func quotedValue(value string) string {
	if len(value) <= maxObject/4 && plainWord(value) && !strings.ContainsAny(value, ":/@") {
		return value
	}
	return "“" + shorten(strings.NewReplacer("“", "'", "”", "'").Replace(value), 2*maxObject/3) + "”"
}

// argumentThing is the thing that an argument tells by its name, and whether it says how that is to
// stand; empty for other arguments, and for those of lists and records.
func argumentThing(path string) (thing string, state bool) {
	if !plainWord(path) || strings.ContainsAny(path, ".[:/@+") {
		return "", false
	}
	words := call.Words(path)
	for len(words) > 1 && strings.Contains(" by for has in is of the to ", " "+words[0]+" ") {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 4 {
		return "", false
	}
	last := words[len(words)-1]
	has := func(list string) bool { return strings.Contains(list, " "+last+" ") }
	switch {
	case has(stands):
		return strings.Join(words, " "), true
	case has(tellers) && len(words) > 1:
		return strings.Join(words[:len(words)-1], " "), false
	case has(tellers):
		return last, false
	}
	return "", false
}

// described is the first line of what the call writes there; empty where nobody knows.
func (s *subject) described() string {
	if s.c == nil {
		return ""
	}
	for _, field := range recordTexts {
		for i := range s.c.Args {
			if a := &s.c.Args[i]; strings.EqualFold(a.Path, field) {
				line, _, _ := strings.Cut(strings.TrimSpace(a.Value), "\n")
				if line = strings.Trim(line, "# *-"); line != "" && line[0] != '{' && line[0] != '[' {
					return line
				}
			}
		}
	}
	return ""
}

// givenShortly are the arguments of the call that are short, each by its name.
func (s *subject) givenShortly() string {
	var parts []string
	for i := 0; s.c != nil && i < len(s.c.Args) && len(parts) < maxRecordParts; i++ {
		a := &s.c.Args[i]
		value := strings.TrimSpace(clean(a.Value))
		if plainWord(a.Path) && value != "" && len(value) <= maxObject && !strings.ContainsAny(a.Value, "\n\r") && !secret(value) {
			parts = append(parts, strings.Join(call.Words(a.Path), " ")+" "+quotedValue(value))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// keyed says whether what is sent or put into records holds what looks like a credential, as it stands in
// the call: in a tool's arguments, or in the words of the program that sends it.
func (s *subject) keyed() bool {
	if s.c == nil || s.rule != "egress/send" && s.rule != "egress/fetch" && s.rule != "record/write" {
		return false
	}
	if s.c.Command == "" {
		return slices.ContainsFunc(s.c.Args, func(a gates.Arg) bool { return class.Sent(a.Value)&class.Credentials != 0 })
	}
	return slices.ContainsFunc(s.effects, func(e *gates.Effect) bool {
		r := s.runOf(e)
		return r != nil && slices.ContainsFunc(r.Words[1:], func(w string) bool { return class.Sent(w)&class.Credentials != 0 })
	})
}
