package shell

import "strings"

// This file says which functions of modules are only registered where they are defined: what a decorator of
// an installed package hands to an application, a group of commands, a runner of tests or of tasks, and what
// it only wraps. Their bodies count where something names them, and where what they are registered with may
// run: then those of all modules do. Which decorators call nothing is known by the packages' manuals.

// pyRegistrars are packages with which functions are registered, or that wrap them.
const pyRegistrars = " aiogram apscheduler attr attrs backoff celery click discord django dramatiq fastapi flask flask_login hypothesis mcp numba pydantic pytest pytest_asyncio quart rest_framework sanic sqlalchemy starlette strawberry tenacity torch typer "

// pyDecorates are their decorators that call what they stand before no earlier than something else calls what they give
// (FastAPI 0.115, Flask-Login 0.6, click 8.1, Celery 5.4, Django 5.2 and its REST framework 3.15, pytest 8.3, pydantic 2.10,
// tenacity 9, backoff 2.2, Hypothesis 6, Numba 0.60, PyTorch 2.5). Behind a name and a dot stands all that it has.
const pyDecorates = " backoff.on_exception backoff.on_predicate celery.shared_task celery.signals. click.argument click.command click.confirmation_option click.group click.help_option click.option click.pass_context click.pass_obj click.password_option click.version_option django.contrib.admin.action django.contrib.admin.decorators.action django.contrib.admin.display " +
	"django.contrib.admin.views.decorators.staff_member_required django.contrib.auth.decorators. django.db.transaction.atomic django.views.decorators. flask_login.login_required hypothesis.given hypothesis.settings numba.jit numba.njit numba.vectorize pydantic.validate_call pytest.fixture pytest.hookimpl pytest.mark. pytest_asyncio.fixture " +
	"rest_framework.decorators. tenacity.retry torch.inference_mode torch.no_grad "

// pyRegistering are the last names of decorators of the things below.
const pyRegistering = " after_app_request after_request api_route app_context_processor app_errorhandler app_template_filter app_template_global before_app_request before_request callback command connect context_processor delete errorhandler event exception_handler filter get group head middleware on_event options patch post prompt put " +
	"request_loader resource result_callback route shell_context_processor simple_tag task teardown_appcontext teardown_request template_filter template_global template_test tool url_defaults url_value_preprocessor user_loader websocket websocket_route "

// pySignals are signals of Django that are sent when records are written.
const pySignals = " django.db.models.signals.m2m_changed django.db.models.signals.post_delete django.db.models.signals.post_save django.db.models.signals.pre_delete django.db.models.signals.pre_save django.contrib.auth.signals.user_logged_in "

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

// rootAt is the module, or the module and member, of another's package that a name means in all of a module, with what
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
		return end == k && (listedMember(pyDecorates, full) || full == "django.dispatch.receiver" && k < r[1] && l.signals(d, k+1, r[1]-1))
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

// listedMember says whether a list has a name, or one that it is a part of with a dot behind it.
func listedMember(list, full string) bool {
	if hasWord(list, full) {
		return true
	}
	for rest := full; strings.Contains(rest, "."); {
		if rest = rest[:lastByte(rest, '.')]; hasWord(list, rest+".") {
			return true
		}
	}
	return false
}

// signals says whether the first argument, or each of a list of them, is a signal that only what writes a record sends.
func (l *pyLinker) signals(d *pyModule, from, to int) bool {
	p := d.p
	to = p.next(from, to, ",")
	if p.is(from, "[") && p.pairs[from] == to-1 {
		from, to = from+1, to-1
	}
	for from < to {
		next := p.next(from, to, ",")
		if p.toks[from].kind != 'n' {
			return false
		}
		if full, end := l.rootAt(d, from, to); end != next || !hasWord(pySignals, full) {
			return false
		}
		from = next + 1
	}
	return true
}

// madeBy is made, looked at once for each name while no import is read.
func (l *pyLinker) madeBy(d *pyModule, name string, depth int) string {
	if d == nil || depth > 4 {
		return ""
	}
	if d.made == nil || d.madeOf != [2]int{len(d.imports), len(l.order)} {
		d.made, d.madeOf = map[string]string{}, [2]int{len(d.imports), len(l.order)}
	}
	full, ok := d.made[name]
	if !ok {
		full = l.maker(d, name, depth)
		d.made[name] = full
	}
	return full
}

// maker is the function or class of another's package whose value a name has in all of a module.
func (l *pyLinker) maker(d *pyModule, name string, depth int) string {
	if d.stars {
		return ""
	}
	p, found, times := d.p, "", 0
	if from, ok := d.roots[name]; ok {
		at := lastByte(from, '.')
		if at < 0 || d.mine[name] != "" {
			return ""
		}
		if as := from[at+1:]; as != name {
			l.registries[as] = true
		}
		if found = l.madeBy(l.moduleNamed(from[:at]), from[at+1:], depth+1); found == "" {
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
	return name != "" && hasWord(pyRegistries, l.madeBy(l.moduleNamed(name), p.toks[i].text, 0))
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
		if d = l.moduleNamed(from); d == nil || d.stars {
			return false
		}
	}
	if d == nil || !l.onlyName(d, name) || l.patched(name) {
		return false
	}
	for _, u := range d.units {
		if u.name == name && u.parent == nil && u.kind == pyDef && !u.decorated {
			return d.hands(u.head, u.to, called)
		}
	}
	return false
}

// patched says whether anything gives an attribute of a name another value.
func (l *pyLinker) patched(name string) bool {
	for _, d := range l.mods {
		for i, t := range d.p.toks {
			if t.kind == 'n' && t.text == name && d.p.is(i-1, ".") && (d.p.is(i+1, "=") && !d.p.is(i+2, "=") || d.p.is(i+1, ",")) && d.p.inside[i] < 0 {
				return true
			}
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
	first := d.lineOf[d.lineStart(head)]
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
