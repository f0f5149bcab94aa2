package gates

import "strings"

// AsCall is what a file that the session wrote or changed would be as a call of its own, with
// the decision on that: for people, who are told what in the file is asked about. It is nil
// where nobody knows what the file holds, where its language has no interpreter that reads
// code from its input, and where nothing in it would be asked about by itself.
func (c *Context) AsCall(file string) (*Context, *Decision) {
	f := follower{c: c}
	text, ok := f.text(file)
	if !ok || len(text) > maxPlain {
		return nil, nil
	}
	var g Guardrail
	for i := range c.runs { // as it is run, if that is plain
		if script, ok := c.asRun(&c.runs[i], file, text); ok {
			if d := g.Decide(script); d.Disposition != Approved && len(d.Reasons) > 0 {
				return script, &d
			}
		}
	}
	const end = "END-OF-THE-FILE"
	line := text
	switch lang := languageFrom(file, text); lang {
	case "sh":
		line = ownName(text, file)
	case python, "node", "ruby", "perl", "php":
		if strings.Contains(text, end) {
			return nil, nil
		}
		line = lang + " - <<'" + end + "'\n" + text + "\n" + end
	default:
		return nil, nil
	}
	script := ShellContext(line, State{Cwd: c.Cwd, Home: c.Home, Roots: c.Roots, Compiled: c.places.Compiled})
	script.exists = c.exists
	d := g.Decide(&script)
	if d.Disposition == Approved || len(d.Reasons) == 0 {
		return nil, nil
	}
	return &script, &d
}
