package orders

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads which places a message names: files and directories outside the workspace, and
// addresses. Naming is no order, so there is no grammar of it. A place counts where its writer
// names it and no word of the sentence may mean that it is to be left alone. What is only shown
// (code, output of programs, quotations) names nothing.

// Places are the places of a message, as they stand there.
type Places struct {
	// Named are paths that begin with /, ~/ or ../, and addresses of http and https.
	Named []string
	// Shut are those in sentences that may say that they are to be left alone.
	Shut []string
	// None says that nothing is to be looked at any more that was named before, here or earlier.
	None bool
}

// maxNamed bounds the places of one message.
const maxNamed = 16

var (
	// tagged is what programs put between tags; what has no end goes to the end of the text.
	tagged = &pattern{expr: `(?s)<([a-zA-Z][\w-]*)\b[^>]*>.*?</([a-zA-Z][\w-]*)>|<[a-zA-Z][\w-]*(?:\s[^>]*)?>.*|<!.*`}
	// inAngles is an address as Markdown has it.
	inAngles = &pattern{expr: `<(https?://[^<>\s]+)>`}
	// oneTag is a tag that is told of.
	oneTag = &pattern{expr: "`</?[a-zA-Z][\\w-]*/?>`"}
	// letter begins a line of a text that somebody else wrote: a mail, a chat.
	letter = &pattern{expr: `(?m)^\s*(?:(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff): |\[?[0-9]{1,2}:[0-9]{2}\b|On .* wrote:$)`}
	// place is a path or an address; what stands before it is no part of a name.
	place = &pattern{expr: `(^|[\s(\[,="'` + "`" + `]|(?:^|\s)@)(https?://[^\s<>"'` + "`" + `|\\^{}]+|(?:~|\$HOME|\$\{HOME\}|\.\.)?/(?:\\ |[^\s<>"'` + "`" + `|;&$\\^(){}])*)`}
	// quoted is a text in one kind of quotation marks or another.
	quoted = &pattern{expr: "\"[^\"\n]*\"|`[^`\n]*`|(^|[\\s(:,])'[^'\n]*'"}
	// position is where in a file something stands.
	position = &pattern{expr: `(?::[0-9]+(?:[:-][0-9]+)?|#L[0-9]+(?:-L?[0-9]+)?)$`}
	// leaving are words that may say that something is to be left alone, or not looked at yet.
	leaving = &pattern{expr: `n't\b|\bno(?:[- ]go|,? (?:need|reason|touch\w*|read\w*|look\w*|access\w*|peek\w*|open\w*|search\w*|list\w*|us(?:e|ing)|entry|trespassing))\b|\b(?:not|dont|cannot|cant|wont|mustnt|shouldnt|isnt|never|none|nothing|nobody|nor|neither|without|w/o|except|excepting|excluding|exclude[ds]?|besides|other than|apart from|aside from|instead|rather|avoid|avoids|avoiding|ignore[ds]?|ignoring|skip|skips|skipping|leave|leaves|leaving|keep|stay|steer|hands|away|off[ -]limits|outside|beyond|private|privacy|secrets?|confidential|personal|sensitive|classified|passwords?|passphrases?|credentials?|tokens?|keys?|forbid|forbids|forbidden|prohibit\w*|disallow\w*|refrain|refuse|stop|quit|cease|unless|until|till|before|once|later|ask|asking|permission|permitted|approv\w*|allow\w*|confirm\w*|consent|wait|restrict\w*|protected|den(?:y|ied|ies)|block(?:ed|s)?|ban(?:ned)?|untouched|untouchable|alone|careful|beware|danger\w*|malicious|suspicious|phish\w*|untrusted|fake|evil|hack\w*|attack\w*|left|belongs?|admins?|reject\w*|refused?|confined|taboo|tabu|nicht|kein\w*|lass|lasst|weg|finger|laiss\w*|pas|niet|blijf|inte|não|nao|steal\w*|exfiltrat\w*|leak\w*)\b`}
	// described are words by which a sentence says what is wrong, and not what is to be left alone.
	described = &pattern{expr: `\b(?:does|did|is|are|was|were|has|have)(?:n't| not|nt)(?: \w+ly| been| being| be| yet| even| currently| also)* (?:work\w*|exist\w*|show\w*|match\w*|compil\w*|build\w*|built|pass\w*|start\w*|load\w*|run|running|contain\w*|includ\w*|appear\w*|seem\w*|handl\w*|pars\w*|return\w*|find\w*|found|updat\w*|respond\w*|render\w*|set|get|picked up|pick up|there|here|correct\w*|right|valid|available|visible|up to date|complete\w*|finish\w*|empty|the same|equal|installed|changed?|chang\w*|connect\w*|respected|applied|recogni[sz]ed|terminat\w*|exit\w*|print\w*|writ\w*|creat\w*|generat\w*|happen\w*|mak\w* sense|any|a|an)\b|` +
		`\b(?:ignor|skip|exclud)\w* (?:the )?(?:empty|blank|case|white ?space|spaces|comments?|duplicates?|errors?|warnings?|leading|trailing|punctuation)\b`}
	// forbidding are sentences without a place that may be about those which others name.
	forbidding = &pattern{expr: `(?:n't|\b(?:not|dont|cannot|cant|mustnt|shouldnt|never|no|without|avoid|stop|quit|refrain from))(?:\s+\w+){0,4}\s+(?:look|read|open|touch|access|see|view|us(?:e|ing)|go|enter|visit|fetch|download|search|list|follow|brows|load|inspect|cat|peek|scan|click|curl|examin|explor|leav)\w*\b[^,;]*\b(?:it|that|this|them|those|these|there|anything|anywhere|files?|folders?|director(?:y|ies)|links?|urls?|pages?|places?|outside|elsewhere|further|internet|web|online|network|repos?|repository|repositories|projects?|disk|home|machine)\b|` +
		`\b(?:private|confidential|off[- ]limits|forbidden|untouchable|hands off|(?:leave|let) (?:it|that|them|those|these|this|everything)\b|(?:keep|stay) (?:out|away|off|inside|within|in)|do(?: not|n't)(?: \w+)? (?:look|read|open|touch)(?: at| into)?[.!]?$)` +
		`|\bonly (?:\w+ )?(?:look|read|open|access|work|use|stay)\b`}
	// routedBefore and routedBehind are words beside a path that is one of a server, not of a disk.
	routedBefore = &pattern{expr: `(?i)\b(?:get|post|put|patch|delete|head|options|endpoints?|routes?|urls?|pages?|api|requests?|calls?|hits?|hitting|handlers?|redirects?|links?|slash|command)\s*$`}
	routedBehind = &pattern{expr: `(?i)^\s*(?:endpoints?|routes?|urls?|pages?|apis?|requests?|calls?|handlers?|commands?|bundle|screen|view|responses?|redirects?|slash|gives|returns|is slow|route's)\b`}
	// held are the words before a directory right below the root of the file system.
	held       = &pattern{expr: `(?i)(?:\b(?:in|at|under|from|inside|within|into|below|beneath|throughout|directory|folder|dir|repo|repository|codebase|files of|contents? of|disk|volume|mounted (?:at|on|to))\s+(?:the\s+|directory\s+|folder\s+|dir\s+)*|\b(?:ls|cd|find|tree|du)\s+)$`}
	heldBehind = &pattern{expr: `(?i)^\s*(?:directory|folder|dir|tree|mount|volume|disk)\b`}
)

