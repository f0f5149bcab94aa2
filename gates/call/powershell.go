package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// PowerShell is an effect.PowerShell, with what knows the language.
type PowerShell struct {
	shell.Pwsh
	effect.PowerShellReader
}

// NewPowerShell returns one that goes by a reader.
func NewPowerShell(r effect.PowerShellReader) PowerShell {
	return PowerShell{shell.Pwsh{PowerShellReader: r}, r}
}

// Read adds what a line does in each shell that may read it on Windows, or in PowerShell anywhere. A
// line that its host started as words is the words of POSIX shell that lineOf wrote.
func (s PowerShell) Read(at any, line string, places *effect.Places) {
	b := at.(*builder)
	unix, windows := shellsOf(b.call.Tool, places)
	if len(windows) > 0 && b.doc.vector() {
		unix, windows = true, nil
	}
	from := len(b.c.Effects)
	if strings.HasPrefix(places.Cwd, "/{share}") {
		b.add(effect.Effect{Kind: effect.Spawn, Op: effect.OpEscape, Resource: "a program in a directory of another machine"})
	}
	if unix {
		if len(windows) > 0 {
			if rest := withoutAssignments(line); rest != line {
				b.c.line = shell.Parse(rest)
			}
		}
		does := b.c.line.Resolve(places)
		b.runs(does.Runs, from)
		b.does(&does)
	}
	for _, sh := range windows {
		if sh == shell.PowerShell {
			s.read(b, line, places, unix, from)
			continue
		}
		text := line
		if sh == shell.Cmd {
			text = commandsFor(line, s)
		}
		if text != "" {
			b.c.Effects = append(b.c.Effects, shell.AnalyzeWindows(text, sh, places)...)
		}
	}
}

// withoutAssignments leaves out of a line what PowerShell reads as giving a variable a value that is written
// there: POSIX shell looks for a program =, or :NAME=, and finds none. Where anything in the line may
// be parted otherwise there, it is left whole.
func withoutAssignments(line string) string {
	if !quotesAlike(line) {
		return line
	}
	var kept []string
	from, quote := 0, byte(0)
	for i := 0; i <= len(line); i++ {
		switch {
		case i < len(line) && quote != 0:
			if line[i] == quote {
				quote = 0
			}
			continue
		case i < len(line) && (line[i] == '"' || line[i] == '\''):
			quote = line[i]
			continue
		case i < len(line) && line[i] != ';':
			continue
		}
		if !assigns(strings.TrimSpace(line[from:i])) {
			kept = append(kept, line[from:i])
		}
		from = i + 1
	}
	if quote != 0 {
		return line
	}
	return strings.Join(kept, ";")
}

