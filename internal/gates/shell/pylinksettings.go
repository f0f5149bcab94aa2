package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says where settings that a class takes from a file of the environment are only asked for fields that
// hold no secret: a number, a switch, a name that says where or how something runs. Then the file is asked for
// nothing else, and its name stands for nothing.

// pyPlainFields are fields of settings whose texts say where or how something runs, or what it is called.
const pyPlainFields = " allow_origins allowed_hosts allowed_origins api_prefix api_v1_prefix api_v1_str app_description app_env app_name app_title app_version backend_cors_origins bind_host cors_origins default_language default_locale description env environment host hostname lang language locale log_format " +
	"log_level mode name project_name project_title region root_path server_host service_name static_url timezone title tz version "

// envFiles takes the names of such files out of classes of settings of which only such fields are asked.
func (l *pyLinker) envFiles(d *pyModule) (edits []textEdit) {
	for _, u := range d.units {
		if u.kind != pyClass || u.parent != nil || !l.settingsClass(d, u.name) || !l.asksFields(u.name) {
			continue
		}
		for _, v := range d.units {
			if !v.within(u.name) {
				continue
			}
			for i := v.from; i+2 < v.to; i++ {
				if d.p.toks[i].kind == 'n' && d.p.toks[i].text == "env_file" && d.p.is(i+1, "=") && d.p.toks[i+2].kind == 's' && hasWord(".env .env.dev .env.development .env.example .env.local .env.test", strings.Trim(d.p.toks[i+2].text, `"'`)) {
					edits = append(edits, d.edit(i+2, i+3, `""`))
				}
			}
		}
	}
	return edits
}

// asksFields says whether whatever runs asks a class of settings, and what is made of it, for such fields alone.
func (l *pyLinker) asksFields(class string) bool {
	given := map[string]bool{class: true}
	if n := l.classes(class); n != 1 {
		return false
	}
	for size := 0; size < len(given); {
		size = len(given)
		for _, d := range l.mods {
			for _, u := range d.units {
				if !u.awake {
					continue
				}
				for i := u.from; i < u.to; i++ {
					if t := d.p.toks[i]; t.kind == 'n' && given[t.text] && !d.importing(i) && !l.asksField(d, u, i, given, class) {
						return false
					}
				}
			}
			for _, s := range d.imports {
				for _, part := range s.parts {
					if s.module != "" && given[part.name] {
						given[part.as] = true
					}
				}
			}
		}
	}
	return true
}

// classes counts the classes of a name.
func (l *pyLinker) classes(name string) (n int) {
	for _, d := range l.mods {
		for _, u := range d.units {
			n += b2i(u.kind == pyClass && u.name == name)
		}
	}
	return n
}

// asksField says whether the name at a token, which has such settings or makes them, is asked for such a field. A name
// that it is given is noted.
func (l *pyLinker) asksField(d *pyModule, u *pyUnit, i int, names map[string]bool, class string) bool {
	p := d.p
	if p.isName(i-1, "class") || p.isName(i-1, "def") || l.handed(d, u, i) || p.is(i-1, ">") && p.is(i+1, ":") {
		return true
	}
	if d.startsLine(i) && p.is(i+1, "=") && !p.is(i+2, "=") && p.toks[i+2].kind == 'n' && names[p.toks[i+2].text] {
		return p.is(i+3, "(") && p.is(i+4, ")")
	}
	k := i + 1
	if p.is(k, "(") && p.is(k+1, ")") {
		k += 2
	}
	if _, ends := d.lineOf[k]; k > i+1 && (ends || k == len(p.toks)) {
		switch {
		case p.isName(i-1, "return") && u.kind == pyDef && u.parent == nil && p.is(i-2, ":"):
			names[u.name] = true
			return true
		case p.is(i-1, "=") && p.toks[i-2].kind == 'n' && d.startsLine(i-2) && u.parent == nil:
			names[p.toks[i-2].text] = true
			return true
		}
		return p.is(i-1, "=") && u.parent != nil && u.parent.ofSettings()
	}
	for depth := 0; depth < 4 && p.is(k, ".") && k+1 < len(p.toks) && p.toks[k+1].kind == 'n'; depth++ {
		inner, plain := l.fieldOf(class, p.toks[k+1].text)
		if plain {
			return !(p.is(k+2, "=") && !p.is(k+3, "="))
		}
		if class = inner; class == "" {
			return false
		}
		k += 2
	}
	return false
}

// fieldOf says of a field of a class of settings whether it holds no secret, or what class of settings it has.
func (l *pyLinker) fieldOf(class, name string) (inner string, plain bool) {
	for _, d := range l.mods {
		p := d.p
		for _, u := range d.units {
			if u.parent == nil || u.parent.name != class || u.parent.parent != nil || p.toks[u.from].text != name || !p.is(u.from+1, ":") || p.toks[u.from+2].kind != 'n' {
				continue
			}
			to := p.next(u.from, u.to, "=")
			kind := p.toks[u.from+2].text
			if to == u.from+3 && l.own[kind] && l.classes(kind) == 1 && l.settingsClass(d, kind) {
				return kind, false
			}
			numbers := true
			for i := u.from + 2; i < to; i++ {
				numbers = numbers && (p.toks[i].kind != 'n' || hasWord("int float bool list List tuple Tuple Optional None Union", p.toks[i].text))
			}
			for i := to; i < u.to; i++ {
				if d.p.toks[i].kind == 'n' && strings.HasSuffix(d.p.toks[i].text, "alias") {
					return "", false // it is asked for under another name
				}
			}
			return "", numbers && !names.SecretVariable(name) || hasWord(pyPlainFields, name) && l.plainType(d, u)
		}
	}
	return "", false
}