// PlacesOf returns the places of a text. One that is too long, or of which it is not clear who
// wrote what, names nothing.
func PlacesOf(prompt string) Places {
	prompt = plainText.Replace(strings.TrimSpace(prompt))
	if len(prompt) > MaxPrompt || strings.Contains(prompt, sign) {
		return Places{}
	}
	text := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'").Replace(tagged.without(oneTag.get().ReplaceAllString(inAngles.get().ReplaceAllString(prompt, " $1 "), "quotation")))
	if letter.in(text) {
		return Places{}
	}
	var r placeReader
	text = r.marked(ownLines(text))
	if foreign.in(strings.ToLower(text)) {
		return Places{}
	}
	for _, u := range units(text) {
		r.unit(u)
	}
	if out := r.out; !out.None && len(out.Named) <= maxNamed {
		out.Named = slices.DeleteFunc(out.Named, func(s string) bool { return slices.Contains(out.Shut, s) })
		return out
	}
	return Places{Shut: r.out.Shut, None: r.out.None}
}

// ownLines is a text without what it only shows.
func ownLines(text string) string {
	text = fenced.get().ReplaceAllString(text, "\n\n")
	text, _, _ = strings.Cut(text, "```")
	text, _, _ = strings.Cut(text, "~~~")
	var out []string
	quoting := false
	for _, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, ">"):
			quoting = true
		case bare == "":
			quoting = false
			out = append(out, "")
		case quoting, output.in(line) && !listItem.in(line):
			out = append(out, "")
		case strings.HasPrefix(bare, "#"):
			out = append(out, "# "+strings.ReplaceAll(strings.Trim(bare, "# "), "/", " "))
		case heading.in(line):
			out = append(out, "")
		default:
			out = append(out, strings.TrimRight(line, " \t\r"))
		}
	}
	return strings.Join(out, "\n")
}

// placeReader is what was read so far.
type placeReader struct {
	found []found
	out   Places
	shut  bool // what stands before the list that is open says that places are to be left alone
	colon bool // so does the unit before, which ends with a colon
	head  bool // so does the heading
}

// found is a place, and whether it may be one of a server.
type found struct {
	text   string
	routed bool
}

