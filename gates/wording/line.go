package wording

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates"
)

// command is one simple command of a line: its program and its other words, with … for
// what stands there only when it runs. It is read to find the names that a sentence
// tells, and decides nothing.
type command struct {
	program string
	words   []string
}

// Limits of the search. Lines that people write are far below.
const (
	maxRead   = 32 << 10
	maxNested = 3
	maxFound  = 64
)

// commandsOf are the commands of a call's command line, as far as it can be read.
func commandsOf(c *gates.Context) []command {
	if c == nil {
		return nil
	}
	return commandsIn(c.Command, 0)
}

func commandsIn(line string, depth int) []command {
	if line == "" || len(line) > maxRead || depth > maxNested {
		return nil
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	var out []command
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(out) >= maxFound {
			return true
		}
		words := make([]string, len(call.Args))
		for i, w := range call.Args {
			words[i] = literal(w)
			if i > 0 && slices.Contains(shells[:], path.Base(words[0])) && strings.ContainsAny(words[i], " \t\n;") { // sh -c 'git push'
				out = append(out, commandsIn(words[i], depth+1)...)
			}
		}
		if len(words) > 0 {
			out = append(out, command{path.Base(words[0]), words[1:]})
		}
		return true
	})
	return out
}

// literal is what a word says, with … for its expansions.
func literal(w *syntax.Word) string {
	var b strings.Builder
	parts(&b, w.Parts)
	return b.String()
}

func parts(b *strings.Builder, list []syntax.WordPart) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(p.Value, "\\\n", ""), `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			parts(b, p.Parts)
		default:
			b.WriteString(unknown)
		}
	}
}

// shells take a command line as an argument, and starters a command as their own words.
// In words of other programs (echo git push) nothing is looked for: they could tell of
// what does not happen.
var (
	shells   = [...]string{"sh", "bash", "dash", "zsh", "ksh", "eval", "su", "script", "watch", "find", "xargs", "parallel", "env", "timeout", "sudo", "nohup", "time"}
	starters = [...]string{
		"sudo", "doas", "env", "nohup", "time", "timeout", "nice", "ionice", "setsid", "stdbuf", "command", "exec", "builtin", "xargs", "find", "parallel", "watch", "flock", "chronic",
		"arch", "caffeinate", "faketime", "linux32", "linux64", "numactl", "setarch", "strace", "ltrace", "taskset", "unshare", "winpty", "xvfb-run", "direnv", "mise", "asdf", "nix", "op", "dotenv",
		"npx", "bunx", "uvx", "pnpm", "yarn", "npm", "uv", "poetry", "bundle", "php", "docker", "kubectl",
	}
)

// of are the commands of one program, those that a starter starts among them (sudo git
// push).
func (s *subject) of(program string) []command {
	var out []command
	for _, c := range s.lines {
		if c.program == program || strings.TrimRight(c.program, "0123456789.") == program { // python3.12
			out = append(out, command{program, c.words})
		} else if i := slices.IndexFunc(c.words, func(w string) bool { return path.Base(w) == program }); i >= 0 && slices.Contains(starters[:], c.program) {
			out = append(out, command{program, c.words[i+1:]})
		}
	}
	return out
}

// operands are the words of a command that are no options, but for what stands behind
// options that take a value.
func (c *command) operands(valued ...string) []string {
	var out []string
	for i := 0; i < len(c.words); i++ {
		switch w := c.words[i]; {
		case w == "--":
			return append(out, c.words[i+1:]...)
		case slices.Contains(valued, w):
			i++
		case strings.HasPrefix(w, "-") && len(w) > 1:
		default:
			out = append(out, w)
		}
	}
	return out
}

// option is the value of an option: -X POST, -XPOST, --method POST or --method=POST.
func (c *command) option(names ...string) (string, bool) {
	for i, w := range c.words {
		for _, n := range names {
			switch rest, ok := strings.CutPrefix(w, n); {
			case w == n:
				if i+1 < len(c.words) {
					return c.words[i+1], true
				}
				return "", true
			case ok && strings.HasPrefix(n, "--") && rest[0] == '=':
				return rest[1:], true
			case ok && !strings.HasPrefix(n, "--") && len(n) == 2:
				return rest, true
			}
		}
	}
	return "", false
}

// has says whether one of some flags is given, short ones together with others too.
func (c *command) has(short string, longs ...string) bool {
	for _, w := range c.words {
		if w == "--" {
			return false
		}
		long, _, _ := strings.Cut(w, "=")
		if strings.HasPrefix(w, "--") && slices.Contains(longs, long) {
			return true
		}
		if len(w) > 1 && w[0] == '-' && w[1] != '-' && short != "" && strings.ContainsAny(w[1:], short) {
			return true
		}
	}
	return false
}
