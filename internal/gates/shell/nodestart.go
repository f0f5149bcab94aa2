package shell

import "strings"

// This file finds the calls of inline JavaScript that start programs (Node.js documentation, Child
// process). The module and its functions may go by other names of the code's, if these are bound
// once and used for nothing else.

// nodeLines are the functions of child_process that take a line of the shell, and nodeArgs those
// that take a program and its arguments.
const (
	nodeLines = "exec execSync"
	nodeArgs  = "execFile execFileSync spawn spawnSync"
)

// nodeStartOptions are options of these functions that change neither what runs nor where.
const nodeStartOptions = "encoding stdio timeout maxBuffer windowsHide killSignal"

// nodeStarter looks for calls that start programs.
type nodeStarter struct {
	*nodeCode
	module string            // what the code calls the module
	names  map[string]string // what it calls functions of it
	used   map[int]bool      // tokens of names that are accounted for
	later  bool              // what is started may be running when the code goes on
	calls  []codeStart
}

// nodeStarts are the calls of code that start programs; none unless all uses of the module are
// such calls.
func nodeStarts(text string) []codeStart {
	if !strings.Contains(text, "child_process") {
		return nil
	}
	n := &nodeStarter{nodeCode: &nodeCode{}, names: map[string]string{}, used: map[int]bool{}}
	var bad string
	if n.toks, bad = dialectOf("node").tokens(text); bad != "" || strings.Contains(text, "<!--") || strings.Contains(text, "-->") {
		return nil
	}
	n.pairBrackets()
	for i := range n.toks {
		if !n.declares(i) {
			return nil
		}
	}
	for i := range n.toks {
		n.starts(i)
	}
	for i, t := range n.toks {
		if t.kind != 'n' || n.used[i] {
			continue
		}
		if n.later && hasWord("setInterval setImmediate setTimeout queueMicrotask nextTick", t.text) {
			return nil // which may start more and more of what does not end
		}
		_, function := n.names[t.text]
		if function || t.text == "child_process" || t.text == "this" || t.text == n.module && n.module != "" {
			return nil
		}
	}
	return n.calls
}

// requires says whether require of the module stands at i, which takes four tokens.
func (n *nodeStarter) requires(i int) bool {
	if !is(n.toks, i, "require") || is(n.toks, i-1, ".") || !is(n.toks, i+1, "(") || !is(n.toks, i+3, ")") {
		return false
	}
	mod, ok := n.constant(i+2, i+3)
	return ok && strings.TrimPrefix(mod, "node:") == "child_process"
}

// declares notes the names that a declaration at i gives to the module or to functions of it;
// false for one that is not followed.
func (n *nodeStarter) declares(i int) bool {
	if !n.requires(i) || !is(n.toks, i-1, "=") || is(n.toks, i-2, "=") || is(n.toks, i-2, "!") {
		return true
	}
	end, from, instead := i+4, i-2, "0"
	if is(n.toks, end, ".") && end+1 < len(n.toks) && hasWord(nodeLines+" "+nodeArgs, n.toks[end+1].text) && n.ended(end+2) {
		if n.name(from) == "" || !n.function(from, n.toks[end+1].text) {
			return false
		}
		end, i, instead = end+2, from, "{} = {}"
	} else if !n.ended(end) {
		return true // of which something is called or read at once
	} else if k := n.opening(from); k >= 0 {
		if !n.pattern(k, from) {
			return false
		}
		from, i, instead = k, k, "{} = {}"
	} else if n.name(from) == "" || n.module != "" {
		return false
	} else {
		n.module, n.used[from] = n.toks[from].text, true
	}
	if word := from - 1; !is(n.toks, word, "const") && !is(n.toks, word, "let") && !is(n.toks, word, "var") && !is(n.toks, word, ",") || n.toks[i].at < 0 {
		return false
	}
	n.calls = append(n.calls, codeStart{from: n.toks[i].at, to: n.after(end - 1), instead: instead})
	return true
}