// marked puts a sign and a number for each place. A quotation is one where nothing else stands in it;
// other quotations name nothing.
func (r *placeReader) marked(text string) string {
	text = quoted.get().ReplaceAllStringFunc(text, func(q string) string {
		at := strings.IndexAny(q, "\"`'")
		inner := strings.TrimSpace(q[at+1 : len(q)-1])
		if m := place.get().FindStringSubmatchIndex(inner); m != nil && m[4] == 0 && (m[5] == len(inner) || strings.HasPrefix(inner, "/") || strings.HasPrefix(inner, "~/")) && !strings.ContainsAny(inner, "|;&<>$`") && plainName(inner, m[5] < len(inner)) {
			return q[:at] + r.sign(inner, false)
		}
		return q[:at] + "quotation"
	})
	var b strings.Builder
	for {
		m := place.get().FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		b.WriteString(text[:m[4]])
		raw := text[m[4]:m[5]]
		name := trimmed(raw)
		rest := raw[len(name):] + text[m[5]:]
		before := b.String()
		switch {
		case name == "" || strings.Trim(name, "/.~") == "" || strings.HasPrefix(name, "//") || strings.HasPrefix(name, "/*"):
			b.WriteString(raw[:len(name)])
		default:
			b.WriteString(r.sign(name, routed(before, name, rest)))
		}
		text = rest
		if name == "" {
			b.WriteString(raw[:1])
			text = raw[1:] + text[len(raw):]
		}
	}
	b.WriteString(text)
	return b.String()
}

// plainName says whether a quoted text may be a path: one with blanks is one with an ending, and no
// command.
func plainName(s string, blanks bool) bool {
	return !blanks || !strings.Contains(s, " -") && !strings.Contains(s, " /") && !strings.Contains(s, " ~")
}

func (r *placeReader) sign(name string, routed bool) string {
	r.found = append(r.found, found{strings.ReplaceAll(name, `\ `, " "), routed})
	return sign + strconv.Itoa(len(r.found)-1) + sign
}

// trimmed is a place without the punctuation of the sentence and the position in the file.
func trimmed(s string) string {
	for {
		was := s
		s = strings.TrimRight(s, ".,:;!?'*_")
		if strings.HasSuffix(s, ")") && strings.Count(s, ")") > strings.Count(s, "(") || strings.HasSuffix(s, "]") && !strings.Contains(s, "[") {
			s = s[:len(s)-1]
		}
		if !strings.HasPrefix(s, "http") {
			s = position.without(s)
		}
		if s == was {
			return s
		}
	}
}

// routed says whether a path may be one of a server: a word beside it says so, or it is one name
// right below the root, of which no word says that it is a directory.
func routed(before, name, behind string) bool {
	if name[0] != '/' {
		return false
	}
	if routedBefore.in(before) || routedBehind.in(behind) || strings.Contains(name, "/:") {
		return true
	}
	one := strings.Count(strings.TrimSuffix(name, "/"), "/") == 1
	return one && !held.in(before) && !heldBehind.in(behind)
}

// units cuts a text into sentences. A thing of a list is one of its own, and so is what stands
// before a list.
func units(text string) []unit {
	var out []unit
	held := ""
	flush := func() {
		for _, s := range sentences(held) {
			out = append(out, unit{text: s})
		}
		held = ""
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "":
			flush()
		case strings.HasPrefix(line, "# "):
			flush()
			out = append(out, unit{text: line[2:], head: true})
		case listItem.in(line):
			flush()
			out = append(out, unit{text: listItem.without(line), item: true})
		case held == "" && len(out) > 0 && out[len(out)-1].item && line[0] == ' ':
			out[len(out)-1].text += " " + strings.TrimSpace(line)
		default:
			held = strings.TrimSpace(held + " " + strings.TrimSpace(line))
		}
	}
	flush()
	return out
}

// unit is a sentence or a thing of a list.
type unit struct {
	text string
	item bool
	head bool
}

// unit takes one. What stands before a list or behind which a colon stands holds for what follows, and a
// heading for all up to the next one.
func (r *placeReader) unit(u unit) {
	text := strings.ToLower(u.text)
	names := r.names(u.text)
	plain := text
	for i := range r.found {
		plain = strings.ReplaceAll(plain, sign+strconv.Itoa(i)+sign, " ")
	}
	shut := leaving.in(described.without(plain))
	switch {
	case u.head:
		r.head, r.shut, r.colon = shut, false, false
		return
	case !u.item:
		shut = shut || r.colon
		r.shut = shut
	}
	shut = shut || r.head || u.item && r.shut
	r.colon = shut && strings.HasSuffix(strings.TrimSpace(text), ":")
	switch {
	case len(names) == 0:
		r.out.None = r.out.None || forbidding.in(plain)
	case shut:
		for _, f := range names {
			r.out.Shut = append(r.out.Shut, f.text)
		}
	default:
		for _, f := range names {
			if !f.routed {
				r.out.Named = append(r.out.Named, f.text)
			}
		}
	}
}

// names are the places in a text with signs.
func (r *placeReader) names(text string) []found {
	var out []found
	for i := range r.found {
		if strings.Contains(text, sign+strconv.Itoa(i)+sign) {
			out = append(out, r.found[i])
		}
	}
	return out
}
