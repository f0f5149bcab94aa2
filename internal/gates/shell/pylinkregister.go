package shell

import (
	"slices"
	"strings"
)

// This file says which functions of modules are only registered where they are defined: what a decorator of
// an installed package hands to an application, a group of commands, a runner of tests or of tasks, and what
// it only wraps. Their bodies count where something names them, and where what they are registered with may
// run: then those of all modules do. Which decorators call nothing is known by the packages' manuals.

// pyRegistrars are packages with which functions are registered, or that wrap them.
const pyRegistrars = " aiogram apscheduler attr attrs backoff celery click discord django dramatiq fastapi flask flask_login hypothesis mcp numba pydantic pytest pytest_asyncio quart rest_framework sanic sqlalchemy starlette strawberry tenacity torch typer "

// pyRegistering are the last names of their decorators (FastAPI 0.115, Flask 3.1, click 8.1, typer 0.15, Celery 5.4,
// Django 5.2, pytest 8.3, SQLAlchemy 2.0, pydantic 2.10, tenacity 9, and the others' references of 2025).
const pyRegistering = " action after_app_request after_request api_route api_view app_context_processor app_errorhandler app_template_filter app_template_global argument atomic authentication_classes before_app_request before_request cache_page callback check command composite confirmation_option " +
	"connect context_processor csrf_exempt delete display errorhandler event exception_handler field filter fixture get given group head help_option hookimpl hookimpl inclusion_tag inference_mode jit listens_for login_required middleware mutation never_cache njit no_grad on_event on_exception on_predicate " +
	"option options parametrize pass_context pass_obj patch permission_classes permission_required post prompt put receiver register require_GET require_POST require_http_methods require_safe resource result_callback retry route settings shared_task shell_context_processor simple_tag skip skipif " +
	"staff_member_required subscription task teardown_appcontext teardown_request template_filter template_global template_test throttle_classes tool trace type url_defaults url_value_preprocessor user_loader user_passes_test usefixtures validate_call validates version_option websocket websocket_route xfail "

// pyRegistries are what makes the things that functions are registered with.
const pyRegistries = " celery.Celery click.Group click.group discord.Client discord.ext.commands.Bot fastapi.APIRouter fastapi.FastAPI fastapi.routing.APIRouter flask.Blueprint flask.Flask flask_login.LoginManager mcp.server.fastmcp.FastMCP quart.Blueprint quart.Quart sanic.Blueprint sanic.Sanic " +
	"starlette.applications.Starlette starlette.routing.Router django.template.Library typer.Typer "

// pyRegistrarPlain are members of these packages that run nothing that is registered; behind a module's name and a
// dot stands all that it has.
const pyRegistrarPlain = pyRegistries + "attr. attrs. backoff. celery.schedules. celery.shared_task celery.utils.log.get_task_logger click.Abort click.BadParameter click.Choice click.ClickException click.DateTime click.File click.FloatRange click.IntRange click.Path click.Tuple click.UsageError click.argument click.command click.echo " +
	"click.option click.pass_context click.pass_obj click.secho click.style click.version_option click.Context django.conf.settings django.contrib.admin. django.contrib.auth.get_user_model django.contrib.auth.models. django.core.exceptions. django.core.validators. django.db.models. django.db.models django.db.transaction django.dispatch.receiver django.forms. django.http. " +
	"django.shortcuts. django.urls.include django.urls.path django.urls.re_path django.urls.reverse django.urls.reverse_lazy django.utils. django.views. fastapi.BackgroundTasks fastapi.Body fastapi.Cookie fastapi.Depends fastapi.File fastapi.Form fastapi.HTTPException fastapi.Header fastapi.Path fastapi.Query fastapi.Request fastapi.Response " +
	"fastapi.Security fastapi.UploadFile fastapi.WebSocket fastapi.WebSocketDisconnect fastapi.encoders. fastapi.exceptions. fastapi.middleware. fastapi.responses. fastapi.security. fastapi.staticfiles. fastapi.status fastapi.status. fastapi.templating. flask.Response flask.abort flask.flash flask.g flask.jsonify flask.make_response " +
	"flask.redirect flask.render_template flask.request flask.send_file flask.send_from_directory flask.session flask.url_for flask_login.UserMixin flask_login.current_user flask_login.login_required flask_login.login_user flask_login.logout_user pydantic. pytest.fixture pytest.mark pytest.mark. pytest.raises pytest.approx sqlalchemy. " +
	"starlette.middleware. starlette.requests. starlette.responses. starlette.staticfiles. starlette.status. strawberry.Schema strawberry.type strawberry.field strawberry.input strawberry.mutation tenacity. torch. typer.Argument typer.Context typer.Exit typer.Abort typer.BadParameter typer.Option typer.colors typer.echo typer.secho typer.style "

