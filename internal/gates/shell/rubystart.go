package shell

import "strings"

// This file finds what inline Ruby starts with words that are constant, and what it asks a server of
// this machine (docs.ruby-lang.org/en/3.4: Kernel, IO.popen, Open3, Net::HTTP, OpenURI).

// rubyStarters are the functions that start a program, with what their call is afterwards: a truth
// value, a text, or several of them. Those with a dot are of a module.
var rubyStarters = map[string]string{
	"system": " true ", "exec": " true ", "Kernel.system": " true ", "Kernel.exec": " true ", "IO.popen": " $PROGRAM_NAME.to_s ",
	"Open3.capture2": " [$PROGRAM_NAME.to_s, 0] ", "Open3.capture2e": " [$PROGRAM_NAME.to_s, 0] ", "Open3.capture3": " [$PROGRAM_NAME.to_s, $PROGRAM_NAME.to_s, 0] ",
}

// rubyStarter looks for calls that start programs.
type rubyStarter struct {
	*nodeCode // for its brackets
	text      string
	calls     []codeStart
}

// rubyStarts are the calls of code that start something known; none if it can't be cut plainly.
func rubyStarts(text string) []codeStart {
	if !strings.Contains(text, "http://") && !strings.Contains(text, "https://") && !strings.Contains(text, "`") && !strings.Contains(text, "system") && !strings.Contains(text, "exec") && !strings.Contains(text, "IO.popen") && !strings.Contains(text, "Open3") {
		return nil
	}
	d := *dialectOf("ruby")
	d.quotes += "`"
	r := rubyStarter{nodeCode: &nodeCode{}, text: text}
	var bad string
	if r.toks, bad = d.tokens(text); bad != "" {
		return nil
	}
	r.pairBrackets()
	for i, t := range r.toks {
		switch {
		case t.kind == 'n' && t.at >= 0 && r.fetches(i):
		case t.kind == 's' && t.text[0] == '`':
			if !r.line(i) {
				return nil // where the quotes stand may be something else
			}
		case t.kind == 'n' && t.at >= 0:
			r.starts(i)
		}
	}
	if len(r.calls) > 0 {
		r.brings()
	}
	return r.calls
}

// brings takes out what loads a part of the library whose calls are taken out: what else it has
// asks by its name.
func (r *rubyStarter) brings() {
	for i, t := range r.toks {
		if t.kind != 'n' || t.text != "require" || t.at < 0 || r.names(i) || i+1 >= len(r.toks) || r.toks[i+1].kind != 's' || !contains(strings.Trim(r.toks[i+1].text, `"'`), rubyBrings...) || !r.over(i+2) {
			continue
		}
		r.calls = append(r.calls, codeStart{from: t.at, to: r.toks[i+1].at + len(r.toks[i+1].text), instead: " true "})
	}
}

// rubyBrings are the parts of the library that have such calls.
var rubyBrings = []string{"open3", "net/http", "open-uri", "uri"}

// line notes the line of the shell in the backquotes at i.
func (r *rubyStarter) line(i int) bool {
	t := r.toks[i]
	if len(t.text) < 3 || t.at < 0 || strings.ContainsAny(t.text, "#\\") || r.names(i) {
		return false
	}
	body := t.text[1 : len(t.text)-1]
	r.calls = append(r.calls, codeStart{from: t.at, to: t.at + len(t.text), instead: " $PROGRAM_NAME.to_s ", pyStart: pyStart{in: unknown, lines: [][]string{{"sh", "-c", body}}}})
	return strings.TrimSpace(body) != ""
}

// names says whether what stands before i makes the token a name of a method that is made, called
// on something or only named.
func (r *rubyStarter) names(i int) bool {
	return is(r.toks, i-1, ".") || is(r.toks, i-1, ":") || is(r.toks, i-1, "@") || is(r.toks, i-1, "$") || is(r.toks, i-1, "def") || is(r.toks, i-1, "alias") || is(r.toks, i-1, "undef")
}

