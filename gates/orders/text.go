package orders

import (
	"slices"
	"strconv"
	"strings"
)

// This file cuts a message of several sentences into what its writer says and what they only show:
// quotations, code, output of programs and names. Of what is shown a sign and a number is left.

// sign stands before the number of what is only shown.
const sign = "§"

var (
	// fenced is code between fences.
	fenced = &pattern{expr: "(?ms)^[ \t]*(```|~~~)[^\n]*\n.*?^[ \t]*(?:```|~~~)[ \t]*$"}
	// inQuotes is a text in quotation marks or backticks.
	inQuotes = &pattern{expr: "\"[^\"]*\"|`[^`\n]*`|(?m:(^|[\\s(:,])'[^'\\n]*(?:\\b'\\b[^'\\n]*)*'($|[\\s).,;:!?]))"}
	// opens is a quotation mark that nothing ends.
	opens = &pattern{expr: "[\"`«»„“”‘‚]|(?:^|[\\s(])'"}
	// code is a name or a piece of code: it holds signs that words do not.
	code = &pattern{expr: `[^\s,;:()!?]*(?:[A-Za-z0-9][_/\\=<>@{}\[\]|~^$*%#][A-Za-z0-9._]|[a-z0-9][A-Z]|[A-Za-z0-9_]\.[A-Za-z0-9_]|\(\)|::|[/@#$._]{1,2}[A-Za-z0-9])(?:[^\s,;:!?]|:[0-9])*`}
	// speaking is a part of such a name that may be said of an order: then it is none.
	speaking = &pattern{expr: `(?i)(?:^|[^a-z])(?:commit|if|not|or|and|o)(?:$|[^a-z])`}
	parts    = &pattern{expr: `[^A-Za-z']+`}
	// output is a line that a program printed.
	output = &pattern{expr: `^\s*(?:at |File "|Traceback|[A-Za-z.]*(?:Error|Exception|Warning)\b|[0-9]{4}-[0-9]{2}-[0-9]{2}|==|✓|✗|×|✖|●|PASS|FAIL|ok [0-9]|not ok [0-9]|---|\+\+\+|error(?:\[|:)|warning(?:\[|:)|fatal:|npm |\$ |#[0-9]+ |-->)|:[0-9]+:[0-9]+|^(?: {2,}|\t)\S`}
	// listItem begins a thing of a list.
	listItem = &pattern{expr: `^\s*(?:[-*•]|[0-9]{1,2}[.)]|[a-h]\))\s+`}
	// heading and markup are of texts that programs and trackers write.
	heading = &pattern{expr: `(?m)^\s*(?:#{1,6} |//|/\*|;|--[^-]|\||%)|^\s*(?:=|-|\*|_){3,}\s*$|<[a-zA-Z/!]`}
	foreign = &pattern{expr: `\b(?:ich|nicht|noch|nein|erst|warte|warten|bevor|wenn|und|ist|wir|aber|kein\w*|bitte|sobald|pas|ne|je|vous|nous|attends|attendez|avant|quand|mais|jusqu\w*|que|est|les|une|hasta|antes|espera|cuando|pero|todavia|todavía|aun|aún|pour|para|una|não|nao|ainda|espere|niet|nog|wacht|maar|het|een|aspetta|prima|ancora|quando|nie|jeszcze|poczekaj|ale|ikke|inte|vänta|men|och|og)\b|[^\x00-\x{24f}\x{2010}-\x{203a}\x{2190}-\x{21ff}\x{2600}-\x{27bf}\x{1f000}-\x{1faff}]`}
)

// piece is one sentence, or one thing of a list.
type piece struct {
	text string
	// item says that it is a thing of a list.
	item bool
	// asks says that it ends with a question mark.
	asks bool
	// shows says that what is shown stands behind it.
	shows bool
	// inert says that it is a thing of a list of what is to be built.
	inert bool
}

// cutter takes a message apart.
type cutter struct {
	shown []string
	out   []piece
	held  string // the sentence that the next line may go on with
	head  string // the last line ended with a colon, and this is it
	count int    // things of the list that is open
	inert bool   // the list that is open says what is to be built
	bare  bool   // a line that says what the list is did not end as a sentence does
}

// show puts a sign for a text.
func (c *cutter) show(s string) string {
	c.shown = append(c.shown, s)
	return sign + strconv.Itoa(len(c.shown)-1)
}