// Attributes of what functions are registered with: those that set it up or are data, of which nothing leads to what is
// registered, and those that list what is registered.
const (
	pyRegistryData  = " add_middleware add_typer add_command autodiscover_tasks conf config config_from_object contact debug description import_name include_router info login_message login_view logger mount name openapi permanent_session_lifetime register_blueprint root_path secret_key summary title version "
	pyRegistryLists = " commands registered_commands registered_groups routes url_map "
	pyRegistryTexts = " conf.beat_schedule debug description import_name openapi title version "
	pyTakesRegistry = " CORS LoginManager Migrate SQLAlchemy add_command add_typer include_router init_app register_blueprint "
	pyListedTells   = " help methods name path path_format rule summary tags "
)

// root is the module, or the module and member, of another's package that a name means in all of a module, with what
// stands behind it up to the first token that is no attribute, and where that is.
func (l *pyLinker) rootAt(d *pyModule, i, to int) (full string, end int) {
	p := d.p
	full, imported := d.roots[p.toks[i].text]
	if !imported || full == "?" || p.is(i-1, ".") || d.stars || !l.othersName(d, p.toks[i].text) {
		return "", i
	}
	for end = i + 1; end+1 < to && p.is(end, ".") && p.toks[end+1].kind == 'n'; end += 2 {
		full += "." + p.toks[end+1].text
	}
	return full, end
}

// registrar says whether a module is of a package with which functions are registered.
func registrar(full string) bool {
	top, _, _ := cutAt(full, ".")
	return hasWord(pyRegistrars, top)
}

// registers says whether the decorator in a range of tokens only registers or wraps what it stands before. The name of
// what it is registered with is noted.
func (l *pyLinker) registers(d *pyModule, r [2]int) bool {
	p, i := d.p, r[0]
	if i >= r[1] || p.toks[i].kind != 'n' {
		return false
	}
	k := i + 1
	for k+1 < r[1] && p.is(k, ".") && p.toks[k+1].kind == 'n' {
		k += 2
	}
	if k < r[1] && (!p.is(k, "(") || p.pairs[k] != r[1]-1) {
		return false
	}
	last, root := p.toks[k-1].text, p.toks[i].text
	if full, end := l.rootAt(d, i, r[1]); full != "" {
		return end == k && registrar(full) && hasWord(pyRegistering, last)
	}
	if k == i+1 {
		return l.wraps(d, root, k < r[1])
	}
	if !hasWord(pyRegistering, last) || !hasWord(pyRegistries, l.madeBy(d, root, 0)) {
		return false
	}
	l.registries[root] = true
	return true
}

// madeBy is the function or class of another's package whose value a name has in all of a module.
func (l *pyLinker) madeBy(d *pyModule, name string, depth int) string {
	if d == nil || depth > 4 || d.stars {
		return ""
	}
	p, found, times := d.p, "", 0
	if from, ok := d.roots[name]; ok {
		at := strings.LastIndexByte(from, '.')
		if at < 0 || d.mine[name] != "" {
			return ""
		}
		if as := from[at+1:]; as != name {
			l.registries[as] = true
		}
		if found = l.madeBy(l.named(from[:at]), from[at+1:], depth+1); found == "" {
			return ""
		}
		times++
	}
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || d.importing(i) {
			continue
		}
		switch {
		case p.isName(i-1, "def"):
			times++
			for _, u := range d.units {
				if u.name == name && u.parent == nil && u.kind == pyDef && u.head+1 == i && len(u.decorator) > 0 {
					full, _ := l.rootAt(d, u.decorator[0][0], u.decorator[0][1])
					found = full
				}
			}
		case p.isName(i-1, "class") || p.isName(i-1, "as") || p.isName(i-1, "for") || p.isName(i-1, "global") || p.isName(i-1, "nonlocal") || p.isName(i-1, "del"):
			return ""
		case p.is(i+1, ":") && p.is(i+2, "="), d.startsLine(i) && p.is(i+1, ","), p.is(i-1, ",") && p.inside[i] < 0 && p.is(i+1, "="), p.is(i+1, "+") && p.is(i+2, "="):
			return ""
		case d.startsLine(i) && (p.is(i+1, "=") && !p.is(i+2, "=") || p.is(i+1, ":")):
			line, top := d.lineOf[i]
			if times++; !top || d.indent(line) > 0 {
				return ""
			}
			eq := p.next(i, p.lines[line][1], "=")
			full, end := "", eq+1
			if eq+1 < p.lines[line][1] && p.toks[eq+1].kind == 'n' {
				full, end = l.rootAt(d, eq+1, p.lines[line][1])
			}
			if full == "" || !p.is(end, "(") || p.pairs[end] != p.lines[line][1]-1 {
				return ""
			}
			found = full
		}
	}
	if times != 1 {
		return ""
	}
	return found
}

