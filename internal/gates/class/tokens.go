package class

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// Names that code calls, from the references of the languages and of their
// libraries for the web: those that open a server, fetch, start a program or
// run a text, write a file, or make one executable. Sorted.
var (
	serverCalls = []string{
		"HTTPServer", "ListenAndServe", "ListenAndServeTLS", "ServerSocket", "TCPServer", "ThreadingHTTPServer", "ThreadingTCPServer", "UDPServer", "WSGIServer",
		"createServer", "create_server", "make_server", "run_simple", "serve_forever", "socket_create_listen", "socket_listen", "start_server", "stream_socket_server",
	}
	fetchCalls = []string{"DownloadFile", "DownloadString", "curl_exec", "fetch", "urlopen", "urlretrieve"}
	runCalls   = []string{
		"Popen", "call", "check_call", "check_output", "eval", "exec", "execFile", "execFileSync", "execSync", "exec_module", "execl", "execv", "execve", "execvp",
		"passthru", "popen", "proc_open", "run", "shell_exec", "spawn", "spawnSync", "startfile", "system",
	}
	writeCalls = []string{"SetValueEx", "append", "appendFile", "appendFileSync", "copy", "copyfile", "file_put_contents", "move", "open", "rename", "symlink", "write", "writeFile", "writeFileSync", "write_text", "writelines"}
)

// Objects whose functions of common names are meant: requests.get, subprocess.run.
var (
	fetchers = []string{"axios", "http", "httpx", "https", "requests", "session", "urllib3", "wget"}
	runners  = []string{"builtins", "child_process", "cp", "os", "subprocess"}
	networks = []string{"Fastify", "SOCK_DGRAM", "SOCK_STREAM", "createServer", "express", "fastify", "http", "https", "koa", "net", "socket"}
)

// maxLines bounds the command lines in one text that are analysed.
const maxLines = 32

// reader follows the names and the constants of code.
type reader struct {
	places           *effect.Places
	prev             string // the last name
	last             byte   // the last sign
	network, sockets bool   // the code names what servers are made of
	flask, fetched   bool
	listens, bound   bool
	kept, puts       bool     // it names a place that keeps, and writes
	line             []string // the constants since a program was started
	running          bool
	lines            int
	out              Set
}

// tokenCode sorts code by its names and constants. Comments are passed over, and
// so is what stands in strings, but for places and command lines.
func tokenCode(lang, text string, places *effect.Places) Set {
	r := reader{places: places}
	hash, slash := commentsOf(lang)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case hash && c == '#', slash && strings.HasPrefix(text[i:], "//"):
			i = after(text, i, "\n")
		case slash && strings.HasPrefix(text[i:], "/*"):
			i = after(text, i+2, "*/")
		case c == '"' || c == '\'' || c == '`':
			i = r.constant(text, i)
		case letter(c) || c == '_':
			start := i
			for i < len(text) && (alnum(text[i]) || text[i] == '_') {
				i++
			}
			r.name(text[start:i], start > 0 && text[start-1] == '.', called(text, i))
		case digit(c):
			for i < len(text) && alnum(text[i]) {
				i++
			}
		default:
			r.sign(c)
			i++
		}
	}
	r.end()
	return r.classes()
}

// commentsOf says how comments begin.
func commentsOf(lang string) (hash, slash bool) {
	switch lang = strings.TrimRight(lang, "0123456789."); lang {
	case "python", "py", "ipython", "ruby", "perl", "pth", "ps":
		return true, false
	case "php":
		return true, true
	case "lua":
		return false, false
	}
	return false, true
}

// after is where a text goes on behind the next end.
func after(text string, i int, end string) int {
	if n := strings.Index(text[i:], end); n >= 0 {
		return i + n + len(end)
	}
	return len(text)
}

// called says whether a parenthesis follows.
func called(text string, i int) bool {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i < len(text) && text[i] == '('
}

// name takes the next name; member says that it is one of the name before it.
func (r *reader) name(w string, member, called bool) {
	of := ""
	if member {
		of = r.prev
	}
	r.prev, r.last = w, 0
	r.network = r.network || slices.Contains(networks, w)
	r.sockets = r.sockets || w == "SOCK_STREAM" || w == "SOCK_DGRAM" || w == "socket"
	r.flask = r.flask || w == "Flask" || w == "uvicorn" || w == "Quart"
	if !called {
		return
	}
	is := func(list []string) bool { _, ok := slices.BinarySearch(list, w); return ok }
	switch {
	case is(serverCalls), w == "run" && r.flask && (of == "app" || of == "uvicorn"), w == "bind" && (of == "TcpListener" || of == "UdpSocket"):
		r.out |= Listens
	case w == "listen" || w == "Listen":
		r.listens = true
	case w == "bind":
		r.bound = true
	case is(fetchCalls), slices.Contains(fetchers, of) && (w == "get" || w == "Get" || w == "post" || w == "request" || w == "download" || w == "stream"):
		r.fetched = true
		if r.running { // exec(urlopen(...).read())
			r.out |= Downloads
		}
	case w == "chmod" && r.fetched, w == "exec_module" && r.fetched:
		r.out |= Downloads
	case is(runCalls) && r.runs(w, of, member):
		if r.fetched {
			r.out |= Downloads
		}
		r.end()
		r.running = true
	case is(writeCalls):
		r.puts = true
	case w == "CronTab":
		r.out |= Persists
	}
}

// runs says whether a function of a name that others share starts something: it
// belongs to nobody, or to what starts programs.
func (r *reader) runs(w, of string, member bool) bool {
	switch w {
	case "call", "run":
		return of == "subprocess"
	case "eval", "exec", "spawn", "system":
		return !member || slices.Contains(runners, of)
	}
	return true
}

// sign takes what is neither name nor constant. A statement ends with its line,
// unless a list goes on.
func (r *reader) sign(c byte) {
	if c == ';' || c == '\n' && strings.IndexByte("([{,", r.last) < 0 {
		r.end()
	}
	if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
		r.last = c
	}
	if c != '.' && c != ' ' {
		r.prev = ""
	}
}

// constant takes the string at i and says where it ends. One of three quotes ends
// with three; another that is not closed on its line ends there.
func (r *reader) constant(text string, i int) int {
	q := text[i]
	if three := text[i : i+1]; q != '`' && strings.HasPrefix(text[i:], strings.Repeat(three, 3)) {
		end := after(text, i+3, strings.Repeat(three, 3))
		r.value(strings.Trim(text[i:end], three))
		return end
	}
	for k := i + 1; k < len(text); k++ {
		switch c := text[k]; {
		case c == '\\':
			k++
		case c == q:
			r.value(text[i+1 : k])
			return k + 1
		case c == '\n' && q != '`':
			return k
		}
	}
	return len(text)
}

func (r *reader) value(v string) {
	r.prev, r.last = "", 0
	r.kept = r.kept || len(v) < 256 && keptPlace(v)
	if r.running && len(v) <= 1024 && len(r.line) < maxLines {
		r.line = append(r.line, v)
	}
}

// end ends a statement: the constants that a program was started with are its
// command line, as one or as its words.
func (r *reader) end() {
	if r.running && len(r.line) > 0 && r.lines < maxLines {
		r.lines++
		r.out |= shellCode(strings.Join(r.line, " "), r.places)
	}
	r.running, r.line = false, r.line[:0]
}

func (r *reader) classes() Set {
	if r.listens && r.network || r.bound && r.sockets {
		r.out |= Listens
	}
	if r.kept && r.puts {
		r.out |= Persists
	}
	return r.out
}
