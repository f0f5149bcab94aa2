package shell

import "strings"

// This file finds what inline Perl starts (perlfunc(1), system and exec; perlop(1), Quote-Like
// Operators), where all of it is constant and stands outside of strings and patterns. Perl can
// only be cut while one knows what its words mean, so the reading of perlallow.go notes the calls
// on its way.

// perlStarts are the calls of code that start something known; none if anything else in the code
// is not known to be harmless, which its reading may then have taken for something else, or if it
// may change the environment that these get.
func perlStarts(text string) []codeStart {
	if strings.Contains(text, "ENV") || !strings.Contains(text, "`") && !strings.Contains(text, "qx") && !strings.Contains(text, "system") && !strings.Contains(text, "exec") {
		return nil
	}
	var calls []codeStart
	p := perlCode{calls: &calls}
	p.learn(text)
	p.cut(text)
	if p.asked != "" || p.alias && p.edits {
		return nil
	}
	return calls
}

// shellLine notes that a line of the shell stands in quotes from i on to before end; false where
// it is not plain. A single quote is a delimiter within which nothing is put in.
func (p *perlCode) shellLine(body string, from, end int) bool {
	if p.calls == nil || p.depth != 1 || strings.ContainsAny(body, "$@\\") || strings.TrimSpace(body) == "" {
		return false
	}
	*p.calls = append(*p.calls, codeStart{from: from, to: end, instead: ` "$0" `, pyStart: pyStart{in: unknown, lines: [][]string{{"sh", "-c", body}}}})
	return true
}

// startsWords reads the arguments of the system or exec at i, which ends before j, and returns
// where they end; 0 where they are not plain.
func (p *perlCode) startsWords(i, j int) int {
	if p.calls == nil || p.depth != 1 || p.value || contains(p.before, "->", "&", "sub") {
		return 0
	}
	words, k, open := []string(nil), p.blank(j), false
	if k < len(p.text) && p.text[k] == '(' {
		open, k = true, p.blank(k+1)
	}
	for {
		list, end := p.constants(k)
		if end == 0 {
			return 0
		}
		words, k = append(words, list...), p.blank(end)
		if k >= len(p.text) || p.text[k] != ',' {
			break
		}
		k = p.blank(k + 1)
	}
	end, rest := k, p.text[min(k, len(p.text)):]
	if open {
		if !strings.HasPrefix(rest, ")") {
			return 0
		}
		end++
	} else if w := rest[:nameLen(rest)]; rest != "" && rest[0] != ';' && rest[0] != '}' && !contains(w, "or", "and", "if", "unless", "for", "foreach") {
		return 0
	}
	if len(words) == 1 {
		words = []string{"sh", "-c", words[0]}
	}
	if !startable(words) {
		return 0
	}
	*p.calls = append(*p.calls, codeStart{from: i, to: end, instead: " 0 ", pyStart: pyStart{in: unknown, lines: [][]string{words}}})
	p.ends("0")
	return end
}

// blank is where what follows the blanks at i begins.
func (p *perlCode) blank(i int) int {
	for i < len(p.text) && strings.IndexByte(" \t\n\r", p.text[i]) >= 0 {
		i++
	}
	return i
}

// constants reads the constant text, or the words of qw, at i and returns where it ends; 0 for
// anything else.
func (p *perlCode) constants(i int) ([]string, int) {
	rest := p.text[min(i, len(p.text)):]
	w := rest[:nameLen(rest)]
	k := i + len(w)
	if k >= len(p.text) || w == "" && strings.IndexByte("'\"", p.text[k]) < 0 || w != "" && (!contains(w, "q", "qq", "qw") || strings.IndexByte("([{</|!", p.text[k]) < 0) {
		return nil, 0
	}
	body, end := p.delimited(k)
	if strings.ContainsAny(body, "$@\\") || p.asked != "" {
		return nil, 0
	}
	if w == "qw" {
		list := strings.Fields(body)
		return list, end * min(len(list), 1)
	}
	return []string{body}, end
}