// registry says whether the name at a token, alone or behind the modules that it is of, is what functions are registered
// with.
func (l *pyLinker) registry(d *pyModule, i int) bool {
	p := d.p
	if !p.is(i-1, ".") {
		return hasWord(pyRegistries, l.madeBy(d, p.toks[i].text, 0))
	}
	from := i
	for from >= 2 && p.is(from-1, ".") && p.toks[from-2].kind == 'n' {
		from -= 2
	}
	name := d.mine[p.toks[from].text]
	for k := from + 2; k < i && name != ""; k += 2 {
		name += "." + p.toks[k].text
	}
	return name != "" && hasWord(pyRegistries, l.madeBy(l.named(name), p.toks[i].text, 0))
}

// onlyRegistered says whether a function at the top of a module runs no earlier than something names it, or runs what
// it is registered with.
func (l *pyLinker) onlyRegistered(d *pyModule, u *pyUnit) bool {
	if u.kind != pyDef || u.parent != nil || l.shadows || d.stars {
		return false
	}
	for _, r := range u.decorator {
		one := &pyUnit{decorator: [][2]int{r}}
		if !l.plainlyDecorated(d, one) && !l.registers(d, r) {
			return false
		}
	}
	return true
}

// wraps says whether a name is a function of the workspace that only puts another in the place of the one that it is
// given, without a call of that: alone, or with arguments, by which it makes such a function.
func (l *pyLinker) wraps(d *pyModule, name string, called bool) bool {
	for range 8 {
		from := d.froms[name]
		if d.tops[name] || from == "" {
			break
		}
		if d = l.named(from); d == nil || d.stars {
			return false
		}
	}
	if !l.onlyName(d, name) {
		return false
	}
	for _, u := range d.units {
		if u.name == name && u.parent == nil && u.kind == pyDef && !u.decorated {
			return d.hands(u.head, u.to, called)
		}
	}
	return false
}

// hands says whether the function whose word def stands at a token gives the function that it is told to nothing else
// but what is defined in it: deep says whether it makes one that does.
func (d *pyModule) hands(head, end int, deep bool) bool {
	p := d.p
	open := head + 2
	if !p.isName(head, "def") || !p.is(open, "(") || p.pairs[open] < 0 {
		return false
	}
	first, _ := d.lineOf[d.lineStart(head)]
	fn := ""
	if p.toks[open+1].kind == 'n' && (p.is(open+2, ")") || p.is(open+2, ":") || p.is(open+2, ",") && p.is(open+3, ")")) {
		fn = p.toks[open+1].text
	}
	if !deep && fn == "" {
		return false
	}
	inner := map[string]bool{}
	for line := first + 1; line < len(p.lines) && p.lines[line][0] < end; {
		from, to := p.lines[line][0], p.lines[line][1]
		start := line
		for ; line+1 < len(p.lines) && p.is(p.lines[line][0], "@"); line++ {
			for i := p.lines[line][0]; i < p.lines[line][1]; i++ {
				if p.isName(i, fn) && !(p.is(i-1, "(") && p.isName(i-2, "wraps") || p.is(i-1, "(") && p.is(i-2, "wraps") && p.isName(i-4, "functools")) {
					return false
				}
			}
		}
		at := p.lines[line][0]
		if p.isName(at, "async") {
			at++
		}
		if p.isName(at, "def") {
			next := d.block(line, len(p.lines))
			if deep && !d.hands(at, p.lines[next-1][1], false) {
				return false
			}
			for i := at + 3; i < p.pairs[at+2]; i++ {
				if p.isName(i, fn) && fn != "" {
					return false // what a parameter is without an argument
				}
			}
			inner[p.toks[at+1].text] = true
			line = next
			continue
		}
		if start != line {
			return false
		}
		for i := from; i < to; i++ {
			t := p.toks[i]
			switch {
			case t.kind != 'n' || p.is(i-1, "."):
			case inner[t.text], t.text == fn && fn != "" && !deep:
				if !(i == from+1 && p.isName(from, "return") && i+1 == to) && !(t.text == fn && p.is(i+1, ".") && hasWord("__name__ __qualname__ __doc__ __module__", p.toks[i+2].text)) {
					return false
				}
			case hasWord("lambda class global nonlocal yield", t.text):
				return false
			}
		}
		line++
	}
	return len(inner) > 0 || !deep
}