// cut is a message in sentences; ok is false where it is not clear who says what.
func (c *cutter) cut(s string) (out []piece, ok bool) {
	if strings.Contains(s, sign) {
		return nil, false
	}
	s = fenced.get().ReplaceAllStringFunc(s, func(q string) string { return "\n" + c.show(q) + "\n" })
	s = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "…", "...").Replace(s)
	if strings.Contains(s, "```") || strings.Contains(s, "~~~") || strings.Count(s, `"`)%2 > 0 {
		return nil, false
	}
	s = inQuotes.get().ReplaceAllStringFunc(s, func(q string) string {
		from := strings.IndexAny(q, "\"`'")
		to := strings.LastIndexAny(q, "\"`'")
		return q[:from] + c.show(q[from+1:to]) + q[to+1:]
	})
	if opens.in(s) || heading.in(s) {
		return nil, false
	}
	quoting := false
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), ">"):
			quoting = true
			if !c.shows() {
				return nil, false
			}
		case quoting && line != "":
			return nil, false // it may go on with what is quoted
		case line == "":
			quoting = false
			c.ends()
		case output.in(line) && !listItem.in(line):
			if meant(line) && !said.in(line) || !c.shows() {
				return nil, false
			}
		default:
			if !c.line(line) {
				return nil, false
			}
		}
	}
	if c.ends(); c.head != "" || c.count == 1 {
		return nil, false
	}
	return c.out, true
}

// said is a sign alone.
var said = &pattern{expr: `^\s*§[0-9]+[.:,]?$`}

// shows takes a line that is only shown: it is what a line before with a colon names.
func (c *cutter) shows() bool {
	c.ends()
	if c.head != "" {
		c.sentence(strings.TrimRight(c.head, ": "), false)
		c.head = ""
	}
	if n := len(c.out); n > 0 && c.count == 0 {
		c.out[n-1].shows = true
	}
	return c.list()
}

// list ends the list that is open; ok is false for one thing alone, which is none.
func (c *cutter) list() (ok bool) {
	if c.count == 1 {
		return false
	}
	c.count = 0
	return true
}

// ends ends the sentence that the next line might have gone on with.
func (c *cutter) ends() {
	if c.held != "" {
		c.sentence(c.held, false)
		c.held = ""
	}
}

// line takes one line that its writer says.
func (c *cutter) line(line string) bool {
	thing := listItem.in(line)
	if thing {
		c.bare = c.bare || c.held != ""
		c.ends()
		mark, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		mark = strings.TrimRight(mark, ".)")
		if n, err := strconv.Atoi(mark); err == nil && n != c.count+1 || mark[0] >= 'a' && mark[0] <= 'z' && int(mark[0]-'a') != c.count {
			return false // the rest of that list is somewhere else
		}
		if c.count == 0 && !c.leads() {
			return false
		}
		c.head, c.bare = "", false
		c.count++
		text := strings.TrimSpace(listItem.without(line))
		if strings.HasSuffix(text, ":") || text == "" {
			return false
		}
		c.sentences(text, true)
		return true
	}
	if c.count > 0 && strings.HasPrefix(line, " ") {
		return false // it goes on with a thing of a list
	}
	if !c.list() {
		return false
	}
	if c.head != "" && !said.in(line) {
		return false // what follows a colon is not said here
	}
	if said.in(line) {
		return c.shows()
	}
	if strings.HasSuffix(line, ":") {
		c.ends()
		c.sentences(line, false)
		c.head, c.held = c.held, ""
		return c.head != ""
	}
	if c.held != "" {
		if goesOn.in(strings.ToLower(c.held)) {
			line = c.held + " " + line
		} else {
			c.sentence(c.held, false)
		}
		c.held = ""
	}
	c.sentences(line, false)
	return true
}

// goesOn is the end of a line behind which its sentence goes on.
var goesOn = &pattern{expr: `(?:[,;&+/-]|(?:^|\s)(?:a|an|the|this|that|these|those|my|our|your|its|his|her|their|to|and|or|nor|but|not|never|no|dont|don't|of|in|on|at|by|for|from|with|without|into|onto|as|than|then|if|when|once|until|till|unless|before|after|while|because|so|which|who|whose|how|where|what|why|whether|be|is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|shall|may|might|must|cannot|can't|won't|i|we|you|he|she|they|please|only|just|also|ever|always|per|via|like|about|let|make|want|need|going|ready))$`}

