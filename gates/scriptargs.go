package gates

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about what a call gives to a script: `tools/clean.sh ../blog`, `./in-env.sh git push
// --force`. What a project's script does by itself is the project's affair (committed.go); where it
// is sent, and what it is told to run, is the call's. A script's text is read twice: with the
// arguments and variables of the run, and with words in their place that mean nothing. What it does
// in the first reading alone is by what it was given, and counts as the call's own where a call
// that did just that would be asked about. The second reading is of all branches: which of its deeds
// a script is told to do is its affair, too.

// ByArguments adds what scripts do by what a call gives them to the call's effects. It is
// State.ByArguments of hosts that let files be read. The cost is that of reading each script twice,
// or three times where it gets variables, and what scripts start in turn as long as maxReadings last.
func ByArguments(c *Context) {
	left := maxReadings
	for _, t := range c.toldScripts(maxReadings) {
		c.byArguments(&t, &left)
	}
}

// maxReadings bounds the texts that are read for one call, beyond those that it starts itself, of
// which as many are read: a script that starts twenty which each start twenty would be 1600.
const maxReadings = 40

// toldScripts are the texts that a call starts and gives something, at most so many.
func (c *Context) toldScripts(most int) []toldScript {
	if c.text == nil || c.nested >= maxAsRun || c.Elsewhere != "" {
		return nil
	}
	var out []toldScript
	for k := range c.runs {
		if r := &c.runs[k]; !r.Contained && !mark.Has(r.Cwd) && len(r.Words) > 0 && len(out) < most {
			out = append(out, c.toldBy(r)...)
		}
	}
	return out
}

// toldScript is a text that a run starts, with what the run gives it.
type toldScript struct {
	args, values []string // words behind it, and NAME=value of its variables
	state        State
	read         func(state State, args, values []string, all bool) Context // all: with the branches that they leave out
	code         bool                                                       // another language's than a shell's
}