// lineStart is the first token of the line that a token stands in.
func (d *pyModule) lineStart(i int) int {
	for _, line := range d.p.lines {
		if i >= line[0] && i < line[1] {
			return line[0]
		}
	}
	return i
}

// reaches says whether something that runs may run what is registered.
func (l *pyLinker) reaches() bool {
	mods := append(slices.Clone(l.order), l.mods[""])
	for _, d := range mods {
		for _, s := range d.imports {
			for _, part := range s.parts {
				if part.name == "*" && registrar(s.module) {
					return true
				}
				if s.module != "" && l.registries[part.name] {
					l.registries[part.as] = true
				}
			}
		}
	}
	for _, d := range mods {
		for _, u := range d.units {
			for _, r := range u.written() {
				for i := r[0]; i < r[1]; i++ {
					if !d.importing(i) && !l.leaves(d, u, i) {
						return true
					}
				}
			}
		}
	}
	return false
}

// asOthers says whether an import of a module gives a name to what another's package has.
func (l *pyLinker) asOthers(d *pyModule, name string) bool {
	for _, s := range d.imports {
		for _, part := range s.parts {
			if part.as == name && !part.own {
				return true
			}
		}
	}
	return false
}

// leaves says whether a token runs nothing that is registered.
func (l *pyLinker) leaves(d *pyModule, u *pyUnit, i int) bool {
	p := d.p
	t := p.toks[i]
	switch {
	case t.kind == 's':
		if p.is(i-1, "(") && p.is(i-2, "getLogger") {
			return true
		}
		for part := range strings.FieldsFuncSeq(strings.Trim(strings.TrimLeft(t.text, "rRbBuUfF"), `"'`), func(c rune) bool { return c == '.' || c == ':' }) {
			if l.registries[part] {
				return false
			}
		}
		return true
	case t.kind != 'n':
		return true
	case p.is(i-1, ".") && p.is(i+1, "=") && !p.is(i+2, "=") && hasWord(pyRegistering, t.text) && !hasWord(" name type ", t.text):
		return false // another decorator stands in the place of one
	case p.is(i+1, "=") && !p.is(i+2, "=") && p.inside[i] >= 0 && p.is(p.inside[i], "("):
		return true // an argument's name
	}
	for _, r := range u.decorator {
		if i >= r[0] && i < r[1] && p.inside[i] < 0 {
			return true // its root, of which registers knows
		}
	}
	full, end := l.rootAt(d, i, len(p.toks))
	if full != "" && registrar(full) {
		if p.is(end, "=") && !p.is(end+1, "=") {
			return false // something else stands in the place of one of their members
		}
		plain := hasWord(pyRegistrarPlain, full) && !p.is(end, ".")
		for rest := full; !plain && rest != ""; rest = rest[:max(0, strings.LastIndexByte(rest, '.'))] {
			plain = hasWord(pyRegistrarPlain, rest+".") && rest != full
		}
		return plain
	}
	if full == "" && !p.is(i-1, ".") && (registrar(d.roots[t.text]) && d.mine[t.text] == "" && l.asOthers(d, t.text) || d.roots[t.text] == "?") {
		return false // it may be something else by then
	}
	if !l.registries[t.text] || !p.is(i-1, ".") && d.mine[t.text] != "" && d.mine[t.text] != "?" {
		return true
	}
	return l.leavesAlone(d, i)
}