// function notes that the name at i is a function of the module.
func (n *nodeStarter) function(i int, function string) bool {
	if _, twice := n.names[n.toks[i].text]; twice || !hasWord(nodeLines+" "+nodeArgs, function) {
		return false
	}
	n.names[n.toks[i].text], n.used[i] = function, true
	return true
}

// pattern reads {a, b: c} between the braces at from and to.
func (n *nodeStarter) pattern(from, to int) bool {
	for i := from + 1; i < to; {
		function, name := n.name(i), i
		if function == "" {
			return false
		}
		if i++; is(n.toks, i, ":") {
			name, i = i+1, i+2
			n.used[name-2] = true
		}
		if n.name(name) == "" || i < to && !is(n.toks, i, ",") || !n.function(name, function) {
			return false
		}
		i++
	}
	return is(n.toks, from, "{")
}

// ended says whether a statement may be over before token i.
func (n *nodeStarter) ended(i int) bool {
	return i >= len(n.toks) || is(n.toks, i, ";") || is(n.toks, i, ",") || n.toks[i].gap && n.toks[i].kind == 'n' && !hasWord("in instanceof", n.toks[i].text)
}

// after is where the token at i ends in the text.
func (n *nodeStarter) after(i int) int { return n.toks[i].at + len(n.toks[i].text) }

// starts notes the call at i, if it starts something known.
func (n *nodeStarter) starts(i int) {
	function, from := n.names[n.name(i)], i
	if is(n.toks, i-1, ".") {
		function = n.toks[i].text
		switch {
		case n.requires(i - 5):
			from = i - 5
		case i >= 2 && !is(n.toks, i-3, ".") && n.toks[i-2].kind == 'n' && (n.module != "" && n.toks[i-2].text == n.module || n.toks[i-2].text == "child_process"):
			from = i - 2
		default:
			return
		}
	}
	if !is(n.toks, i+1, "(") || n.closing(i+1) == len(n.toks) || n.toks[i].kind != 'n' || n.toks[i].at < 0 || n.toks[from].at < 0 || is(n.toks, from-1, "new") {
		return
	}
	call := codeStart{from: n.toks[from].at, to: n.after(n.closing(i + 1)), instead: "process.title"}
	if !n.arguments(&call, function, n.split(i+1)) {
		return
	}
	for k := from; k <= i; k++ {
		n.used[k] = true
	}
	n.later = n.later || !strings.HasSuffix(function, "Sync")
	n.calls = append(n.calls, call)
}

// split are the arguments of the call whose parenthesis stands at i.
func (n *nodeStarter) split(i int) (list [][2]int) {
	end := n.closing(i)
	for from, k := i+1, i+1; k <= end; k++ {
		if k < end && n.pairs[k] > k {
			k = n.pairs[k]
			continue
		}
		if k == end || is(n.toks, k, ",") {
			if from < k {
				list = append(list, [2]int{from, k})
			}
			from = k + 1
		}
	}
	return list
}

// arguments reads what a function of the module is given.
func (n *nodeStarter) arguments(call *codeStart, function string, args [][2]int) bool {
	if len(args) == 0 || !hasWord(nodeLines+" "+nodeArgs, function) {
		return false
	}
	first, ok := n.constant(args[0][0], args[0][1])
	if !ok || first == "" {
		return false
	}
	words, shell := []string{first}, hasWord(nodeLines, function)
	args = args[1:]
	if !shell && len(args) > 0 && is(n.toks, args[0][0], "[") {
		list, ok := n.texts(args[0][0], args[0][1])
		if !ok {
			return false
		}
		words, args = append(words, list...), args[1:]
	}
	call.in = unknown
	if len(args) > 0 && is(n.toks, args[0][0], "{") {
		if !n.options(call, &shell, args[0][0], args[0][1]) {
			return false
		}
		args = args[1:]
	}
	if len(args) == 1 && n.functionAt(args[0][0]) && hasWord("exec execFile", function) {
		call.to, call.instead = n.toks[args[0][0]].at, "setTimeout(" // what it calls later stays
		args = nil
	}
	if shell {
		words = []string{"sh", "-c", strings.Join(words, " ")}
	}
	if !startable(words) || len(args) > 0 {
		return false
	}
	if len(call.env) > 0 {
		words = append(append([]string{"env"}, call.env...), words...)
	}
	call.lines = [][]string{words}
	return true
}