// headed are lines with a colon behind which stands what is to be done.
var headed = &pattern{expr: `^(?:` + courtesy + `[,!]? )*(?:to-?dos?|to do|tasks?|your tasks?|my tasks?|please|pls|(?:two|three|four|five|six|a few|a couple of|some|several|the following)? ?(?:things|tasks|todos)(?: to do)?|what (?:i need|i want|to do|needs to be done)|(?:please |now )?do(?: this| these| the following)?|(?:please )?do the following(?: things| steps)?|in this order|next|next up|now|then|also|work|changes|steps)(?: please)?:$`}

// building are such lines of what is to be built: nothing in their lists is an order.
var building = &pattern{expr: `^(?:` + courtesy + `[,!]? )*(?:implement|add|change|fix|update|address|handle|apply|make|support|cover|improve)(?: all| all of)? (?:the following|these|this)(?: things| changes| points| bugs| issues| fixes| cases| features| improvements| requirements)?(?: please| first)?:$`}

// listing are words of a text before a list that is told of and not to be done.
var listing = &pattern{expr: `\b(?:process|procedure|flow|workflow|lists?|checklist|instructions?|rules?|guidelines?|policy|these|this|following|follows|commands?|steps|stages|plan|roadmap|agenda|notes|docs?|readme|menu|options|buttons|script|example|template|conventions?)\b`}

// leads says whether a list may begin here: at the start, below a line that says that it is to be
// done, or behind sentences that are about something else.
func (c *cutter) leads() bool {
	if c.head != "" {
		head := strings.ToLower(strings.TrimSpace(c.head))
		c.inert = building.in(head)
		return c.inert || headed.in(head)
	}
	if len(c.out) == 0 {
		return true
	}
	return !c.bare && !listing.in(c.out[len(c.out)-1].text)
}

// sentences takes the sentences of one line; the last one may go on in the next.
func (c *cutter) sentences(s string, thing bool) {
	s = c.withSigns(s)
	for {
		end := stop.get().FindStringIndex(s)
		if end == nil {
			break
		}
		c.sentence(s[:end[1]], thing)
		s = s[end[1]:]
	}
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	if thing {
		c.sentence(s, true)
	} else {
		c.held = s
	}
}

// dotted are words with full stops that end no sentence.
var dotted = strings.NewReplacer("e.g.", "for example", "E.g.", "for example", "i.e.", "that is", "vs.", "versus", "cf.", "see", "resp.", "or", "approx.", "about", "incl.", "with")

// withSigns puts signs for names and code.
func (c *cutter) withSigns(s string) string {
	return code.get().ReplaceAllStringFunc(dotted.Replace(s), func(w string) string {
		if meant(w) || strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "../") || strings.HasPrefix(w, sign) || strings.HasPrefix(w, "-") || strings.TrimLeft(w, ".") == "" {
			return w
		}
		end := ""
		for w != "" && strings.ContainsRune(".)'", rune(w[len(w)-1])) && !strings.HasSuffix(w, "()") {
			end, w = w[len(w)-1:]+end, w[:len(w)-1]
		}
		if strings.Trim(w, "0123456789.") == "" {
			return w + end
		}
		return c.show(w) + end
	})
}

// meant says whether a part of a name, or of what a program printed, may be said of an order.
func meant(w string) bool {
	if speaking.in(w) {
		return true
	}
	w = strings.ReplaceAll(w, ".git", " ") // a directory or a file of git's, or of a forge's
	w = strings.ToLower(parts.get().ReplaceAllString(w, " "))
	return speaks.in(w) || takesBack.in(w)
}

// sentence adds one sentence; thing says that it is of a thing of a list.
func (c *cutter) sentence(s string, thing bool) {
	s = strings.TrimSpace(strings.ToLower(s))
	if s == "" {
		return
	}
	text := strings.TrimSpace(strings.TrimRight(s, ".!? "))
	c.out = append(c.out, piece{text: text, item: thing, asks: strings.Contains(s[len(text):], "?"), inert: thing && c.inert})
}

// names says which name a sign stands for; a word stands for itself.
func (c *cutter) names(word string) (string, bool) {
	rest, shown := strings.CutPrefix(word, sign)
	if !shown {
		return word, word != ""
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n >= len(c.shown) {
		return "", false
	}
	name := strings.TrimSpace(c.shown[n])
	return name, name != "" && len(name) < 100 && !slices.ContainsFunc([]byte(name), func(b byte) bool { return b <= ' ' || b > '~' || strings.IndexByte("~^:?*[\\@{}'\"", b) >= 0 })
}
