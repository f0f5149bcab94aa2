package gates

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about ports of this machine behind which another one answers: since a session
// forwards a port, what it sends there goes to a server that is not the developer's.

// turnsOfPorts are the ports that a run leads to another machine; anyTurn where it does not say
// which.
func (c *Context) turnsOfPorts(r *effect.Run) []turn {
	ports, leads := tunnelled(r)
	if !leads {
		return nil
	}
	if len(ports) == 0 {
		ports = []string{anyTurn}
	}
	var out []turn
	for _, p := range ports {
		out = append(out, turn{kind: turnPort, what: p, now: tunnelName(r)})
	}
	return out
}

// tunnelName is how a question names what leads to another machine.
func tunnelName(r *effect.Run) string {
	name := path.Base(r.Words[0])
	for _, w := range r.Words[1:] {
		if w == "" || w[0] == '-' || !plainSubcommand.MatchString(w) || len(name) > 30 {
			break
		}
		name += " " + w
	}
	return name
}

var (
	plainSubcommand = regexp.MustCompile(`^[a-z][a-z-]*$`)
	portPair        = regexp.MustCompile(`^(?:(?:localhost|127\.0\.0\.1|\[::1\]):)?(\d*):(?:[\w.-]+:)?(\d+|\w+)$`)
	portAlone       = regexp.MustCompile(`^\d+$`)
	portNamed       = regexp.MustCompile(`(?:-port=|-port |[lL]ocal[Pp]ort(?:Number)?["=: \[]+|LISTEN:|localhost:|127\.0\.0\.1:)"?(\d+)`)
)

// tunnelled says whether a run forwards ports, and which (ssh(1), -L, -D and LocalForward;
// kubectl and oc port-forward; gh help codespace ports forward; and the manuals of the other
// programs). No port at all stands for any.
func tunnelled(r *effect.Run) (ports []string, leads bool) {
	words := r.Words[1:]
	has := func(w ...string) bool { return shell.ContainsAny(words, w...) }
	switch prog := path.Base(r.Words[0]); prog {
	case "ssh", "autossh":
		return sshPorts(words)
	case "kubectl", "oc", "k", "kubecolor", "minikube":
		return pairs(words, 0), has("port-forward", "kubefwd") || has("proxy") && prog != "minikube"
	case "gh":
		return pairs(words, 1), has("codespace", "cs") && has("ports", "ssh") && (has("forward") || has("-L"))
	case "fly", "flyctl":
		return pairs(words, 0), has("proxy")
	case "socat":
		return namedPorts(words), !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "localhost") || strings.Contains(w, "127.0.0.1") })
	case "aws":
		return namedPorts(words), has("ssm") && has("start-session") || has("ec2-instance-connect") && has("open-tunnel")
	case "gcloud":
		return namedPorts(words), has("start-iap-tunnel", "proxy") || strings.Contains(strings.Join(words, " "), " -L")
	case "az":
		return namedPorts(words), has("tunnel", "create-remote-connection")
	case "cloud-sql-proxy", "cloud_sql_proxy", "alloydb-auth-proxy", "kubefwd", "telepresence", "sshuttle", "chisel":
		return namedPorts(words), !has("--help", "--version", "status", "quit")
	case "tsh", "boundary", "cloudflared", "heroku", "pscale", "railway", "turso", "doctl", "teleport":
		return namedPorts(words), has("proxy", "connect", "access", "ps:forward", "pg:proxy")
	}
	return nil, false
}

// sshPorts are the ports that options of ssh forward: those of -L and -D, and of settings that
// say so. With -N and none of them the settings of the host name the ports.
func sshPorts(words []string) (ports []string, leads bool) {
	idle := false
	for i, w := range words {
		flags := strings.TrimLeft(w, "-")
		spec := ""
		switch at := strings.IndexAny(flags, "LD"); {
		case strings.HasPrefix(w, "-") && strings.HasPrefix(flags, "o") || i > 0 && words[i-1] == "-o":
			if _, rest, ok := cutAt(w, "LocalForward"); ok {
				spec = strings.Fields(strings.TrimLeft(rest, "= ") + " x")[0]
			} else if _, rest, ok := cutAt(w, "DynamicForward"); ok {
				spec = strings.TrimLeft(rest, "= ")
			}
		case !strings.HasPrefix(w, "-") || strings.Trim(flags[:max(at, 0)], "46AaCfGgKkMNnqsTtVvXxYy") != "":
			continue
		case at >= 0 && len(flags) > at+1:
			spec = flags[at+1:]
		case at >= 0 && i+1 < len(words):
			spec = words[i+1]
		case strings.Contains(flags, "N"):
			idle = true
			continue
		}
		if spec == "" {
			continue
		}
		idle = idle || strings.Contains(flags, "N")
		leads = true
		parts := strings.Split(spec, ":")
		switch {
		case portAlone.MatchString(parts[0]):
			ports = append(ports, parts[0])
		case len(parts) > 1 && portAlone.MatchString(parts[1]):
			ports = append(ports, parts[1])
		default:
			ports = append(ports, anyTurn)
		}
	}
	other := slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-R") }) // the other way alone
	return ports, leads || idle && !other
}

// pairs are the ports of this machine among words of two with a colon between them, of which the
// one at a place is; a number alone is both.
func pairs(words []string, place int) []string {
	var out []string
	for i, w := range words {
		switch m := portPair.FindStringSubmatch(w); {
		case m != nil && m[1+place] != "":
			out = append(out, m[1+place])
		case m != nil:
			out = append(out, anyTurn)
		case portAlone.MatchString(w) && i > 0:
			out = append(out, w)
		}
	}
	return append(out, namedPorts(words)...)
}

// namedPorts are the ports of this machine that options name.
func namedPorts(words []string) []string {
	var out []string
	for _, m := range portNamed.FindAllStringSubmatch(strings.Join(words, " "), -1) {
		out = append(out, m[1])
	}
	return out
}

// LeadsTo is what the session, or the line before, started that leads a connection to a port of
// this machine to another one, for people; empty where nothing is known that does.
func (c *Context) LeadsTo(e *Effect) string {
	if e.Kind != effect.Network || !loopback(e.Net) {
		return ""
	}
	port := int(e.Net.Port)
	switch {
	case port != 0:
	case e.Net.Scheme == "https" || e.Net.Scheme == "wss":
		port = 443
	default:
		port = 80
	}
	is := func(t turn) bool { return t.kind == turnPort && (t.what == anyTurn || t.what == strconv.Itoa(port)) }
	for _, entry := range c.Flow.Turned {
		if t := turnOf(entry); is(t) {
			return firstText([]string{t.now, "a tunnel"})
		}
	}
	for k := range c.runs {
		for _, t := range c.turnsOfPorts(&c.runs[k]) {
			if is(t) {
				return t.now
			}
		}
	}
	return ""
}
