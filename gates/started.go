package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
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
	"add_custom_", "execute_process", "run_command(", "custom_target(", "command:", "System.cmd(", ":os.cmd(", "os:cmd(", "Execute(", "genrule(", "program = [", ".execute(", "run(", "Child.init(", "shell_exec(", "sh(",
	"system '", "system \"", "system q", "exec '", "exec \"", "exec q", "Sys.command", "callCommand", "callProcess", "readProcess", "execCmd", "execShellCmd", "executeShell", "spawnShell", "execute_command_line(", "system2(", "(sh ",
	"Open3.", "wait_with_output", "runCommand(", "passthru(", "proc_open(", "pcntl_exec(", "ShellExecute", "CreateProcess", "Deno.Command(", "Bun.spawn", "Bun.$", "zx", "execa(",
	"sh.Run", "sh.Output(", "sh.Exec(", // Mage
}

// deleters are what libraries call what removes a directory with all that it holds.
var deleters = [...]string{
	"RemoveAll(", "remove_dir_all(", "rmtree(", "rmSync(", "rmdirSync(", "fs.rm(", "rm_rf(", "rm_r(", "Directory.Delete(", "deleteRecursively", "remove_all(", "deleteDirectory(", "deleteTree(", "removeItem(",
	"rimraf", "del_dir_r(", "REMOVE_RECURSE", "removeSync(",
}

// homes are what libraries and environments call the user's home.
var homes = [...]string{"HomeDir", "homedir", "home_dir", "HOME", "user.home", "expanduser", "Path.home", "NSHomeDirectory", "homeDirectory", "UserProfile", "Dir.home", "user_home"}

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
	if _, scripts, ok := cutAt(text, `"scripts"`); ok {
		return literals(scripts)
	}
	at := homeNames(text)
	out := chained(text)
	for _, g := range given(text, starters[:]) {
		out = append(out, literals(g)...)
		if words := texts(g); len(words) > 0 {
			out = append(out, line(words, g, at), strings.Join(words, " "))
		}
	}
	return out
}

// chained are the commands of libraries that start what stands before their call: a
// text or a list of words (scala.sys.process, Groovy's execute).
func chained(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		for _, call := range [...]string{").!", "\".!", ").lineStream", ".execute()", ".runCommand()", ").run()"} {
			if before, _, ok := cutAt(l, call); ok {
				words := texts(before + call[:1])
				out = append(append(out, words...), line(words, "", nil))
			}
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
			if q := s[len(s)-1]; q == '"' || q == '\'' || q == 'q' {
				rest = s[len(s)-1:] + rest // the name ends where its quote begins
			}
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
		if start, end := bracketed(text, i); end > 0 {
			out = append(out, text[start:end]) // and what is quoted in it, where it was no quote
		}
		if q := text[i]; q == '"' || q == '\'' || q == '`' {
			if end := closing(text, i+1, q); end > 0 {
				out = append(out, text[i+1:end])
				i = end
			}
		}
	}
	return out
}

// bracketed is where a text begins and ends whose quotes are brackets: q{...} and
// qx(...) of Perl, %x[...] of Ruby, ~s(...) of Elixir. The end is zero for none.
func bracketed(text string, i int) (start, end int) {
	j := i
	switch c := text[i]; {
	case c == 'q' && (i == 0 || !wordByte(text[i-1]) && text[i-1] != '$'):
		if j++; j < len(text) && (text[j] == 'q' || text[j] == 'x' || text[j] == 'w') {
			j++
		}
	case (c == '%' || c == '~') && i+1 < len(text):
		if firstByte("qQxswWS", text[j+1]) < 0 {
			return 0, 0
		}
		j += 2
	default:
		return 0, 0
	}
	if j >= len(text) {
		return 0, 0
	}
	open := firstByte("{([", text[j])
	if open < 0 {
		return 0, 0
	}
	for k, depth := j, 0; k < len(text); k++ {
		switch text[k] {
		case "{(["[open]:
			depth++
		case "})]"[open]:
			if depth--; depth == 0 {
				return j + 1, k
			}
		}
	}
	return 0, 0
}

//go:noinline
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
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
		left, right, ok := cutAt(l, "=")
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

//go:noinline
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
	return shell.ContainsAny(words, at...)
}