// toldBy are the texts that a run starts and gives something.
func (c *Context) toldBy(r *effect.Run) []toldScript {
	state := c.state()
	state.Cwd, state.nested = r.Cwd, c.nested+1
	out := c.packageTold(r, state)
	for _, i := range r.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Spawn || e.Op != effect.OpRunFile || e.Program == "source" {
			continue
		}
		text, ok := c.scriptHeld(e.Resource)
		if !ok || shell.FirstLine(text) != "" {
			continue
		}
		t := toldScript{state: state, values: variablesOf(r)}
		lang := shell.ScriptLanguage(e.Resource, text)
		if s, ok := c.started(r, e.Resource, lang, text); ok {
			t.args = s.Args
			t.read = func(state State, args, values []string, all bool) Context {
				told := s
				told.Args, told.Env = args, values
				if !all {
					told.Narrow = shell.Narrow(&told)
				}
				state.script = &told
				return ShellContext(text, state)
			}
		} else if at := c.wordOf(r, e.Resource); at >= 0 && readsCode(lang) && !strings.Contains(text, endOfText) {
			t.args, t.code = r.Words[at+1:], true
			t.read = func(state State, args, values []string, _ bool) Context {
				return ShellContext(assignments(values)+lang+" - "+shellQuoted(args)+" <<'"+endOfText+"'\n"+text+"\n"+endOfText, state)
			}
		}
		if t.read != nil && len(t.args)+len(t.values) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// variablesOf are the variables that a call gives to a run. A home that is thrown away afterwards takes
// away what a script would do to the user's.
func variablesOf(r *effect.Run) []string {
	return slices.DeleteFunc(slices.Clone(r.Values), func(set string) bool { return strings.HasPrefix(set, "HOME=/tmp/") })
}

// packageTold are the scripts of package.json and composer.json that a run names, which get what
// stands behind the name (the manuals of npm, Yarn, pnpm, Bun and Composer).
func (c *Context) packageTold(r *effect.Run, state State) []toldScript {
	program := path.Base(r.Words[0])
	manifest := "package.json"
	switch program {
	case "composer":
		manifest = "composer.json"
	case "npm", "pnpm", "yarn", "bun":
	default:
		return nil
	}
	dir, names := scriptNames(program, r)
	if len(names) != 1 {
		return nil // an installation's
	}
	at := slices.Index(r.Words, names[0])
	values := variablesOf(r)
	if at < 0 || at+1 == len(r.Words) && len(values) == 0 {
		return nil
	}
	state.Cwd = c.places.Resolve(r.Cwd, dir)
	text, ok := c.scriptHeld(path.Join(state.Cwd, manifest))
	if !ok {
		return nil
	}
	var out []toldScript
	for _, line := range scriptsOf(text)[names[0]] {
		args := slices.DeleteFunc(slices.Clone(r.Words[at+1:]), func(w string) bool { return w == "--" })
		out = append(out, toldScript{args: args, values: values, state: state, read: func(state State, args, values []string, _ bool) Context {
			return ShellContext(assignments(values)+line+" "+shellQuoted(args), state)
		}})
	}
	return out
}

// endOfText ends a text that an interpreter is given on a line.
const endOfText = "END-OF-THE-FILE"

// readsCode says whether the interpreter of a language reads code from its input.
func readsCode(lang string) bool {
	switch lang {
	case python, "node", "ruby", "perl", "php":
		return true
	}
	return false
}

// wordOf is where a run names a file, or negative.
func (c *Context) wordOf(r *effect.Run, file string) int {
	return slices.IndexFunc(r.Words, func(w string) bool { return c.places.Resolve(r.Cwd, w) == file })
}

// assignments set variables for what follows on a line.
func assignments(values []string) string {
	var b strings.Builder
	for _, set := range values {
		name, value, _ := strings.Cut(set, "=")
		b.WriteString("export " + name + "=" + shellQuoted([]string{value}) + "\n")
	}
	return b.String()
}

// shellQuoted are words of a line that mean themselves (POSIX, Single-Quotes).
func shellQuoted(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}

// byArguments adds what one script does by what it is given, and what those that it starts do,
// as long as texts may be read.
func (c *Context) byArguments(t *toldScript, left *int) {
	t.state.ByArguments = func(c *Context) {
		for _, t := range c.toldScripts(*left) {
			if *left -= 2; *left >= 0 {
				c.byArguments(&t, left)
			}
		}
	}
	args, values := make([]string, len(t.args)), slices.Clone(t.values)
	for n := range args {
		if args[n] = t.args[n]; !shell.NewTemp(args[n]) { // nobody's yet
			args[n] = meaningless + strconv.Itoa(n+1)
		}
	}
	for n, set := range values {
		name, _, _ := strings.Cut(set, "=")
		values[n] = name + "=" + meaningless
	}
	does := t.read(t.state, t.args, t.values, false)
	own := make([]bool, len(does.Effects))
	if len(args) > 0 {
		without := t.read(t.state, args, t.values, true)
		does.butNot(&without, t, own)
	}
	if len(values) > 0 { // which program a variable names is the affair of who sets it: JAVA_HOME
		by, without := make([]bool, len(own)), t.read(t.state, t.args, values, true)
		does.butNot(&without, t, by)
		for i := range by {
			own[i] = own[i] || by[i] && does.Effects[i].Kind != effect.Spawn
		}
	}
	c.addOwn(&does, own)
}

// addOwn adds the effects of a script that are the call's own, where a call that did just that would
// be asked about.
func (c *Context) addOwn(does *Context, own []bool) {
	out := *does
	out.Effects, out.runs = nil, nil
	to := make([]int, len(own))
	for i := range own {
		if to[i] = len(out.Effects); own[i] {
			out.Effects = append(out.Effects, does.Effects[i])
		}
	}
	for _, r := range does.runs {
		var effects []int
		for _, i := range r.Effects {
			if own[i] {
				effects = append(effects, to[i])
			}
		}
		if r.Effects = effects; len(effects) > 0 {
			r.Given, r.Sets = false, nil // which the run that gives them says
			out.runs = append(out.runs, r)
		}
	}
	var g Guardrail
	if len(out.Effects) == 0 || g.Decide(&out).Disposition == Approved {
		return
	}
	at := len(c.Effects)
	c.Effects = append(slices.Clip(c.Effects), out.Effects...)
	c.runs = slices.Clip(c.runs)
	for _, r := range out.runs {
		for n := range r.Effects {
			r.Effects[n] += at
		}
		c.runs = append(c.runs, r)
	}
}

// meaningless begins a word that stands for one that a script is given, which is no option, no
// file that is there and nothing that a program does.
const meaningless = "gbt0argument"

// butNot marks what a context does and another does not. A program that is told something else does
// all that it does another time; the interpreter that runs all of the text does not. That the
// variables are set is known of the run that is given them. Of a program some of whose words are not
// known, though all that the script is given is, only what differs counts.
func (c *Context) butNot(other *Context, t *toldScript, own []bool) {
	secret, given := false, !slices.ContainsFunc(t.args, mark.Has) && !slices.ContainsFunc(t.values, mark.Has)
	for i := range c.Effects {
		e := &c.Effects[i]
		own[i] = !slices.ContainsFunc(other.Effects, func(o Effect) bool { return sameDeed(e, &o) })
		secret = secret || own[i] && e.Sensitive
	}
	computed := make([]bool, len(own))
	for k, r := range c.runs {
		unknown, all := slices.ContainsFunc(r.Words, mark.Has), t.code && k == 0
		option := len(r.Unlisted) > 0 && !strings.Contains(strings.Join(t.args, " "), r.Words[0]) // for a program of the script's own choice: npm test -- -x
		if !all && !(unknown && given) && slices.ContainsFunc(r.Effects, func(i int) bool { return own[i] && !tellsSet(&c.Effects[i], t.values) }) {
			for _, i := range r.Effects {
				own[i] = true
			}
		}
		for _, i := range r.Effects {
			computed[i] = unknown
			own[i] = own[i] && !(all && c.Effects[i].Kind == effect.Spawn) && !(option && c.Effects[i].Op == effect.OpEscape)
		}
	}
	for i := range own {
		e := &c.Effects[i]
		own[i] = own[i] && !tellsSet(e, t.values) && !(goesWhere(e, other) && (secret || e.Op == effect.OpFetch && !computed[i]))
	}
}

// goesWhere says whether a connection goes where one of another reading goes: the text names the
// place, and not who runs it. What is asked there with other words brings in what the project
// brings in anyway; of a secret that goes there, the question is about the secret.
func goesWhere(e *Effect, other *Context) bool {
	return e.Kind == effect.Network && slices.ContainsFunc(other.Effects, func(o Effect) bool { return o.Kind == e.Kind && o.Op == e.Op && o.Net == e.Net })
}

// tellsSet says whether an effect is that some variables are set for a program.
func tellsSet(e *Effect, values []string) bool {
	return e.Op == effect.OpEscape && slices.ContainsFunc(values, func(set string) bool {
		name, _, _ := strings.Cut(set, "=")
		return strings.HasPrefix(e.Resource, name+"=")
	})
}

// sameDeed says whether effects of two readings of one text are the same: what is not known of a
// program or a file in the one is so in the other.
func sameDeed(a, b *Effect) bool {
	switch {
	case a.Kind != b.Kind || a.Op != b.Op || a.Program != b.Program:
		return false
	case a.Kind == effect.Opaque, a.Op == effect.OpRunUnknown, mark.Has(a.Resource) && mark.Has(b.Resource):
		return true
	case a.Kind == effect.Spawn:
		return a.Resource == b.Resource
	}
	return *a == *b
}
