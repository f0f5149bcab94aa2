package shell

import "strings"

// This file says which lines at the top of a module make something that does nothing until it is used: a
// client that connects when it is first asked for something, a variable of the environment. They count where
// the name does that they give it, as a table does.

// pyInert make such a thing of what they are told, by the references of redis-py 5, boto3 1.35, SQLAlchemy 2.0,
// Celery 5.4, HTTPX 0.28, Requests 2.32, aiohttp 3.10, OpenAI 1.50 and Anthropic 0.40. boto3 looks up who the
// user is, and shows it to nobody.
const pyInert = " os.getenv os.environ.get redis.Redis redis.StrictRedis redis.from_url redis.Redis.from_url redis.StrictRedis.from_url redis.ConnectionPool redis.ConnectionPool.from_url redis.asyncio.Redis redis.asyncio.from_url redis.asyncio.Redis.from_url " +
	"boto3.client boto3.resource boto3.Session boto3.session.Session sqlalchemy.create_engine sqlalchemy.ext.asyncio.create_async_engine sqlalchemy.ext.asyncio.async_sessionmaker sqlalchemy.orm.sessionmaker sqlalchemy.orm.scoped_session " +
	"celery.Celery httpx.Client httpx.AsyncClient httpx.Timeout httpx.Limits requests.Session requests.session aiohttp.ClientTimeout openai.OpenAI openai.AsyncOpenAI anthropic.Anthropic anthropic.AsyncAnthropic pydantic.Field pydantic_settings.SettingsConfigDict flask_sqlalchemy.SQLAlchemy environ.Env "

// pyInertKeys are their arguments with which they still do nothing: others have them connect at once, or call
// or load something.
const pyInertKeys = " alias api_key autocommit autoflush aws_access_key_id aws_secret_access_key aws_session_token backend base_url bind broker case_sensitive class_ connect_args db decode_responses default default_headers description echo encoding endpoint_url env_file env_file_encoding env_nested_delimiter env_prefix " +
	"expire_on_commit extra follow_redirects frozen future ge gt headers health_check_interval host include le lt max_connections max_keepalive_connections max_length max_overflow max_retries min_length organization password pool_pre_ping pool_recycle pool_size pool_timeout port project region_name service_name " +
	"socket_connect_timeout socket_timeout ssl timeout title url use_ssl username validation_alias "

// pyDrivers are what an engine of SQLAlchemy loads by the name of its database.
const pyDrivers = "MySQLdb aiomysql aiosqlite asyncmy asyncpg cx_Oracle mariadb mysql oracledb pg8000 psycopg psycopg2 pymssql pymysql pyodbc"

// calling notes a call in a line that gives a name something, at its parenthesis, or an item that is asked of
// something; false where it is none that may be inert.
func (u *pyUnit) calling(p *pyReader, i int) bool {
	from := i - 1
	for from >= 2 && p.is(from-1, ".") && p.toks[from-2].kind == 'n' {
		from -= 2
	}
	if p.toks[i-1].kind != 'n' || p.is(from-1, ".") || p.pairs[i] < 0 {
		return false
	}
	u.calls = append(u.calls, [2]int{from, i})
	return true
}

// keyed says whether an equals sign names an argument of a call.
func (p *pyReader) keyed(i int) bool {
	in := p.inside[i]
	return in > 0 && p.is(in, "(") && p.toks[in-1].kind == 'n' && p.toks[i-1].kind == 'n' && (i-2 == in || p.is(i-2, ","))
}

// compares says whether an equals sign is half of one that compares.
func (p *pyReader) compares(i int) bool {
	return p.is(i+1, "=") && p.toks[i+1].at == p.toks[i].at+1 && !p.is(i-1, "=") || p.is(i-1, "=") && p.toks[i-1].at == p.toks[i].at-1 && !p.is(i-2, "=")
}

// inert says whether all that a line calls makes something that does nothing until it is used.
func (l *pyLinker) inert(d *pyModule, u *pyUnit) bool {
	if l.shadows || d.stars {
		return false
	}
	for _, c := range u.calls {
		p, name := d.p, ""
		root := p.toks[c[0]].text
		for i := c[0] + 2; i < c[1]; i += 2 {
			name += "." + p.toks[i].text
		}
		switch _, imported := d.roots[root]; {
		case p.is(c[1], "["):
			if !imported || d.roots[root]+name != "os.environ" {
				return false
			}
			continue
		case imported && l.othersRoot(d, root) && hasWord(pyInert, d.roots[root]+name):
		case !imported && name == "" && hasWord("bool float int str", root) && !l.own[root] && !d.tops[root]:
		case name == "" && p.is(c[1]+1, ")") && l.settingsOf(d, root):
		default:
			return false
		}
		if strings.HasPrefix(d.roots[root], "sqlalchemy") && l.anyDriver() {
			return false
		}
		for from, end := c[1]+1, p.pairs[c[1]]; from < end; {
			next := p.next(from, end, ",")
			if p.is(from, "*") || p.is(from+1, "=") && !hasWord(pyInertKeys, p.toks[from].text) && !(d.roots[root]+name == "environ.Env" && p.toks[from].text == strings.ToUpper(p.toks[from].text)) {
				return false
			}
			from = next + 1
		}
	}
	return true
}