// deletesOrSends says whether code deletes below the home or outside the project, or
// reads a secret and speaks to another machine.
func (c *Context) deletesOrSends(text string) bool {
	at := homeNames(text)
	for _, g := range given(text, deleters[:]) {
		g, _, _ = cutAt(g, "\n")
		words := texts(g)
		switch {
		case atHome(g, at):
			return true
		case len(words) > 0 && c.severe("rm -rf "+line(words[:1], "", nil)):
			return true
		}
	}
	return sends(text) && c.readsSecret(text) || c.copiesSecret(text)
}

// copiers are what libraries call what brings a file or a directory elsewhere, and
// writers what keeps a text.
var (
	copiers = [...]string{
		"cpSync(", "copyFileSync(", "copyFile(", "fs.cp(", "copySync(", "copytree(", "shutil.copy", "shutil.move(", "make_archive(", "copy_tree(", "cp_r(", "FileUtils.cp", "FileUtils.mv", "Files.copy(", "copyRecursively(", "fs::copy(",
		"File.Copy(", "copyItem(", "CopyFS(", "renameSync(", "symlinkSync(", "os.Symlink(", "os.symlink(", "File::Copy", "copy(",
	}
	writers = [...]string{"writeFileSync(", "writeFile(", "write_text(", "write_bytes(", "WriteFile(", "fs::write(", "file_put_contents(", "File.write(", "WriteAllText("}
)

// copiesSecret says whether code brings a secret of the user's to another place.
func (c *Context) copiesSecret(text string) bool {
	at := homeNames(text)
	names := func(g string) bool { return c.secretIn(g, at) }
	if slices.ContainsFunc(given(text, copiers[:]), names) {
		return true
	}
	return slices.ContainsFunc(given(text, writers[:]), func(g string) bool {
		return slices.ContainsFunc(readers[:], func(r string) bool { return strings.Contains(g, r) }) && names(g)
	})
}

// secretIn says whether arguments name a file with secrets outside the project, by
// itself or below the home.
func (c *Context) secretIn(args string, at []string) bool {
	home := atHome(args, at)
	return slices.ContainsFunc(texts(args), func(w string) bool {
		if strings.HasPrefix(w, "/") && !home && !mark.Under(path.Clean(w), c.Cwd) || strings.HasPrefix(w, "~") {
			return c.secret(w)
		}
		return home && w != "" && c.secret(path.Join("/", c.Home, w))
	})
}

// sends says whether code speaks to a machine whose name it spells out.
func sends(text string) bool {
	return slices.ContainsFunc(given(text, senders[:]), func(g string) bool {
		return slices.ContainsFunc(texts(g), func(w string) bool {
			_, host, ok := cutAt(w, "://")
			if !ok {
				host, _, ok = cutAt(w, ":")
				ok = ok && strings.Contains(host, ".")
			}
			return ok && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.") && !strings.HasPrefix(host, "[::1]") && !strings.HasPrefix(host, "0.0.0.0")
		})
	})
}

// readers are what libraries call what reads a file.
var readers = [...]string{"ReadFile(", "os.Open(", "read_to_string(", "File::open(", "fs::read(", "readAllBytes(", "readString(", "ReadAllText(", "readFileSync(", "readFile(", "open(", "File(", "readText(", "contentsOf", "File.read"}

// environments are what languages call all variables of the environment together.
var environments = [...]string{"os.Environ()", "env::vars()", "stringify(process.env)", "dict(os.environ)", "ENV.to_h", "System.getenv()", "getenv()", "System.get_env()"}

func (c *Context) readsSecret(text string) bool {
	at := homeNames(text)
	for _, g := range given(text, readers[:]) {
		g, _, _ = cutAt(g, "\n")
		if slices.ContainsFunc(texts(g), func(w string) bool { return c.secret(w) }) || c.secretIn(g, at) {
			return true
		}
	}
	return slices.ContainsFunc(environments[:], func(e string) bool { return strings.Contains(text, e) })
}

// secret says whether a text in quotes names a file with secrets.
func (c *Context) secret(word string) bool {
	places := c.placesIn(c.Cwd)
	_, sensitive, _ := places.Where(places.Resolve(c.Cwd, word))
	return sensitive
}