// environ reads an environment that is the code's own with constants put into it:
// {...process.env, A: 'b'}.
func (n *nodeStarter) environ(from, to int) (sets []string, ok bool) {
	if n.closing(from) != to-1 {
		return nil, false
	}
	for i, o := range n.split(from) {
		if i == 0 {
			if o[1] != o[0]+6 || !is(n.toks, o[0], ".") || !is(n.toks, o[0]+3, "process") || !is(n.toks, o[0]+4, ".") || !is(n.toks, o[0]+5, "env") {
				return nil, false
			}
			continue
		}
		value, known := n.constant(o[0]+2, o[1])
		name := n.toks[o[0]].text
		if !known || n.toks[o[0]].kind != 'n' || !is(n.toks, o[0]+1, ":") || nameLen(name) != len(name) {
			return nil, false
		}
		sets = append(sets, name+"="+value)
	}
	return sets, true
}

// options reads the options between the braces at from and before to.
func (n *nodeStarter) options(call *codeStart, shell *bool, from, to int) bool {
	if n.closing(from) != to-1 {
		return false
	}
	for _, o := range n.split(from) {
		at := o[0] + 2
		if !is(n.toks, o[0]+1, ":") || at >= o[1] {
			return false
		}
		name := n.toks[o[0]].text
		if n.toks[o[0]].kind == 's' {
			name, _ = n.constant(o[0], o[0]+1)
		}
		text, ok := n.constant(at, o[1])
		switch {
		case hasWord(nodeStartOptions, name) && (n.plain(at, o[1]) || is(n.toks, at, "[") && n.closing(at) == o[1]-1 && n.allPlain(at)):
		case name == "shell" && o[1] == at+1 && (is(n.toks, at, "true") || is(n.toks, at, "false")):
			*shell = *shell || is(n.toks, at, "true")
		case name == "cwd" && ok && text != "":
			call.cwd = text
		case name == "input" && ok:
			call.in = data{text: text}
		case name == "env" && is(n.toks, at, "{"):
			if call.env, ok = n.environ(at, o[1]); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// plain says whether one constant stands from at to to, or a product of numbers.
func (n *nodeStarter) plain(at, to int) bool {
	for i := at; i < to; i++ {
		t := n.toks[i]
		if _, ok := n.constant(i, i+1); t.kind != 'd' && !ok && !hasWord("true false null undefined", t.text) && !(t.kind == 'o' && t.text == "*") {
			return false
		}
	}
	return true
}

// allPlain says whether all items of the array at i are constants.
func (n *nodeStarter) allPlain(i int) bool {
	for _, item := range n.split(i) {
		if !n.plain(item[0], item[1]) {
			return false
		}
	}
	return true
}

// texts are those of an array between from and to.
func (n *nodeStarter) texts(from, to int) (list []string, ok bool) {
	if n.closing(from) != to-1 {
		return nil, false
	}
	for _, item := range n.split(from) {
		text, ok := n.constant(item[0], item[1])
		if !ok {
			return nil, false
		}
		list = append(list, text)
	}
	return list, true
}

// constant is the text that alone stands between two tokens.
func (n *nodeStarter) constant(from, to int) (string, bool) {
	if to != from+1 || from >= len(n.toks) || n.toks[from].kind != 's' || len(n.toks[from].text) < 2 {
		return "", false
	}
	text := n.toks[from].text
	if text[0] == '`' && strings.ContainsAny(text, "$\\") {
		return "", false
	}
	return plainText(text[1:len(text)-1], false).constant()
}