// leavesAlone says whether the name of what functions are registered with stands where it is made, set up or shown.
func (l *pyLinker) leavesAlone(d *pyModule, i int) bool {
	p := d.p
	from := i
	for from >= 2 && p.is(from-1, ".") && p.toks[from-2].kind == 'n' {
		from -= 2
	}
	switch {
	case from == i && p.isName(i-1, "def"):
		return true
	case from == i && d.startsLine(i) && (p.is(i+1, "=") && !p.is(i+2, "=") || p.is(i+1, ":")):
		return true
	case p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(pyRegistryData, p.toks[i+2].text):
		return true
	case p.is(i+1, ".") && i+2 < len(p.toks) && hasWord(pyRegistryLists, p.toks[i+2].text):
		return d.shown(from, i+3, p.toks[i+2].text == "url_map")
	}
	open := p.inside[i]
	if open < 1 || !p.is(open, "(") || !(p.is(from-1, "(") || p.is(from-1, ",")) || !(p.is(i+1, ")") || p.is(i+1, ",")) {
		return false
	}
	return hasWord(pyTakesRegistry, p.toks[open-1].text) || d.shown(from, i+1, false)
}

// shown says whether what an expression lists is only printed, counted, or asked what it is called.
func (d *pyModule) shown(from, to int, rules bool) bool {
	p := d.p
	for p.is(to, ".") && to+2 < len(p.toks) && hasWord("keys iter_rules", p.toks[to+1].text) && p.is(to+2, "(") && p.is(to+3, ")") {
		to += 4
	}
	open := p.inside[from]
	if (p.is(from-1, "(") || p.is(from-1, ",")) && (p.is(to, ")") || p.is(to, ",")) && open > 0 && p.is(open, "(") && !p.is(open-2, ".") {
		switch f := p.toks[open-1].text; {
		case hasWord("print len str repr type bool", f):
			return true
		case hasWord("list sorted set tuple dict pprint", f) && p.is(from-1, "(") && p.is(to, ")"):
			return d.shown(open-1, p.pairs[open]+1, rules)
		}
		return false
	}
	if !p.isName(from-1, "in") || !p.isName(from-3, "for") || p.toks[from-2].kind != 'n' || d.name != "" {
		return false
	}
	name := p.toks[from-2].text
	for i, t := range p.toks {
		if t.kind != 'n' || t.text != name || p.is(i-1, ".") || i == from-2 {
			continue
		}
		tells := p.is(i+1, ".") && i+2 < len(p.toks) && !p.is(i+3, "(") && !p.is(i+3, "[") && !p.is(i+3, ".") && (hasWord(pyListedTells, p.toks[i+2].text) || rules && p.toks[i+2].text == "endpoint")
		alone := p.is(i-1, "(") && p.is(i+1, ")") && i >= 2 && hasWord("print str repr type len", p.toks[i-2].text) && !p.is(i-3, ".")
		if !tells && !alone {
			return false
		}
	}
	return true
}

// handed says whether the name at a token is a function that is only given to what calls it when it runs what is
// registered: what a route depends on, what an application does when it starts.
func (l *pyLinker) handed(d *pyModule, u *pyUnit, i int) bool {
	p := d.p
	open := p.inside[i]
	if made, _ := l.rootAt(d, min(u.from+2, len(p.toks)-1), len(p.toks)); u.awake && !(p.is(u.from+1, "=") && hasWord(pyRegistries, made)) {
		return false
	}
	if l.reached || l.shadows || p.toks[i].kind != 'n' || open < 1 || !p.is(open, "(") || p.toks[open-1].kind != 'n' || !(p.is(i+1, ")") || p.is(i+1, ",")) {
		return false
	}
	from := open - 1
	for from >= 2 && p.is(from-1, ".") && p.toks[from-2].kind == 'n' {
		from -= 2
	}
	full, end := l.rootAt(d, from, len(p.toks))
	if end != open {
		return false
	}
	if p.is(i-1, "(") {
		return hasWord("fastapi.Depends fastapi.Security", full)
	}
	return p.is(i-1, "=") && p.toks[i-2].kind == 'n' && hasWord("fastapi.FastAPI lifespan starlette.applications.Starlette typer.Option typer.Argument typer.Typer", full) && hasWord("callback lifespan", p.toks[i-2].text)
}