// othersRoot says whether a name is one of another's package in all of a module.
func (l *pyLinker) othersRoot(d *pyModule, root string) bool {
	if !l.othersName(d, root) {
		return false
	}
	p := d.p
	for i, t := range p.toks {
		if t.kind == 'n' && t.text == root && !p.is(i-1, ".") && !d.importing(i) && !p.is(i+1, ".") && !p.is(i+1, "(") && !(p.inside[i] >= 0 && (p.is(i+1, ")") || p.is(i+1, ",") || p.is(i+1, "]"))) {
			return false
		}
	}
	return true
}

// anyDriver says whether the workspace has a module that is called as a driver of databases is.
func (l *pyLinker) anyDriver() bool {
	for name := range strings.SplitSeq(pyDrivers, " ") {
		for _, dir := range l.q.dirs {
			if l.found(dir.path, name) != "" {
				return true
			}
		}
	}
	return false
}

// settingsOf says whether a name is such a class, or a function that does nothing but to make one.
func (l *pyLinker) settingsOf(d *pyModule, name string) bool {
	p, makes := d.p, ""
	for _, u := range d.units {
		if u.name != name || u.parent != nil {
			continue
		}
		k := u.to - 4
		if u.kind != pyDef || u.decorated && !l.plainlyDecorated(d, u) || k <= u.head || !p.isName(k, "return") || !p.is(k-1, ":") || !p.is(k+2, "(") || !p.is(k+3, ")") || p.next(u.head, u.to, ":") != k-1 {
			continue
		}
		makes = p.toks[k+1].text
	}
	return makes != "" && l.onceGiven(d, name) && l.settingsClass(d, makes) || l.settingsClass(d, name)
}

// settingsClass says whether a name is a class of the module that takes its values from the environment and
// from files that it names, and does nothing else (docs.pydantic.dev, Settings Management).
func (l *pyLinker) settingsClass(d *pyModule, name string) bool {
	if !l.onceGiven(d, name) {
		return false
	}
	for _, u := range d.units {
		switch {
		case u.name == name && u.parent == nil:
			if u.kind != pyClass || u.decorated || len(u.bases) != 1 || u.bases[0] != "BaseSettings" || d.roots["BaseSettings"] != "pydantic_settings.BaseSettings" || !l.othersName(d, "BaseSettings") {
				return false
			}
		case !u.within(name):
		case u.kind == pyClass && u.name == "Config" && u.parent.name == name && len(u.bases) == 0 && !u.decorated:
		case u.kind != pyTable || len(u.calls) > 0 && !l.inert(d, u) || !l.plainType(d, u):
			return false
		}
	}
	return true
}

// within says whether a part of a module stands in a class at its top.
func (u *pyUnit) within(name string) bool {
	for u = u.parent; u != nil; u = u.parent {
		if u.parent == nil {
			return u.name == name
		}
	}
	return false
}

// pyPlainTypes are types of values that are only taken in.
const pyPlainTypes = " str int float bool bytes list dict set tuple None Optional Union List Dict Set Tuple Literal Any ClassVar Path SecretStr "

// plainType says whether a line that gives a name something says of no other type that it is.
func (l *pyLinker) plainType(d *pyModule, u *pyUnit) bool {
	p := d.p
	for i := u.from + 1; i < u.to && p.is(u.from+1, ":") && !p.is(i, "="); i++ {
		if p.toks[i].kind == 'n' && (!hasWord(pyPlainTypes, p.toks[i].text) || !l.othersName(d, p.toks[i].text)) {
			return false
		}
	}
	return true
}

// onceGiven says whether a name of a module is only ever that of one class or function at its top, which is
// called.
func (l *pyLinker) onceGiven(d *pyModule, name string) bool {
	p, times := d.p, 0
	for i, t := range p.toks {
		switch {
		case t.kind != 'n' || t.text != name || p.is(i-1, "."):
		case p.isName(i-1, "class") || p.isName(i-1, "def"):
			times++
		case !p.is(i+1, "(") && !(p.is(i-1, ">") && p.is(i+1, ":")):
			return false
		}
	}
	return times == 1
}

// othersName says whether no module of the workspace gives a name that stands in this one anything.
func (l *pyLinker) othersName(d *pyModule, name string) bool {
	if l.own[name] || d.tops[name] || d.mine[name] != "" || d.froms[name] != "" {
		return false
	}
	for _, s := range d.imports {
		for _, part := range s.parts {
			if part.as == name && part.own {
				return false
			}
		}
	}
	return true
}

// ofSettings says whether a class is one of settings, or what says where such a class takes them from.
func (u *pyUnit) ofSettings() bool {
	return u != nil && u.kind == pyClass && (len(u.bases) == 1 && u.bases[0] == "BaseSettings" || u.name == "Config" && u.parent.ofSettings())
}
