package gates

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about records of applications that the session itself made, as an issue of a
// tracker: by what the server answered they are known again, and the session may change them.

// madeRecord begins what Flow.Own holds of one: its server and what it is known by there.
const madeRecord = "record:"

// recordKeys are the names under which servers say what a record is known by, and recordArgs
// those under which their tools take it (the tool lists of the servers of Linear, Atlassian,
// Notion, GitHub and Sentry).
var (
	recordKeys = [...]string{"id", "identifier", "key", "uuid"}
	recordArgs = "id identifier issue issueId issueIdOrKey issueKey issue_id issue_key key pageId page_id ticketId ticket_id uuid"
	// changeVerbs begin the names of tools that change a record and do nothing else with it.
	changeVerbs = [...]string{"edit", "modify", "patch", "save", "update"}
	// recordNouns are what tools call one record, with the names of servers' products beside them.
	recordNouns = [...]string{"asana", "bug", "card", "confluence", "document", "issue", "item", "jira", "linear", "notion", "page", "story", "task", "ticket", "trello"}
	// recordTexts are the names, or their beginnings, of what a record says of itself. What moves,
	// shows or hands it to others, and what names other records, is none of them.
	recordTexts = [...]string{"body", "content", "description", "due_date", "dueDate", "estimate", "labelIds", "labels", "name", "priority", "severity", "state", "stateId", "status", "summary", "title"}
	// recordPlaces say in which of a server's places a record is: a change is in the one where it was made.
	recordPlaces = [...]string{"cloudId", "cloud_id", "owner", "repo", "workspace", "workspaceId", "workspace_id"}
)

// toolServer is the server that a tool is of; empty where its name does not say.
func toolServer(tool string) string {
	rest, ok := cutPrefix(tool, "mcp__")
	if server, _, named := strings.Cut(rest, "__"); ok && named {
		return server
	}
	return ""
}

// recordServer is the server and the place there that a call is for; empty where the tool's name
// has other words than its verb and those of one record.
func (c *Context) recordServer() string {
	server := toolServer(c.Tool)
	words := call.Words(c.Tool)
	if server == "" || len(words) < 2 || slices.ContainsFunc(words[1:], func(w string) bool { return !slices.Contains(recordNouns[:], w) }) {
		return ""
	}
	for _, place := range recordPlaces {
		for i := range c.Args {
			if c.Args[i].Path == place {
				server += "/" + strings.ReplaceAll(c.Args[i].Value, " ", "")
			}
		}
	}
	return server
}

// SaysOfItself says whether an argument, by its path, is a text or a property of the record that a call
// is about.
func SaysOfItself(name string) bool {
	name = trimPrefix(name, "fields.")
	first, _, _ := strings.Cut(name, ".")
	return slices.Contains(recordTexts[:], first)
}

// RecordsMade are what Flow.Own holds of the records that a call made, by the texts that came
// back: JSON of an object with its identity. Numbers and short names are none, for another record
// of the server may be known by them, too.
//
//go:noinline
func (c *Context) RecordsMade(texts []string) []string {
	server := c.recordServer()
	if server == "" || len(c.Effects) != 1 || c.Effects[0].Zone != effect.ZoneRecord || c.Effects[0].Op != effect.OpCreate || c.Class.Verb != effect.VerbCreate {
		return nil
	}
	for _, text := range texts {
		ids := slices.DeleteFunc(identities([]byte(text), maxWrapped), func(id string) bool { // what the call names was there before
			return slices.ContainsFunc(c.Args, func(a Arg) bool { return strings.Contains(strings.ToLower(a.Value), strings.ToLower(id)) })
		})
		if len(ids) > 0 {
			for i := range ids {
				ids[i] = madeRecord + server + " " + ids[i]
			}
			return ids
		}
	}
	return nil
}

// maxWrapped bounds how deep in what came back a record is looked for, and maxAnswer what is looked at, in bytes.
const (
	maxWrapped = 6
	maxAnswer  = 256 << 10
)

// identities are the identities of the outermost object that has one. What holds more than the
// record, as a list or the record's neighbours, has none.
func identities(raw []byte, depth int) []string {
	if depth == 0 || len(raw) > maxAnswer {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		if len(list) != 1 {
			return nil
		}
		return identities(list[0], depth-1)
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return identities([]byte(text), depth-1)
	}
	object := members(raw)
	var out []string
	for _, key := range recordKeys {
		var id string
		if json.Unmarshal(object[key], &id) == nil && unique(id) {
			out = append(out, id)
		}
	}
	if len(out) > 0 || object["id"] != nil {
		return out
	}
	inner := object["text"]
	if kind := object["type"]; inner == nil || kind != nil && string(kind) != `"text"` {
		inner = nil
		for _, key := range [...]string{"content", "data", "issue", "page", "record", "result", "structuredContent", "ticket"} {
			if v, ok := object[key]; ok {
				if inner != nil && key != "structuredContent" {
					return nil
				}
				inner = v
			}
		}
	}
	if inner == nil {
		return nil
	}
	return identities(inner, depth-1)
}

// members are those of an object, as far as it goes: hosts cut what is long.
func members(raw []byte) map[string]json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			break
		}
		out[name] = value
	}
	return out
}

// unique says whether a text names one record of a server and no other: letters with a number behind a
// dash, or 20 characters or more with a digit, as a UUID is.
func unique(id string) bool {
	if len(id) > 80 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return false
	}
	project, number, dashed := strings.Cut(id, "-")
	_, err := strconv.Atoi(number)
	return len(id) >= 20 && strings.ContainsAny(id, "0123456789") || dashed && err == nil && project != "" && strings.Trim(project, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// ownRecord says whether a call changes a record that the session made, and no other: the tool
// is of the same server and place, its name says that it changes one, all that names records among its
// arguments names this one, and all others are what it says of itself. Not after secrets were read, and with no credential in it.
func (c *Context) ownRecord(e *Effect) bool {
	server := c.recordServer()
	words := call.Words(c.Tool)
	if server == "" || len(c.Effects) != 1 || e.Op != effect.OpModify && e.Op != effect.OpCreate || !slices.Contains(changeVerbs[:], words[0]) || c.Flow.SensitiveRead {
		return false
	}
	named := false
	for i := range c.Args {
		a := &c.Args[i]
		if class.Sent(a.Value)&class.Credentials != 0 {
			return false
		}
		if !mark.Among(recordArgs, a.Path) {
			if !slices.Contains(recordPlaces[:], a.Path) && !SaysOfItself(a.Path) {
				return false
			}
			continue
		}
		if !slices.Contains(c.Flow.Own, madeRecord+server+" "+a.Value) {
			return false
		}
		named = true
	}
	return named
}
