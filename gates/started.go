package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file finds what code of any language starts, deletes and sends, by the names
// of its library and the texts in quotes that they are given. It knows no grammar:
// code that computes what it runs is left to whoever reads the code.

// starters are what the libraries of languages call what starts programs, and what
// build systems call a command. A command in quotes counts near one of them alone:
// other texts that look like one are test data. The names here and below are common
// knowledge without a source.
var starters = [...]string{
	"exec.Command(", "exec.CommandContext(", "Command::new(", "syscall.Exec(", "StartProcess(", "system(", "popen(", "spawn(", "spawnSync(", "exec(", "execSync(", "execFile(", "execFileSync(",
	"execl(", "execlp(", "execv(", "execvp(", "posix_spawn", "ProcessBuilder(", "Process.", "Process(", "ProcessStartInfo(", "commandLine", "subprocess.", "session.run(", "session.run_always(", "run_process(",
	"add_custom_", "execute_process", "run_command(", "custom_target(", "command:", "System.cmd(", ":os.cmd(", "os:cmd(", "Execute(", "genrule(", ".execute(", "run(", "Child.init(", "shell_exec(", "sh(",
}

// deleters are what libraries call what removes a directory with all that it holds.
var deleters = [...]string{
	"RemoveAll(", "remove_dir_all(", "rmtree(", "rmSync(", "rmdirSync(", "fs.rm(", "rm_rf(", "rm_r(", "Directory.Delete(", "deleteRecursively", "remove_all(", "deleteDirectory(", "deleteTree(", "removeItem(",
	"rimraf", "del_dir_r(", "REMOVE_RECURSE", "removeSync(",
}

// homes are what libraries and environments call the user's home.
var homes = [...]string{"UserHomeDir", "homedir", "home_dir", "HOME", "user.home", "expanduser", "Path.home", "NSHomeDirectory", "homeDirectory", "UserProfile", "Dir.home", "user_home"}

// senders are what libraries call what speaks to another machine.
var senders = [...]string{
	"http.Post", "http.Get", "http.NewRequest", "net.Dial", "reqwest", "ureq::", "TcpStream", "HttpClient", "HttpRequest", "HttpURLConnection", "URLSession", "openConnection", "new URL(", "URL(", "WebClient",
	"Socket(", "socket(", "fetch(", "axios", "https.request", "http.request", "requests.", "urlopen", "Net::HTTP", "curl_easy", "httpc:request", "HTTPoison", "Req.",
}

// nearStarter bounds the bytes from a name to the end of what it is given.
const nearStarter = 400

// started are the commands that a file starts: the texts in quotes that one call is
// given, each by itself and together as the words of one command.
func started(text string) []string {
	if _, scripts, ok := strings.Cut(text, `"scripts"`); ok {
		return literals(scripts)
	}
	at := homeNames(text)
	var out []string
	for _, g := range given(text, starters[:]) {
		out = append(out, literals(g)...)
		if words := texts(g); len(words) > 0 {
			out = append(out, line(words, g, at), strings.Join(words, " "))
		}
	}
	return out
}

// given are the arguments of the calls of names, with what the same statement adds to
// them.
func given(text string, called []string) []string {
	var out []string
	for _, s := range called {
		for rest := text; ; {
			i := strings.Index(rest, s)
			if i < 0 {
				break
			}
			rest = rest[i+len(s):]
			out = append(out, statement(rest[:min(len(rest), nearStarter)]))
			if len(out) >= maxPieces {
				return out
			}
		}
	}
	return out
}

// statement is a text up to where its statement ends: at a semicolon, or at the end
// of a line outside of parentheses whose next line does not go on with a dot.
func statement(text string) string {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			if end := closing(text, i+1, text[i]); end > 0 {
				i = end
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			return text[:i]
		case '\n':
			if next := strings.TrimLeft(text[i:], " \t\n"); depth <= 0 && !strings.HasPrefix(next, ".") {
				return text[:i]
			}
		}
	}
	return text
}

// texts are all texts in quotes, with a space or without.
func texts(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		if q := text[i]; q == '"' || q == '\'' || q == '`' {
			if end := closing(text, i+1, q); end > 0 {
				out = append(out, text[i+1:end])
				i = end
			}
		}
	}
	return out
}

// line is a command of words in a row. A home that the words are computed from
// stands before the last of them.
func line(words []string, args string, at []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if strings.ContainsAny(w, " \t\n;&|<>()") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		b.WriteString(w)
	}
	if atHome(args, at) {
		b.WriteString(" ~")
	}
	return b.String()
}

// homeNames are the variables of a file that hold the home.
func homeNames(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		left, right, ok := strings.Cut(l, "=")
		if !ok || !mentionsHome(right) {
			continue
		}
		words := strings.FieldsFunc(left, func(r rune) bool { return strings.ContainsRune(" \t:,()!", r) })
		for _, w := range words {
			switch w {
			case "let", "mut", "const", "var", "val", "auto", "String", "string", "_", "err", "final", "if", "Path", "File":
			default:
				out = append(out, w)
			}
		}
	}
	return out
}

func mentionsHome(text string) bool {
	return slices.ContainsFunc(homes[:], func(h string) bool { return strings.Contains(text, h) })
}

// atHome says whether arguments name the home, by itself or by a variable.
func atHome(args string, at []string) bool {
	if mentionsHome(args) {
		return true
	}
	words := strings.FieldsFunc(args, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(at, w) })
}

// deletesOrSends says whether code deletes below the home or outside the project, or
// reads a secret and speaks to another machine.
func (c *Context) deletesOrSends(text string) bool {
	at := homeNames(text)
	for _, g := range given(text, deleters[:]) {
		g, _, _ = strings.Cut(g, "\n")
		words := texts(g)
		switch {
		case atHome(g, at):
			return true
		case len(words) > 0 && c.severe("rm -rf "+line(words[:1], "", nil)):
			return true
		}
	}
	return sends(text) && c.readsSecret(text)
}

// sends says whether code speaks to a machine whose name it spells out.
func sends(text string) bool {
	return slices.ContainsFunc(given(text, senders[:]), func(g string) bool {
		return slices.ContainsFunc(texts(g), func(w string) bool {
			_, host, ok := strings.Cut(w, "://")
			if !ok {
				host, _, ok = strings.Cut(w, ":")
				ok = ok && strings.Contains(host, ".")
			}
			return ok && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.") && !strings.HasPrefix(host, "[::1]") && !strings.HasPrefix(host, "0.0.0.0")
		})
	})
}

// readers are what libraries call what reads a file.
var readers = [...]string{"ReadFile(", "os.Open(", "read_to_string(", "File::open(", "fs::read(", "readAllBytes(", "readString(", "ReadAllText(", "readFileSync(", "readFile(", "open(", "File(", "readText(", "contentsOf", "File.read"}

func (c *Context) readsSecret(text string) bool {
	for _, g := range given(text, readers[:]) {
		g, _, _ = strings.Cut(g, "\n")
		if slices.ContainsFunc(texts(g), func(w string) bool { return c.secret(w) }) {
			return true
		}
	}
	return strings.Contains(text, "os.Environ()") || strings.Contains(text, "env::vars()")
}

// secret says whether a text in quotes names a file with secrets.
func (c *Context) secret(word string) bool {
	places := effect.Places{Cwd: c.Cwd, Home: c.Home, Roots: c.Roots}.Normal()
	_, sensitive, _ := places.Where(places.Resolve(c.Cwd, word))
	return sensitive
}
