package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file evaluates an expression of find(1) on the path of one file, as far as its tests go by
// names, types and depth: what else a test asks may be or not (POSIX.1-2017, find; GNU findutils
// manual, "Finding Files").

// truth is the value of a test on a file, of which not all is known: no, perhaps, or yes
// (S. C. Kleene, "Introduction to Metamathematics", 1952, §64).
type truth int8

const (
	surelyNot truth = iota
	perhaps
	surely
)

// picker evaluates one expression on one path.
type picker struct {
	args   []string
	i      int
	depth  int
	path   string // as find prints it
	below  int    // how deep below the starting point it lies
	isDir  bool
	acted  bool  // an action stands in the expression
	acts   truth // whether one of them is done with the path
	prunes truth // whether find goes no deeper there
}

// findPicks says whether find may print a file that lies below one of its starting points, or do
// something with it. root is the starting point as it is written, and rel the path below it.
func findPicks(args []string, root, rel string) bool {
	elements := strings.Split(rel, "/")
	at := trimSuffix(root, "/")
	for i, e := range elements {
		at += "/" + e
		p := picker{args: args, path: at, below: i + 1, isDir: i+1 < len(elements)}
		value := p.either(surely)
		switch {
		case p.i != len(args): // no expression that is read here
			return true
		case p.isDir && p.prunes == surely:
			return false
		case p.isDir:
		case p.acted:
			return p.acts > surelyNot
		default:
			return value > surelyNot
		}
	}
	return true
}

// either reads terms that -o joins, of which the later ones count where the earlier do not hold.
// before is what holds when the first is asked.
func (p *picker) either(before truth) truth {
	if p.depth++; p.depth > maxFound {
		p.i = len(p.args) + 1
		return perhaps
	}
	out := p.all(before)
	for p.i < len(p.args) && contains(p.args[p.i], "-o", "-or", ",") {
		comma := p.args[p.i] == ","
		p.i++
		if comma {
			out = p.all(before)
			continue
		}
		out = max(out, p.all(min(before, surely-out)))
	}
	p.depth--
	return out
}

// all reads terms that must all hold.
func (p *picker) all(before truth) truth {
	out := surely
	for p.i < len(p.args) && !contains(p.args[p.i], "-o", "-or", ",", ")") {
		out = min(out, p.test(min(before, out)))
	}
	return out
}

// test reads one test, action or option.
func (p *picker) test(before truth) truth {
	a := p.args[p.i]
	p.i++
	switch {
	case a == "-a" || a == "-and":
		return surely
	case a == "!" || a == "-not":
		if p.i < len(p.args) {
			return surely - p.test(before)
		}
	case a == "(":
		out := p.either(before)
		p.i++ // the bracket; past the end where there is none
		return out
	case contains(a, "-exec", "-execdir", "-ok", "-okdir"):
		at := p.i
		for p.i < len(p.args) && p.args[p.i] != ";" && !(p.args[p.i] == "+" && p.i > at) {
			p.i++
		}
		p.i++
		p.act(before)
	case strings.HasPrefix(a, "-print") || strings.HasPrefix(a, "-fprint") || contains(a, "-delete", "-ls", "-fls"):
		if contains(a, "-printf", "-fprint", "-fprint0", "-fls") {
			p.i++
		} else if a == "-fprintf" {
			p.i += 2
		}
		p.act(before)
		return surely
	case a == "-prune":
		p.prunes = max(p.prunes, before)
		return surely
	case mark.Among(findValued, a):
		p.i++
		if p.i <= len(p.args) {
			return p.valued(a, p.args[p.i-1])
		}
	case a == "-true" || contains(a, "-depth", "-d", "-mount", "-xdev", "-follow", "-daystart", "-noleaf", "-warn", "-nowarn"):
		return surely
	case a == "-false":
		return surelyNot
	case mark.Has(a):
		p.i = len(p.args) + 1
	}
	return perhaps
}

func (p *picker) act(before truth) { p.acted, p.acts = true, max(p.acts, before) }

// valued is a test or option with a value.
func (p *picker) valued(test, value string) truth {
	path, name := p.path, lastElement(p.path)
	if contains(test, "-iname", "-ipath", "-iwholename") {
		path, name, value = strings.ToLower(path), strings.ToLower(name), strings.ToLower(value)
	}
	switch test {
	case "-name", "-iname":
		return matchesAs(value, name)
	case "-path", "-ipath", "-wholename", "-iwholename":
		return matchesAs(value, path)
	case "-maxdepth", "-mindepth":
		if n, err := strconv.Atoi(value); err == nil && (test == "-maxdepth" && p.below > n || test == "-mindepth" && p.below < n) {
			return surelyNot
		}
		return surely
	case "-type":
		switch {
		case strings.Trim(value, "fdlbcps,D") != "":
		case p.isDir != (value == "d") && !strings.ContainsAny(value, "l,"):
			return surelyNot
		case value == "f" && !p.isDir || value == "d" && p.isDir:
			return perhaps // a link to it is none
		}
	}
	return perhaps
}

// matchesAs says whether a text is what a pattern stands for. Of a class of letters nobody asks
// which they are.
func matchesAs(pattern, text string) truth {
	if strings.HasSuffix(pattern, `\`) || mark.Has(pattern) {
		return perhaps
	}
	marked := patternText(pattern)
	switch {
	case !mark.Match(marked, text):
		return surelyNot
	case firstByte(pattern, '[') >= 0 || firstByte(pattern, '\\') >= 0:
		return perhaps
	}
	return surely
}
