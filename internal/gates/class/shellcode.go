package class

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// shellCode sorts shell code: by what it would do, as the guardrail reads it, and
// by the words of its commands.
func shellCode(text string, places *effect.Places) Set {
	out := byEffects(shell.AnalyzeCode("sh", text, places))
	file, _ := shell.Parse(text).Syntax()
	if file == nil {
		return out
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			out |= command(literals(call))
		}
		return true
	})
	return out
}

// byEffects sorts code by its effects. What is computed after something was
// fetched may be what was fetched.
func byEffects(effects []effect.Effect) Set {
	var out Set
	fetched := false
	for i := range effects {
		switch e := &effects[i]; {
		case e.Kind == effect.Network && e.Op == effect.OpFetch:
			fetched = true
		case e.Kind == effect.Network && e.Op == effect.OpListen:
			out |= Listens
		case e.Kind == effect.Setting && (e.Op == effect.OpSchedule || e.Op == effect.OpPersist), e.Kind == effect.Write && keptPlace(e.Resource):
			out |= Persists
		case fetched && (e.Kind == effect.Opaque && e.Op == effect.OpComputed || e.Kind == effect.Write && e.Op == effect.OpChmod):
			out |= Downloads
		}
	}
	return out
}

// literals are the words of a command as far as they are constant; the others are
// empty.
func literals(call *syntax.CallExpr) []string {
	var out []string
	for _, w := range call.Args {
		out = append(out, shell.Literal(w))
	}
	return out
}

// command sorts one command by its manual: nc(1), socat(1), php(1) and python(1)
// listen; crontab(1), systemctl(1), update-rc.d(8), chkconfig(8), launchctl(1)
// and schtasks make something run later, and again.
func command(argv []string) Set {
	for len(argv) > 0 && (argv[0] == "sudo" || argv[0] == "nohup" || argv[0] == "exec" || strings.HasPrefix(argv[0], "-")) {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return 0
	}
	args := argv[1:]
	has := func(words ...string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(words, a) })
	}
	switch program := strings.TrimRight(path.Base(argv[0]), "0123456789."); program {
	case "nc", "ncat", "netcat":
		if has("--listen") || slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "l")
		}) {
			return Listens
		}
	case "socat":
		if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(strings.ToUpper(a), "-LISTEN:") }) {
			return Listens
		}
	case "php":
		if has("-S") {
			return Listens
		}
	case "python":
		if has("http.server", "SimpleHTTPServer") {
			return Listens
		}
	case "uvicorn", "gunicorn", "sshd", "http-server":
		return Listens
	case "crontab":
		if len(args) > 0 && !has("-l", "-r", "-e") {
			return Persists
		}
	case "systemctl":
		if has("enable") {
			return Persists
		}
	case "update-rc.d", "chkconfig":
		return Persists
	case "launchctl":
		if has("load", "bootstrap", "enable") {
			return Persists
		}
	case "schtasks", "schtasks.exe":
		if has("/create", "/Create", "/CREATE") {
			return Persists
		}
	}
	return 0
}
