package origin

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// document says whether all that a tool returns may be somebody else's text: a
// page, a file, a message, the output of a program. Whoever writes it writes its
// fields too, if it has any. A tool without a name is any tool.
func document(tool string) bool {
	words := call.Words(tool)
	if len(words) == 0 {
		return true
	}
	c := call.Classify(tool)
	switch c.Family {
	case call.FamilyShell, call.FamilyCode:
		return true
	case call.FamilyWeb:
		if c.Verb != effect.VerbSearch {
			return true
		}
	case call.FamilyFile:
		if slices.ContainsFunc(words, func(w string) bool { return w == "read" || w == "view" || w == "open" || w == "cat" }) {
			return true
		}
	}
	return readsDocument(words)
}

// The words of names that say a tool returns one document, out of the tools of
// public MCP servers (files, browsers, scrapers, trackers, chat, notes): one that
// always does, or a verb of reading and a document. Records have other names, or
// the plural: get_messages, search_files, get_user_info.
var (
	takesText = [...]string{"crawl", "extract", "ocr", "scrape", "snapshot", "transcribe", "transcript"}
	readVerbs = "cat display download dump export fetch get load open print query read retrieve show view"
	documents = [...]string{
		"article", "attachment", "base", "blob", "blog", "body", "comment", "comments", "content", "contents", "conversation", "diff", "doc", "docs",
		"document", "documentation", "documents", "docx", "email", "file", "gist", "html", "issue", "link", "log", "logs", "mail", "markdown",
		"memo", "message", "note", "notes", "page", "pages", "patch", "pdf", "post", "pr", "readme", "replies", "reply", "request", "resource",
		"review", "site", "snippet", "source", "text", "thread", "ticket", "transcript", "tweet", "url", "web", "webpage", "website", "wiki", "xml",
	}
	// bareReads are the verbs that end a name without saying what they read.
	bareReads = [...]string{"fetch", "read", "retrieve", "cat", "open", "view", "load", "download"}
	// joints begin what a name says about which one it reads: file_by_id.
	joints = [...]string{"at", "by", "for", "from", "in", "of", "on", "to", "with"}
)

func readsDocument(words []string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(takesText[:], w) }) {
		return true
	}
	last := head(words)
	if slices.Contains(bareReads[:], last) {
		return true
	}
	return slices.Contains(documents[:], last) && slices.ContainsFunc(words, func(w string) bool { return mark.Among(readVerbs, w) })
}

// records says whether a tool's name promises records rather than prose. Prose
// that looks like a block YAML dump ("note: ...", and an address on the next
// line) is easily written, and read by accident; JSON is not. So a dump counts
// as structured only where the name ends in a plural, or where the tool lists,
// searches, or makes and changes what it returns.
func records(tool string) bool {
	words := call.Words(tool)
	if slices.ContainsFunc(words, func(w string) bool { return w == "search" || w == "list" || w == "find" }) {
		return true
	}
	switch firstVerb(words) {
	case effect.VerbSearch, effect.VerbCreate, effect.VerbWrite, effect.VerbDelete, effect.VerbSend:
		return true
	}
	switch last := head(words); last {
	case "info", "information", "inbox":
		return true
	default:
		return plural(last)
	}
}

func firstVerb(words []string) effect.Verb {
	for _, w := range words {
		if v, ok := call.VerbOf(w); ok {
			return v
		}
	}
	return effect.VerbUnknown
}

// plural takes orders for one, but not status, address or analysis.
func plural(w string) bool {
	return strings.HasSuffix(w, "s") && len(w) > 2 && !strings.ContainsAny(w[len(w)-2:len(w)-1], "ius")
}

// head is the word that says what a tool returns: file in get_file_by_id.
func head(words []string) string {
	for i, w := range words {
		if i > 0 && slices.Contains(joints[:], w) {
			return words[i-1]
		}
	}
	return words[len(words)-1]
}
