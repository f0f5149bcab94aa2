package shell

import (
	"github.com/gbt-policy/gbt/gates/effect"
)

// stagedInstall runs an installation of the workspace's own build into a directory that
// the line names: cmake --install DIR --prefix P (cmake(1), Install a Project) and meson
// install --destdir P (meson(1), The install command). Without that directory it goes
// where the project was told to install when it was configured: false, and asks.
func (m *machine) stagedInstall(name string, args []string) bool {
	into, dir := "", ""
	takes := map[string]*string{"--config": nil, "--component": nil, "--install": &dir, "--prefix": &into, "-j": nil, "--parallel": nil}
	flags := []string{"--strip", "--verbose", "-v"}
	if name == "meson" {
		if args = args[1:]; len(args) == 0 {
			return false
		}
		takes = map[string]*string{"-C": &dir, "--destdir": &into, "--tags": nil}
		flags = []string{"--no-rebuild", "--only-changed", "--quiet", "--skip-subprojects"}
	}
	for i := 0; i < len(args); i++ {
		key, value, has := cutAt(args[i], "=")
		to, ok := takes[key]
		switch {
		case searchNames(flags, args[i]):
			continue
		case !ok:
			return false
		case !has:
			if i++; i == len(args) {
				return false
			}
			value = args[i]
		}
		if to != nil {
			*to = value
		}
	}
	if into == "" || dir == "" && name == "cmake" {
		return false
	}
	if dir == "" {
		dir = "."
	}
	m.build()
	m.settings(dir)
	m.write(into, effect.OpCreate)
	return true
}