// later says whether a text only tells what functions are registered with what they are called, or where: names in it
// count where that may run.
func (l *pyLinker) later(d *pyModule, u *pyUnit, i int) bool {
	if l.reached {
		return false
	}
	for _, r := range u.decorator {
		if i >= r[0] && i < r[1] {
			return l.onlyRegistered(d, u)
		}
	}
	p, at := d.p, u.from
	return u.kind == pyLine && u.parent == nil && !u.decorated && p.toks[at].kind == 'n' && p.is(at+1, ".") && hasWord("conf config", p.toks[at+2].text) && hasWord(pyRegistries, l.madeBy(d, p.toks[at].text, 0))
}

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

// pyRouteKeys are arguments of them, and of what makes such things, that say where something is found and what it is called.
const pyRouteKeys = "description docs_url help name openapi_url prefix redoc_url root_path static_url_path summary title url_prefix version"

// registered writes what registers functions, and sets up what they are registered with, as what only takes its
// arguments, without the texts that say where what is registered is found and what it is called.
func (l *pyLinker) registered(d *pyModule) (edits []pyEdit) {
	p := d.p
	if l.reached || l.shadows || d.stars || l.own["dict"] {
		return nil
	}
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
	if d.name == "" {
		return edits
	}
	take := func(open int, keys string) {
		for i := open + 1; i < p.pairs[open]; i++ {
			if p.toks[i].kind != 's' || p.toks[i].at < 0 || p.inside[i] != open || !p.is(i+1, ",") && !p.is(i+1, ")") {
				continue
			}
			if p.is(i-1, "(") || p.is(i-1, ",") || p.is(i-1, "=") && (keys == "" || hasWord(keys, p.toks[i-2].text)) {
				edits = append(edits, d.edit(i, i+1, `""`))
			}
		}
	}
	for _, u := range d.units {
		if u.decorated && l.onlyRegistered(d, u) {
			for _, r := range u.decorator {
				end := r[1]
				if p.is(end-1, ")") {
					end = p.pairs[end-1]
					take(end, "")
				}
				if l.registers(d, r) && !d.tops[p.toks[r[0]].text] && d.froms[p.toks[r[0]].text] == "" || p.is(r[0]+1, ".") && l.registers(d, r) {
					edits = append(edits, d.edit(r[0], end, "dict"))
				}
			}
		}
	}
	for i, t := range p.toks {
		if t.kind != 'n' || t.at < 0 || p.is(i-1, ".") || d.importing(i) {
			continue
		}
		full, end := l.rootAt(d, i, len(p.toks))
		if p.is(end, "(") && full == "celery.schedules.crontab" { // a program is called so, too
			edits = append(edits, d.edit(i, end, "dict"))
			continue
		}
		if full != "" && hasWord(pyRegistries, full) && p.is(end, "(") && !p.is(i-1, "@") {
			if take(end, pyRouteKeys); PackageKind("python", full) != Harmless {
				edits = append(edits, d.edit(i, end, "dict"))
			}
			continue
		}
		if end := l.setsClient(d, i); end > i {
			edits = append(edits, d.edit(i, end, "dict"))
			continue
		}
		if !d.startsLine(i) || !p.is(i+1, ".") || !hasWord(pyRegistries, l.madeBy(d, t.text, 0)) {
			continue
		}
		k, chain := i+3, p.toks[i+2].text
		for p.is(k, ".") && k+1 < len(p.toks) {
			chain += "." + p.toks[k+1].text
			k += 2
		}
		switch first, _, _ := cutAt(chain, "."); {
		case p.is(k, "(") && hasWord(pySetsUp, chain):
			take(k, pyRouteKeys)
			edits = append(edits, d.edit(i, k, "dict"))
		case p.is(k, "=") && !p.is(k+1, "=") && hasWord("conf config permanent_session_lifetime secret_key", first):
			edits = append(edits, d.edit(i, k, "registered_setting"))
		case p.is(k, "[") && p.is(p.pairs[k]+1, "=") && !p.is(p.pairs[k]+2, "=") && hasWord("conf config", chain):
			edits = append(edits, d.edit(i, k, "dict()"))
		}
	}
	return edits
}
