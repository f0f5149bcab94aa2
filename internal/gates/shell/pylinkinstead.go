package shell

// This file writes what registers functions, and sets up what they are registered with, as what only takes its
// arguments.

// replaced says whether registered writes something else for each use of what an import brings in.
func (l *pyLinker) replaced(d *pyModule, part pyImported) bool {
	if d.name == "" {
		return false
	}
	if d.instead == nil {
		d.instead = map[int]bool{}
		for _, e := range l.registered(d) {
			d.instead[e.from] = d.instead[e.from] || e.text == "dict"
		}
	}
	some := false
	for _, u := range d.units {
		for _, r := range u.written() {
			for i := r[0]; i < r[1]; i++ {
				if t := d.p.toks[i]; t.kind == 'n' && t.text == part.as && !d.importing(i) && !d.p.is(i-1, ".") {
					if some = true; !d.instead[t.at] {
						return false
					}
				}
			}
		}
	}
	return some
}

// written are the tokens of a part that are written.
func (u *pyUnit) written() [][2]int {
	if u.awake {
		return [][2]int{{u.from, u.to}}
	}
	return u.heads
}

// setsClient says where the parenthesis of a line is that gives what a client sends with each question, which it only keeps
// (Requests 2.32, HTTPX 0.28); i where none begins at i.
func (l *pyLinker) setsClient(d *pyModule, i int) int {
	p := d.p
	if l.shadows || d.name == "" || !d.startsLine(i) || !p.is(i+1, ".") || !p.is(i+3, ".") || !p.is(i+5, "(") || !hasWord("cookies headers params", p.toks[i+2].text) || p.toks[i+4].text != "update" {
		return i
	}
	if hasWord("httpx.AsyncClient httpx.Client requests.Session requests.session", l.madeBy(d, p.toks[i].text, 0)) {
		return i + 5
	}
	return i
}

// pySetsUp are methods of what functions are registered with that set it up: what they are given is held until it runs.
const pySetsUp = " add_api_route add_middleware add_typer add_url_rule autodiscover_tasks conf.update config.from_mapping config.setdefault config.update config_from_object include_router mount register_blueprint "

// pyImportsNow are methods of Celery's applications that import what they are given, at once if they are told to by force, their
// third argument, and else when a worker starts.
const pyImportsNow = " autodiscover_tasks config_from_object "

// forces says whether the arguments behind a parenthesis may have one of these import at once.
func (p *pyReader) forces(open int) bool {
	n := 0
	for i := open + 1; i < p.pairs[open]; n++ {
		if p.is(i, "*") || p.is(i, "**") || p.isName(i, "force") || n > 1 && !(p.toks[i].kind == 'n' && p.is(i+1, "=") && !p.is(i+2, "=")) {
			return true
		}
		i = p.next(i, p.pairs[open], ",") + 1
	}
	return false
}

// pyRouteKeys are arguments of them, and of what makes such things, that say where something is found and what it is called.
const pyRouteKeys = "description docs_url help name openapi_url prefix redoc_url root_path static_url_path summary title url_prefix version"

// registered writes what registers functions, and sets up what they are registered with, as what only takes its
// arguments, without the texts that say where what is registered is found and what it is called.
func (l *pyLinker) registered(d *pyModule) []textEdit {
	if l.reached || l.shadows || d.stars || l.own["dict"] {
		return nil
	}
	edits := l.looksAtRegistry(d)
	if d.name == "" {
		return edits
	}
	edits = append(edits, l.decoratesOnly(d)...)
	for _, u := range d.units {
		if u.awake {
			for _, r := range l.nested(d, u) {
				edits = append(edits, d.edit(r[0], r[1], "0"))
			}
		}
	}
	return append(edits, l.setsUp(d)...)
}

// looksAtRegistry writes what only looks at what is registered as an empty text or list.
func (l *pyLinker) looksAtRegistry(d *pyModule) (edits []textEdit) {
	p := d.p
	for i, t := range p.toks {
		if t.kind == 'n' && t.at >= 0 && l.registries[t.text] && p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(pyRegistryLists+pyRegistryTexts, p.toks[i+2].text) && l.registry(d, i) {
			k := i + 3
			for p.is(k, ".") && k+2 < len(p.toks) && p.is(k+2, "(") && p.is(k+3, ")") {
				k += 4
			}
			from := i
			for p.is(from-1, ".") {
				from -= 2
			}
			text := `""`
			if hasWord(pyRegistryLists, p.toks[i+2].text) {
				text = "[]"
			}
			edits = append(edits, d.edit(from, k, text))
		}
	}
	return edits
}

