package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about what sed and its like put into files that they change.

// edited adds files into which the call puts what would be rejected: the text of
// sed's commands a, i and c, what s puts in place of something, and texts in quotes
// that a program is given whose output nobody can follow.
func (c *Context) edited(out []string) []string {
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Kind != effect.Write || e.Zone == effect.ZoneStream || c.follows(e.Resource) {
			continue
		}
		for _, text := range inQuotes(c.Command) {
			if e.Program == "sed" {
				text = inserted(text)
			} else if shell.Loaded(e.Resource) == shell.NotLoaded && e.Program != "jq" && e.Program != "yq" && e.Program != "" {
				continue
			}
			if text != "" && (c.harmful(e.Resource, text) || e.Program != "sed" && c.severeOne(append(literals(text), text))) {
				out = heldFor(tainted(out, e.Resource, true), e.Resource, text, true)
			}
		}
	}
	return out
}

// sedded adds the files that sed changes from what would be approved where it runs to what
// would not: what is put in says little without what stands around it.
func (c *Context) sedded(out []string) []string {
	if c.text == nil {
		return out
	}
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Words) == 0 || !strings.HasSuffix(path.Base(r.Words[0]), "sed") {
			continue
		}
		for _, i := range r.Effects {
			e := &c.Effects[i]
			if e.Kind != effect.Write || e.Op != effect.OpModify || codeOf(e.Resource) == "" {
				continue
			}
			text, ok := c.text(e.Resource)
			if !ok || len(text) > maxPlain {
				continue
			}
			before, after := text, text
			if c.after {
				before = unput(r.Words, text)
			} else if after, ok = shell.SedText(r.Words, text); !ok {
				continue
			}
			if c.inline != nil && c.inline.bares(c, r, e.Resource, before, after) || before != after && !c.vetted(&effect.Written{Path: e.Resource, Text: after, Known: true}) && c.vetted(&effect.Written{Path: e.Resource, Text: before, Known: true}) {
				out = with(out, e.Resource)
			}
		}
	}
	return out
}

// unput is a text before the substitutions of a sed that has run, as far as they are texts
// without patterns.
func unput(words []string, text string) string {
	for _, w := range slices.Backward(words[1:]) {
		if mark.Has(w) || len(w) < 4 || w[0] != 's' {
			continue
		}
		if parts := strings.Split(w[1:], w[1:2]); len(parts) > 3 && parts[2] != "" {
			text = strings.ReplaceAll(text, parts[2], parts[1])
		}
	}
	return text
}
