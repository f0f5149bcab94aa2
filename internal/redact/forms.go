package redact

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// namedSecret finds NAME=VALUE, NAME: VALUE, ['NAME'] = VALUE, NAME => VALUE and
// --NAME VALUE; Named says whether the name is a secret's.
const namedSecret = `(--?)?\b([A-Za-z][A-Za-z0-9_.-]{1,60})(?:["']?\]?\s*(?:=>|[:=])\s*|\s+)` + quoted

// redactForms takes the secrets out that stand where a password belongs.
func (d *Detector) redactForms(text string) string {
	for _, re := range d.compiledForms() {
		text = replaceGroup(re, text, func([]int) int { return 2 })
	}
	return replaceGroup(d.named, text, func(m []int) int {
		name, gap := text[m[4]:m[5]], text[m[5]:m[6]]
		option := m[2] >= 0
		if !Named(name) || !option && !strings.ContainsAny(gap, ":=") {
			return -1
		}
		return 6
	})
}

func (d *Detector) compiledForms() []*regexp.Regexp {
	d.once.Do(func() {
		d.named = regexp.MustCompile(namedSecret)
		names := "(?:" + strings.Join(names.SecretHeaders(), "|") + ")"
		for _, form := range inLogs {
			d.forms = append(d.forms, regexp.MustCompile(strings.ReplaceAll(form, headerNames, names)))
		}
	})
	return d.forms
}

// replaceGroup puts a mark in the place of one group of each match. group names
// it by its place in a match's indices; a negative one leaves the match alone,
// and the search goes on behind its first word.
func replaceGroup(re *regexp.Regexp, text string, group func(m []int) int) string {
	var b strings.Builder
	done, from := 0, 0
	for from < len(text) {
		m := re.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += from
			}
		}
		g := group(m)
		if g < 0 {
			from = max(m[5], from+1)
			continue
		}
		value := text[m[g]:m[g+1]]
		if from = m[g+1]; plainWord(value) {
			continue
		}
		b.WriteString(text[done:m[g]])
		b.WriteString(Mark("argument", strings.Trim(value, `"'`)))
		done = m[g+1]
	}
	b.WriteString(text[done:])
	return b.String()
}

// plainWord says whether a value is no secret itself: a mark already, the scheme in
// front of one, a variable (the log then says which), an option.
func plainWord(value string) bool {
	v := strings.Trim(value, `"'`)
	switch strings.ToLower(v) {
	case "", "<secret", "pass:", "basic", "bearer", "digest", "negotiate", "token", "true", "false", "null":
		return true
	}
	return strings.HasPrefix(v, MarkStart) || v[0] == '-' || v[0] == '$' && !strings.ContainsAny(v[1:], "$!#@%&*+?^~ ")
}
