package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about programs that show what somebody gave to what runs: its variables, and the
// settings that are kept for it. That is where passwords and keys stand.

// givenValues records that the run shows them.
func (r *toolRun) givenValues() {
	shows := false
	switch r.t.name {
	case "docker inspect", "docker container inspect", "podman inspect", "podman container inspect":
		shows = !r.plainParts()
	case "kubectl get":
		out := r.resourceOutput()
		maps := slices.ContainsFunc(r.operands, namesMaps) || hasOption(r.words, "-f", "--filename", "-k", "--kustomize")
		shows = maps && !hasWord(namesAlone, out) && !ofMetadata(out) || ofVariables(out)
	case "kubectl describe":
		shows = slices.ContainsFunc(r.operands, namesMaps)
	case "helm get manifest", "serverless print", "sls print":
		shows = true
	case "gradle", "gradlew":
		shows = slices.ContainsFunc(r.operands, func(w string) bool { return w[lastByte(w, ':')+1:] == "properties" })
	case "npm run", "yarn run":
		if len(r.operands) > 0 {
			r.m.envTask(r.operands[0])
		}
	case "strace":
		if showsExecs(r.words) {
			r.m.environ("environment")
		}
	case "helm status":
		shows = hasWord("json yaml", r.resourceOutput())
	}
	if shows {
		r.showsGiven()
	}
}

// showsGiven records a read of what may hold secrets. Its output remembers the effect, for narrow.
func (r *toolRun) showsGiven() {
	n := len(r.m.effects)
	r.m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneCaller, Sensitive: true, Resource: show(r.t.name + " " + strings.Join(r.words, " "))})
	if len(r.m.effects) > n {
		r.dump = n + 1
	}
}

// namesMaps says whether a word names config maps, alone or among other kinds (kubectl
// api-resources).
func namesMaps(word string) bool {
	word = "," + strings.ToLower(word)
	if i := firstByte(word, '/'); i >= 0 {
		word = word[:i]
	}
	return mark.Has(word) || strings.Contains(word, ",configmap") || strings.Contains(word+",", ",cm,") || strings.Contains(word, ",cm.")
}

// namesAlone are formats of kubectl get that show names and states.
const namesAlone = "name wide"

// resourceOutput is the format that kubectl or helm is told; name where it is told none, for a
// table shows nothing else.
func (r *toolRun) resourceOutput() string {
	if out, n := r.optionValue("--template"); n > 0 {
		return out + " template"
	}
	if out, n := r.optionValue("--output", "-o"); n > 0 {
		return out
	}
	return "name"
}

// optionValue is the last value that the words give one of some options, and how often they do.
func (r *toolRun) optionValue(options ...string) (value string, n int) {
	for i, w := range r.words {
		for _, o := range options {
			rest, ok := cutPrefix(w, o)
			if !ok {
				continue
			}
			if rest == "" && i+1 < len(r.words) {
				rest = r.words[i+1]
			}
			value, n = trimPrefix(rest, "="), n+1
		}
	}
	return value, n
}

// ofMetadata says whether a format names what Kubernetes itself says of things and nothing that
// they hold: every field of it is one of their metadata.
func ofMetadata(format string) bool {
	return eachField(format, func(p string) bool {
		p = trimPrefix(p, "items.")
		return p == "items" || strings.HasPrefix(p, "metadata.") && !strings.HasPrefix(p, "metadata.annotations")
	})
}

// ofVariables says whether a format picks the variables of what runs.
func ofVariables(format string) bool {
	for i := range len(format) {
		if rest, ok := cutPrefix(format[i:], ".env"); ok && !strings.HasSuffix(format[:i], "labels") && nameLen(trimPrefix(rest, "From")) == 0 {
			return true
		}
	}
	return false
}

// plainParts says whether inspect shows something else than containers, or is told a template that
// shows plain parts of them alone.
func (r *toolRun) plainParts() bool {
	if kind, n := r.optionValue("--type", "-t"); n == 1 {
		return contains(kind, "image", "network", "volume")
	}
	format, n := r.optionValue("--format", "-f")
	return n == 1 && plainOfContainer(format)
}

// containerParts are what engines say of a container beside its variables and its command (Docker
// Engine API, ContainerInspect), and names in such parts that a template gives inside a range.
const containerParts = "Id ID Name Created Image ImageName RestartCount State NetworkSettings Mounts Platform Driver LogPath SizeRw SizeRootFs HostConfig.NetworkMode HostConfig.RestartPolicy HostConfig.PortBindings HostConfig.Binds HostConfig.Memory " +
	"Config.Image Config.Labels Config.Healthcheck Config.ExposedPorts Config.User Config.WorkingDir Config.Hostname Config.StopSignal Pod Namespace IPAddress GlobalIPv6Address Gateway MacAddress NetworkID HostPort HostIp Source Destination Mode RW Type Status Health Log ExitCode Output"

// plainOfContainer says whether a template or a filter of jq shows only such parts of a container.
func plainOfContainer(text string) bool {
	return eachField(text, func(p string) bool {
		for p != "" && !hasWord(containerParts, p) {
			p = p[:max(0, lastByte(p, '.'))]
		}
		return p != ""
	})
}

// eachField says whether a template, a path or a filter of jq names fields, and f holds for each: .A.B
// is A.B. It is false where the text may name all of a thing: by a point with no name behind it, by
// two, by a computed part.
func eachField(text string, f func(path string) bool) bool {
	if mark.Has(text) || strings.Contains(text, "..") {
		return false
	}
	template, depth, n := strings.Contains(text, "{"), 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '{':
			depth++
		case c == '}':
			depth--
		case template && depth == 0:
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '$' && nameLen(text[i+1:]) == 0 && !strings.HasPrefix(text[i+1:], "."): // all of it
			return false
		case c == '.' || c == '@':
			p, k := fieldPath(text[i:])
			if p == "" || !f(p) {
				return false
			}
			n++
			i += k - 1
		}
	}
	return n > 0 && quote == 0
}

// fieldPath reads one path, what chooses of lists left out, which is empty where it ends in no name.
func fieldPath(s string) (p string, n int) {
	for n < len(s) {
		switch k := nameLen(s[n:]); {
		case s[n] == '[':
			end := firstByte(s[n:], ']')
			if end < 0 || strings.Trim(s[n+1:n+end], "0123456789*:-") != "" {
				return "", 0
			}
			n += end + 1
		case firstByte(".@?", s[n]) >= 0:
			n++
		case k > 0 && firstByte(".@", s[n-1]) >= 0:
			p = trimPrefix(p+"."+s[n:n+k], ".")
			n += k
		default:
			return p, n
		}
	}
	return p, n
}

// plainInspection says whether the words of jq are a filter that only chooses plain parts of containers.
func plainInspection(args []string) bool {
	filter, ok := jqFilter(args)
	if !ok {
		return false
	}
	for i := 0; i < len(filter); {
		k := nameLen(filter[i:])
		switch {
		case k == 0 && firstByte(".[]0123456789, ", filter[i]) < 0, k > 0 && filter[i] > '9' && (i == 0 || filter[i-1] != '.'):
			return false // a function may give all of it
		}
		i += max(1, k)
	}
	return plainOfContainer(filter)
}
