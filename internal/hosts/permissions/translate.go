package permissions

import (
	"path"
	"slices"
	"strings"
)

// Translate makes rules of gbt's own of one of a host's: their texts behind the verb, as
// package gates/rules reads them; why says of a rule that none is made of what stands in
// the way. project says that the file is a project's, whose paths are relative to it.
//
// A host's rule is about the text of a call and gbt's about what it does, so an allow rule
// of gbt's covers less. What would be too wide is not translated: any command, any tool of
// the host's, any code. What is asked about or denied may be as wide as it is.
func (r *Rule) Translate(project bool) (texts []string, why string) {
	var whats []string
	switch {
	case strings.ContainsAny(r.Tool, "()"):
		why = "it is not written as TOOL(SPECIFIER): a parenthesis is missing or too many"
	case strings.HasPrefix(r.Tool, "mcp__"):
		whats, why = r.server()
	case r.Spec == "" && r.Behavior != Allow && strings.Trim(r.Tool, letters) == "" && r.Tool != "":
		whats = []string{"tool " + r.Tool}
	case r.Spec == "" && r.Tool != "":
		why = "it covers every call of " + r.Tool
	case r.Tool == shellTool:
		whats, why = r.command()
	case r.Tool == "WebFetch":
		whats, why = r.domain()
	case slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, r.Tool):
		whats, why = r.file("write", project)
	case r.Tool == "Read":
		whats, why = r.file("read", project)
	default:
		why = "gbt's rules are about commands, files, hosts and tools, and this is none of them"
	}
	for _, w := range whats {
		texts = append(texts, string(r.Behavior)+" "+w)
	}
	return texts, why
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// server is a rule about tools of an MCP server: all of them, or one.
func (r *Rule) server() ([]string, string) {
	server, tool, one := strings.Cut(strings.TrimPrefix(r.Tool, "mcp__"), "__")
	switch {
	case r.Spec != "":
		return nil, "a rule about a tool says nothing of its arguments"
	case !one:
		tool = "*"
	}
	if server == "" || strings.ContainsAny(server, "*?") || strings.ContainsAny(strings.TrimSuffix(tool, "*"), "*?") || tool == "" || tool != "*" && strings.HasSuffix(tool, "*") {
		return nil, "gbt names one tool of a server, or all of one server"
	}
	return []string{"tool " + server + "/" + tool}, ""
}

// Programs that run what they are given: wrappers and shells, whose rules say nothing
// where a word varies, and interpreters, whose rules have to name what they run. Of some
// programs a subcommand is such a one.
var (
	wrappers = strings.Fields(`. ash bash cmd csh dash doas env eval exec expect fish ksh nice nohup nsenter parallel pipx powershell pwsh
		script setsid sh source ssh stdbuf su sudo time timeout tmux unshare watch xargs zsh`)
	wrapping = strings.Fields(`docker-exec docker-run kubectl-exec kubectl-run podman-exec podman-run npm-exec pnpm-dlx pnpm-exec yarn-dlx`)
)

// command is a rule about a line of the shell. PREFIX:*, and a star behind a blank at the
// end, stand for nothing as well (the documentation's wildcards): that is a rule of its own.
func (r *Rule) command() ([]string, string) {
	spec := strings.TrimSpace(r.Spec)
	bare, any := strings.CutSuffix(spec, ":*")
	if !any {
		bare, any = strings.CutSuffix(spec, " *")
	}
	words := strings.Fields(bare)
	if len(words) == 0 || strings.HasPrefix(words[0], "*") {
		return nil, "it names no program"
	}
	if r.Behavior == Allow && (any || strings.Contains(bare, "*")) {
		if why := wide(words); why != "" {
			return nil, why
		}
	}
	if !any {
		return []string{bare}, ""
	}
	return []string{bare, bare + " *"}, ""
}

// wide says why a rule in which a word varies is too wide to allow anything.
func wide(words []string) string {
	program := path.Base(words[0])
	switch {
	case slices.Contains(wrappers, program), len(words) > 1 && slices.Contains(wrapping, program+"-"+words[1]):
		return "it lets " + program + " run anything"
	case !names(words[1:]):
		return "it lets " + program + " do all that it can: say what, as in gbt allow '" + program + " WHAT *'; gbt allow run PROGRAM is for one that gbt does not know"
	}
	return ""
}

// names says whether one of the words before the first star is more than an option.
func names(words []string) bool {
	for _, w := range words {
		if strings.Contains(w, "*") {
			break
		}
		if !strings.HasPrefix(w, "-") {
			return true
		}
	}
	return len(words) > 0 && strings.Contains(words[len(words)-1], "://") // an address whose end varies
}

// Narrower says in what gbt's rule stops less than the host's; empty where it does not.
func (r *Rule) Narrower() string {
	if r.Behavior != Allow && slices.Contains(fileTools, r.Tool) && r.Spec != "" && !strings.Contains(r.Spec, "/") {
		return "at the top of the project alone; the host's is about every directory"
	}
	return ""
}

// domain is a rule about pages of a host.
func (r *Rule) domain() ([]string, string) {
	host, ok := strings.CutPrefix(r.Spec, "domain:")
	if !ok || host == "" || host == "*" || strings.Contains(strings.TrimPrefix(host, "*."), "*") {
		return nil, "it names no host"
	}
	return []string{"fetch " + host}, ""
}

// file is a rule about paths, which are written as in .gitignore: //PATH from the root,
// ~/PATH from the home, /PATH from the project, others from the directory of the call.
func (r *Rule) file(verb string, project bool) ([]string, string) {
	name := r.Spec
	switch {
	case strings.HasPrefix(name, "//"):
		name = name[1:]
	case strings.HasPrefix(name, "~/"):
	case !project:
		return nil, "it is about another place in each project"
	default:
		name = strings.TrimPrefix(strings.TrimPrefix(name, "./"), "/")
	}
	switch {
	case strings.Contains(strings.TrimSuffix(name, "/**"), "**"), strings.ContainsAny(name, "?[!"), name == "":
		return nil, "gbt's paths have ** at the end alone, and no other patterns than *"
	case strings.Contains(name, " "):
		return nil, "gbt's paths have no blanks"
	}
	return []string{verb + " " + name}, ""
}