// starts notes the call at i if it starts something known.
func (r *rubyStarter) starts(i int) {
	name, from := r.toks[i].text, i
	if is(r.toks, i-1, ".") && i >= 2 && r.toks[i-2].kind == 'n' && !r.toks[i].gap {
		name, from = r.toks[i-2].text+"."+name, i-2
	}
	instead, ok := rubyStarters[name]
	if !ok || r.names(from) || is(r.toks, i+1, ":") || is(r.toks, i+1, "?") || is(r.toks, i+1, "=") || i+1 >= len(r.toks) || r.toks[from].at < 0 {
		return
	}
	at, end := i+1, 0
	if is(r.toks, at, "(") && r.toks[at].at == r.toks[i].at+len(r.toks[i].text) {
		end = r.closing(at)
		at++
	}
	words, next := r.words(at, name == "IO.popen")
	if len(words) == 0 {
		return
	}
	switch {
	case end > 0 && next == end && end < len(r.toks):
		next++
	case end > 0 || !r.over(next):
		return
	}
	if name == "IO.popen" && !is(r.toks, at, "[") && len(words) > 1 {
		return // the second says how it is opened
	}
	if len(words) == 1 && !is(r.toks, at, "[") {
		words = []string{"sh", "-c", words[0]}
	}
	if !startable(words) {
		return
	}
	r.calls = append(r.calls, codeStart{from: r.toks[from].at, to: r.toks[next-1].at + len(r.toks[next-1].text), instead: instead, pyStart: pyStart{in: unknown, lines: [][]string{words}}})
}

// words reads constant texts from i on, in an array where a list may be one, and returns where they
// end; none if one of them is not constant.
func (r *rubyStarter) words(i int, list bool) (words []string, next int) {
	if list && is(r.toks, i, "[") {
		words, next = r.words(i+1, false)
		if !is(r.toks, next, "]") {
			return nil, 0
		}
		return words, next + 1
	}
	for {
		if i >= len(r.toks) || r.toks[i].kind != 's' || r.toks[i].at < 0 || len(r.toks[i].text) < 3 || r.toks[i].gap && len(words) == 0 || strings.IndexByte("'\"", r.toks[i].text[0]) < 0 || strings.ContainsAny(r.toks[i].text, "#\\") {
			return nil, 0
		}
		words = append(words, r.toks[i].text[1:len(r.toks[i].text)-1])
		switch i++; {
		case !is(r.toks, i, ","):
			return words, i
		case is(r.toks, i+1, "exception") && is(r.toks, i+2, ":") && (is(r.toks, i+3, "true") || is(r.toks, i+3, "false")):
			return words, i + 4
		}
		i++
	}
}

// over says whether a call without parentheses ends before token i.
func (r *rubyStarter) over(i int) bool {
	if i >= len(r.toks) || r.toks[i].gap && r.toks[i].kind == 'n' {
		return true
	}
	return is(r.toks, i, ";") || is(r.toks, i, "}") || is(r.toks, i, ")") || r.toks[i].kind == 'n' && hasWord("if unless and or end while until", r.toks[i].text)
}

// fetches notes the call at i if it asks a server of this machine: Net::HTTP.get(URI("http://...")),
// Net::HTTP.get_response and URI.open with a text alone.
func (r *rubyStarter) fetches(i int) bool {
	var to int
	at := i
	switch {
	case r.names(i):
		return false
	case r.spells(i, "Net", ":", ":", "HTTP", ".", "get", "("), r.spells(i, "Net", ":", ":", "HTTP", ".", "get_response", "("):
		at, to = i+7, r.closing(i+6)
		switch {
		case r.spells(at, "URI", "("):
			at += 2
		case r.spells(at, "URI", ".", "parse", "("):
			at += 4
		default:
			return false
		}
		if !is(r.toks, at+1, ")") || to != at+2 {
			return false
		}
	case r.spells(i, "URI", ".", "open", "("):
		at, to = i+4, r.closing(i+3)
		if to != at+1 {
			return false
		}
	default:
		return false
	}
	words, _ := r.words(at, false)
	if len(words) != 1 || !localURL(words[0]) || to >= len(r.toks) {
		return false
	}
	r.calls = append(r.calls, codeStart{from: r.toks[i].at, to: r.toks[to].at + 1, instead: " $PROGRAM_NAME.to_s ", pyStart: pyStart{lines: [][]string{curls("GET", words[0], false)}}})
	return true
}

// spells says whether words and signs stand in a row from i on, all of them in the code itself.
func (r *rubyStarter) spells(i int, words ...string) bool {
	for k, w := range words {
		if !is(r.toks, i+k, w) || r.toks[i+k].at < 0 {
			return false
		}
	}
	return true
}
