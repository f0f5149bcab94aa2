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
)

// toolServer is the server that a tool is of; empty where its name does not say.
func toolServer(tool string) string {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if server, _, named := strings.Cut(rest, "__"); ok && named {
		return server
	}
	return ""
}

// RecordsMade are what Flow.Own holds of the records that a call made, by the texts that came
// back: JSON of an object with its identity. Numbers and short names are none, for another record
// of the server may be known by them, too.
//
//go:noinline
func (c *Context) RecordsMade(texts []string) []string {
	server := toolServer(c.Tool)
	if server == "" || len(c.Effects) != 1 || c.Effects[0].Zone != effect.ZoneRecord || c.Effects[0].Op != effect.OpCreate || c.Class.Verb != effect.VerbCreate {
		return nil
	}
	for _, text := range texts {
		if ids := identities([]byte(text), maxWrapped); len(ids) > 0 {
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

// unique says whether a text names one record of a server and no other: a UUID, or letters with a
// number behind a dash, or at least as much.
func unique(id string) bool {
	if len(id) > 80 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return false
	}
	project, number, dashed := strings.Cut(id, "-")
	_, err := strconv.Atoi(number)
	return len(id) >= 16 && strings.ContainsAny(id, "0123456789") || dashed && err == nil && project != "" && strings.Trim(project, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// ownRecord says whether a call changes a record that the session made, and no other: the tool
// is of the same server, its name says that it changes one, and all that names records among its
// arguments names this one. Not after secrets were read, and with no credential in it.
func (c *Context) ownRecord(e *Effect) bool {
	server := toolServer(c.Tool)
	words := call.Words(c.Tool)
	if server == "" || len(c.Effects) != 1 || e.Op != effect.OpModify && e.Op != effect.OpCreate || len(words) < 2 || !slices.Contains(changeVerbs[:], words[0]) || c.Flow.SensitiveRead {
		return false
	}
	named := false
	for i := range c.Args {
		a := &c.Args[i]
		if class.Sent(a.Value)&class.Credentials != 0 {
			return false
		}
		if !mark.Among(recordArgs, a.Path) {
			continue
		}
		if !slices.Contains(c.Flow.Own, madeRecord+server+" "+a.Value) {
			return false
		}
		named = true
	}
	return named
}