// withoutTexts writes texts among the arguments behind a parenthesis as empty ones: those without a name, and those
// that keys names, or all where it is empty.
func (d *pyModule) withoutTexts(open int, keys string) (edits []textEdit) {
	p := d.p
	for i := open + 1; i < p.pairs[open]; i++ {
		if p.toks[i].kind != 's' || p.toks[i].at < 0 || p.inside[i] != open || !p.is(i+1, ",") && !p.is(i+1, ")") {
			continue
		}
		if p.is(i-1, "(") || p.is(i-1, ",") || p.is(i-1, "=") && (keys == "" || hasWord(keys, p.toks[i-2].text)) {
			edits = append(edits, d.edit(i, i+1, `""`))
		}
	}
	return edits
}

// decoratesOnly writes decorators that only register what they stand before.
func (l *pyLinker) decoratesOnly(d *pyModule) (edits []textEdit) {
	p := d.p
	for _, u := range d.units {
		if u.decorated && l.onlyRegistered(d, u) {
			for _, r := range u.decorator {
				end := r[1]
				if p.is(end-1, ")") {
					end = p.pairs[end-1]
					edits = append(edits, d.withoutTexts(end, "")...)
				}
				if l.registers(d, r) && !d.tops[p.toks[r[0]].text] && d.froms[p.toks[r[0]].text] == "" || p.is(r[0]+1, ".") && l.registers(d, r) {
					edits = append(edits, d.edit(r[0], end, "dict"))
				}
			}
		}
	}
	return edits
}

// setsUp writes what sets up what functions are registered with, and what clients send, as what only takes its arguments.
func (l *pyLinker) setsUp(d *pyModule) (edits []textEdit) {
	p := d.p
	for i, t := range p.toks {
		if t.kind != 'n' || t.at < 0 || p.is(i-1, ".") || d.importing(i) {
			continue
		}
		if end := l.setting(d, i); end > i {
			edits = append(edits, d.edit(i, end, "0"))
			continue
		}
		full, end := l.rootAt(d, i, len(p.toks))
		if p.is(end, "(") && full == "celery.schedules.crontab" { // a program is called so, too
			edits = append(edits, d.edit(i, end, "dict"))
			continue
		}
		if full != "" && hasWord(pyRegistries, full) && p.is(end, "(") && !p.is(i-1, "@") {
			if edits = append(edits, d.withoutTexts(end, pyRouteKeys)...); PackageKind("python", full) != Harmless {
				edits = append(edits, d.edit(i, end, "dict"))
			}
			continue
		}
		if end := l.setsClient(d, i); end > i {
			edits = append(edits, d.edit(i, end, "dict"))
			continue
		}
		if !d.startsLine(i) || !p.is(i+1, ".") || !hasWord(pyRegistries, l.makes(d, i)) {
			continue
		}
		k, chain := i+3, p.toks[i+2].text
		for p.is(k, ".") && k+1 < len(p.toks) {
			chain += "." + p.toks[k+1].text
			k += 2
		}
		switch first, _, _ := cutAt(chain, "."); {
		case p.is(k, "(") && hasWord(pySetsUp, chain) && !(hasWord(pyImportsNow, chain) && p.forces(k)):
			edits = append(edits, d.withoutTexts(k, pyRouteKeys)...)
			edits = append(edits, d.edit(i, k, "dict"))
		case p.is(k, "=") && !p.is(k+1, "=") && hasWord("conf config permanent_session_lifetime secret_key", first):
			edits = append(edits, d.edit(i, k, "registered_setting"))
		case p.is(k, "[") && p.is(p.pairs[k]+1, "=") && !p.is(p.pairs[k]+2, "=") && hasWord("conf config", chain):
			edits = append(edits, d.edit(i, k, "dict()"))
		}
	}
	return edits
}