// assigns says whether a statement is such a one, and nothing in it runs: the name is none of a variable that
// systems give programs, which have no small letters but for some of Windows.
func assigns(text string) bool {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || strings.ContainsAny(value, "$<>|&(){}[]*?~") {
		return false
	}
	if env, ok := strings.CutPrefix(name, "$env:"); ok {
		return env != "" && strings.Trim(env, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
	}
	name, ok = strings.CutPrefix(name, "$")
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return ok && name != "" && plain && name != strings.ToUpper(name) && !strings.EqualFold(name, "comspec") && strings.HasPrefix(value, " ")
}

// commandsFor is what cmd finds a program for, of a line: not for what begins as no command but one of
// PowerShell does. Cmd parts a line within single quotation marks as well. A line in which it
// would put in or escape something is left whole.
func commandsFor(line string, ps PowerShell) string {
	if strings.ContainsAny(line, "^\n") || strings.Count(line, "%") > 1 || strings.Count(line, `"`)%2 != 0 {
		return line
	}
	var kept []string
	from, quoted, later := 0, false, false
	for i := 0; i <= len(line); i++ {
		switch {
		case i < len(line) && line[i] == '"':
			quoted = !quoted
			continue
		case i < len(line) && (quoted || line[i] != '&' && line[i] != '|' || i > 0 && line[i-1] == '>'):
			continue
		}
		part := strings.TrimSpace(line[from:i])
		from = i + 1
		word, _, _ := strings.Cut(strings.TrimLeft(part, "(@ "), " ")
		none := ps.Cmdlet(strings.TrimRight(word, ")."))
		if len(kept) == 0 && !later { // where the line begins, PowerShell has read it too
			none = none || strings.HasPrefix(word, "$") || beginsOther(part) && !strings.Contains(part, "==") && (part[0] != '(' || strings.ContainsAny(word[:min(1, len(word))], `"'[-0123456789`))
		}
		later = later || part != ""
		if part != "" && (strings.ContainsAny(part, "<>") || !none) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " | ")
}

// read adds what a line does in PowerShell, as the host's reader of it says. beside says that
// it may be a line of POSIX shell as well, whose effects begin at from: those of a cmdlet are
// none there, for no program is called so.
func (s PowerShell) read(b *builder, line string, places *effect.Places, beside bool, from int) {
	posix, why, ok := s.Translate(line, places.OnDrive())
	if !ok {
		b.add(effect.Effect{Kind: effect.Opaque, Op: effect.OpComputed, Resource: "a line of PowerShell that gbt does not follow (" + why + ")"})
		b.c.Effects = append(b.c.Effects, shell.AnalyzeWindows(line, shell.PowerShell, places)...)
		return
	}
	parsed := shell.Parse(posix)
	does := parsed.Resolve(places)
	if beside && slices.Equal(does.Effects, b.c.Effects[from:]) {
		return
	}
	if beside {
		s.withoutCmdlets(b, line, from)
	}
	if !beside || len(b.c.Effects) == from {
		b.c.line, b.c.Command = parsed, posix
	} else {
		b.c.Command = line + "\n" + posix
	}
	b.runs(does.Runs, len(b.c.Effects))
	b.does(&does)
}

// withoutCmdlets takes away the effects of POSIX shell where they are no more than that it
// does not find cmdlets, or that it does not read the line at all: one that begins with a
// statement of PowerShell.
func (s PowerShell) withoutCmdlets(b *builder, line string, from int) {
	if _, ok := b.c.line.Syntax(); !ok && beginsOther(line) && quotesAlike(line) {
		b.c.Effects, b.c.Runs = b.c.Effects[:from], b.c.Runs[:0]
		return
	}
	kept := b.c.Effects[:from]
	at := make([]int, 0, len(b.c.Effects)) // where each effect is now; -1 for nowhere
	for i, e := range b.c.Effects {
		switch {
		case i < from:
			at = append(at, i)
		case e.Kind == effect.Spawn && e.Op == effect.OpRunUnknown && s.Cmdlet(e.Resource):
			at = append(at, -1)
		default:
			at = append(at, len(kept))
			kept = append(kept, e)
		}
	}
	b.c.Effects = kept
	b.c.Runs = slices.DeleteFunc(b.c.Runs, func(r effect.Run) bool { return len(r.Words) > 0 && s.Cmdlet(r.Words[0]) })
	for i := range b.c.Runs {
		r := &b.c.Runs[i]
		var own []int
		for _, e := range r.Effects {
			if e < len(at) && at[e] >= 0 {
				own = append(own, at[e])
			}
		}
		r.Effects = own
	}
}

// beginsOther says whether a line begins as no line of POSIX shell does that PowerShell reads as
// well: a parenthesis follows if, foreach or while, behind which a brace stands there and can't
// here, or is the first character of an expression with more behind it (POSIX, 2.10).
func beginsOther(line string) bool {
	line = strings.TrimSpace(line)
	for _, w := range [...]string{"", "if", "foreach", "while"} {
		if rest, ok := strings.CutPrefix(line, w); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "(") {
			return !strings.HasPrefix(strings.TrimLeft(rest, " "), "((")
		}
	}
	return false
}

// quotesAlike says whether strings begin and end at the same places of one line for PowerShell
// and for POSIX shell: there is nothing in it that one of them escapes or leaves out.
func quotesAlike(line string) bool {
	for _, s := range [...]string{"\n", "`", `\"`, `\'`, `""`, "''", `@"`, `@'`, "#"} {
		if strings.Contains(line, s) {
			return false
		}
	}
	return !strings.ContainsFunc(line, func(r rune) bool { return r > 0x7f })
}
