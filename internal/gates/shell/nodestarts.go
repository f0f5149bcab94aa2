package shell

import "strings"

// This file judges programs that inline JavaScript starts with words that are known: as the command
// that they are (nodejs.org/api/child_process.html). A call of which anything is not known asks.

// nodeStartOptions are options that change neither what runs nor where.
const nodeStartOptions = "encoding stdio timeout maxBuffer windowsHide killSignal"

// nodeStarted stands for what such a program printed, of which nothing is known.
const nodeStarted = "String(Math.random())"

// startsModule says whether the text at i names the module by which programs are started. Not inlined, for the size of programs.
//
//go:noinline
func (n *nodeCode) startsModule(i int) bool {
	mod := n.quoted(i)
	return mod == "child_process" || mod == "node:child_process"
}

// bringsStarts reads a statement at i that brings in that module, and returns the names that it gives
// what of it, and its last token; nil where it is none.
func (n *nodeCode) bringsStarts(i int) (names map[string]string, end int) {
	binds := n.is(i, "const") || n.is(i, "let") || n.is(i, "var")
	if n.is(i-1, ".") || !binds && !n.is(i, "import") || n.toks[i].at < 0 {
		return nil, 0
	}
	k := i + 1
	if !binds && n.is(k, "*") && n.is(k+1, "as") {
		k += 2
	}
	names = map[string]string{}
	if n.is(k, "{") {
		if names = n.bindings(k); names == nil { // a default or a computed name is code
			return nil, 0
		}
		k = n.closing(k)
	} else if own := n.name(k); own != "" {
		names[own] = "*"
	}
	switch {
	case binds && n.is(k+1, "=") && n.is(k+2, "require") && n.is(k+3, "(") && n.startsModule(k+4) && n.is(k+5, ")"):
		end = k + 5
	case !binds && n.is(k+1, "from") && n.startsModule(k+2):
		end = k + 2
	default:
		return nil, 0
	}
	if !n.is(end+1, ";") && end+1 < len(n.toks) && !n.toks[end+1].gap || n.is(end+1, ".") || n.is(end+1, "(") || n.is(end+1, "[") {
		return nil, 0
	}
	return names, end
}

// nodeStarts is code with what programs print that it starts in place of the calls; as it stands where
// one of them is not known. What it starts is judged when all that the code does to files is.
func (m *machine) nodeStarts(text string) string {
	toks, bad := dialectOf("node").tokens(text)
	if bad != "" {
		return text
	}
	n := &nodeCode{m: m, toks: toks}
	n.pairBrackets()
	names := map[string]string{}
	skip := map[int]int{} // of the first token of a statement that brings the module in, its last
	for i := range toks {
		if own, end := n.bringsStarts(i); end > 0 {
			skip[i] = end
			for name, of := range own {
				if names[name] != "" {
					return text
				}
				names[name] = of
			}
		}
	}
	var changes []textEdit
	var started []pyStart
	for i := 0; i < len(toks); i++ {
		if end := skip[i]; end > 0 {
			last := toks[end].at + len(toks[end].text)
			changes = append(changes, textEdit{toks[i].at, last, strings.Repeat(" ", last-toks[i].at)})
			i = end
			continue
		}
		t := toks[i]
		from, of := i, names[t.text]
		switch {
		case n.is(i, "String") || n.is(i, "Math"):
			if n.is(i-1, "function") || n.is(i-1, "class") || !n.is(i+1, "(") && !n.is(i+1, ".") {
				return text
			}
		case n.is(i, "require") && n.quotedIn(i) != "" && n.quotedIn(i)[0] == '.':
			return text // what a program has changed by then may be loaded
		case n.is(i, "require") && n.is(i+1, "(") && n.startsModule(i+2) && n.is(i+3, ")"):
			i, of = i+3, "*"
		case n.startsModule(i):
			return text
		}
		if t.kind != 'n' || of == "" || n.is(from-1, ".") {
			continue
		}
		if of == "*" {
			if !n.is(i+1, ".") || i+2 >= len(toks) {
				return text
			}
			i, of = i+2, toks[i+2].text
		}
		s, ok := n.startOf(of, i+1)
		if !ok || t.at < 0 {
			return text
		}
		end := n.closing(i + 1)
		printed := nodeStarted
		if of == "spawnSync" {
			printed = "({status: Math.random(), stdout: " + nodeStarted + ", stderr: " + nodeStarted + "})"
		}
		started = append(started, s)
		changes = append(changes, textEdit{t.at, toks[end].at + 1, printed})
		i = end
	}
	m.starts = append(m.starts, started...)
	return edited(text, 0, len(text), changes)
}

// quotedIn is the constant text in the parentheses behind i.
func (n *nodeCode) quotedIn(i int) string {
	if !n.is(i+1, "(") {
		return ""
	}
	return n.quoted(i + 2)
}

// startOf reads the arguments of a function that starts a program, from the parenthesis at i.
func (n *nodeCode) startOf(of string, i int) (s pyStart, ok bool) {
	end := n.closing(i)
	if !n.is(i, "(") || end >= len(n.toks) || n.toks[end].at < 0 || !hasWord("execSync execFileSync spawnSync", of) {
		return s, false
	}
	s.in = unknown
	word, ok := n.text(i + 1)
	words := []string{word}
	k := i + 2
	if ok && of != "execSync" && n.is(k, ",") && n.is(k+1, "[") {
		list := n.closing(k + 1)
		for k += 2; ok && k < list; k += 2 {
			if word, ok = n.text(k); ok {
				words = append(words, word)
			}
			ok = ok && (n.is(k+1, ",") || k+1 == list)
		}
		k = list + 1
	}
	if ok && n.is(k, ",") && n.is(k+1, "{") {
		ok = n.startOptions(&s, k+2, n.closing(k+1))
		k = n.closing(k+1) + 1
	}
	if ok && n.is(k, ",") {
		k++
	}
	if of == "execSync" {
		words = []string{"sh", "-c", word}
	}
	s.lines = [][]string{words}
	return s, ok && k == end && startable(words)
}

// text is the constant text at i.
func (n *nodeCode) text(i int) (string, bool) {
	if i >= len(n.toks) || n.toks[i].kind != 's' {
		return "", false
	}
	t := n.toks[i].text
	if len(t) < 2 || strings.Contains(t, `\`) || t[0] == '`' && strings.Contains(t, "${") || !n.is(i+1, ",") && !n.is(i+1, ")") && !n.is(i+1, "]") && !n.is(i+1, "}") {
		return "", false
	}
	return t[1 : len(t)-1], true
}

// startOptions reads the options between two tokens.
func (n *nodeCode) startOptions(s *pyStart, i, to int) bool {
	for i < to {
		key := n.toks[i].text
		if !n.is(i+1, ":") {
			return false
		}
		k := i + 2
		for k < to && !n.is(k, ",") {
			if n.toks[k].kind == 'o' && n.is(k, "[") {
				end := n.closing(k)
				for k++; k < end; k++ {
					if _, text := n.text(k); !text && !n.is(k, ",") {
						return false // code stands in the list
					}
				}
			} else if n.toks[k].kind == 'n' && !hasWord("true false null undefined", n.toks[k].text) || n.toks[k].kind == 'o' && !strings.Contains("*-", n.toks[k].text) {
				return false
			}
			k++
		}
		switch {
		case key == "cwd":
			dir, ok := n.text(i + 2)
			if !ok || k != i+3 || dir == "" {
				return false
			}
			s.cwd = dir
		case !hasWord(nodeStartOptions, strings.Trim(key, `"'`)):
			return false
		}
		i = k + 1
	}
	return true
}
