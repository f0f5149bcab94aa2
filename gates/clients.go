package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about the settings by which clients of registries and of the web find
// where they connect to, and what they start.

// clientFiles are the files of settings that a client reads, by its name (the manuals of
// npm, Yarn, pnpm, Bun, pip, uv, RubyGems, Bundler, conda, NuGet, Cargo, Maven, curl and
// wget on their configuration). One that is known in a directory of its own is written
// with it.
var clientFiles = map[string][]string{
	"bun": {".npmrc", "bunfig.toml"}, "bundle": {".bundle/config", ".gemrc"}, "bunx": {".npmrc", "bunfig.toml"}, "cargo": {".cargo/config.toml", ".cargo/config"},
	"conda": {".condarc"}, "curl": {".curlrc"}, "dotnet": {"nuget.config"}, "gem": {".gemrc"}, "mamba": {".condarc"}, "mvn": {".m2/settings.xml", ".mvn/maven.config"},
	"npm": {".npmrc"}, "npx": {".npmrc"}, "nuget": {"nuget.config"}, "pip": {"pip.conf", "pip.ini"}, "pip3": {"pip.conf", "pip.ini"}, "pipx": {"pip.conf"},
	"pnpm": {".npmrc"}, "pnpx": {".npmrc"}, "poetry": {"pypoetry/config.toml", "poetry.toml"}, "uv": {"uv.toml", "pip.conf"}, "uvx": {"uv.toml"}, "wget": {".wgetrc"},
	"yarn": {".yarnrc.yml", ".yarnrc", ".npmrc"},
}

// clientsOf are the clients that read a file, sorted.
func clientsOf(file, dir string) []string {
	var out []string
	if at, base, ok := cutAt(file, "/"); ok {
		dir, file = at, base
	}
	file = strings.ToLower(file)
	for name, files := range clientFiles {
		if isAmong(files, file) || isAmong(files, dir+"/"+file) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// configures says whether the words of a client change its settings.
func configures(words []string) bool {
	if len(words) < 2 {
		return false
	}
	switch words[0] {
	case "config", "set":
		return words[1] != "get" && words[1] != "list" && words[1] != "ls" && words[1] != "debug" && words[1] != "--list"
	case "sources":
		return true
	case "nuget": // the others send, delete or look at packages (dotnet nuget --help)
		return !isAmong([]string{"delete", "list", "locals", "push", "verify", "why"}, words[1])
	}
	return false
}

// lastSetting is the setting that the words of a client change, as a line of a file.
func lastSetting(words []string) string {
	last := words[len(words)-1]
	if len(words) < 2 || strings.Contains(last, "=") {
		return last
	}
	return words[len(words)-2] + "=" + last
}

// tameWrite says whether a write of settings says no more than yes, no and numbers.
func (c *Context) tameWrite(e *Effect) bool {
	if e.Kind != effect.Write || e.Op != effect.OpCreate && e.Op != effect.OpModify {
		return false
	}
	return slices.ContainsFunc(c.written, func(w effect.Written) bool {
		return w.Path == e.Resource && w.Known && !w.Net && tameSettings(w.Text)
	})
}

// guardKeys are parts of the names of settings that switch a check off.
var guardKeys = [...]string{"ssl", "tls", "verify", "trust", "insecure", "cert", "proxy", "registry", "index"}

// tameSettings says whether every setting of a text is a number, yes or no.
func tameSettings(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line[0] == '[' {
			continue
		}
		key, value := "", line
		if i := strings.IndexAny(line, "=:"); i >= 0 {
			key, value = line[:i], strings.Trim(line[i+1:], " \t\"'")
		}
		if !plainSetting(value) || slices.ContainsFunc(guardKeys[:], func(k string) bool { return strings.Contains(strings.ToLower(key), k) }) {
			return false
		}
	}
	return true
}

func plainSetting(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "none", "auto", "null", "":
		return true
	}
	return strings.Trim(value, "0123456789._^~<>=") == ""
}
