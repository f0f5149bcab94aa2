package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// cmakePrograms are the ends of the names of CMake's variables that name a
// program it runs while it configures or builds (cmake-variables(7)).
var cmakePrograms = [...]string{
	"_COMPILER", "_COMPILER_LAUNCHER", "_LINKER_LAUNCHER", "_EXECUTABLE", "_MAKE_PROGRAM", "CMAKE_LINKER", "CMAKE_AR", "CMAKE_NM", "CMAKE_RANLIB", "CMAKE_STRIP",
	"CMAKE_OBJCOPY", "CMAKE_OBJDUMP", "_COMPILER_AR", "_COMPILER_RANLIB", "_CLANG_TIDY", "_CPPCHECK", "_CPPLINT", "_INCLUDE_WHAT_YOU_USE", "_EMULATOR",
	"RULE_LAUNCH_COMPILE", "RULE_LAUNCH_LINK", "RULE_LAUNCH_CUSTOM", "_TEST_LAUNCHER",
}

// cmakeScripts are the ends of those that name a file of CMake code, or a
// directory with some.
var cmakeScripts = [...]string{"_TOOLCHAIN_FILE", "_PROJECT_INCLUDE", "_PROJECT_INCLUDE_BEFORE", "_TOP_LEVEL_INCLUDES", "_MODULE_PATH", "_INITIAL_CACHE", "_USER_MAKE_RULES_OVERRIDE"}

// cmakeOutputs are the ends of those that name a directory in which a build puts what it makes.
var cmakeOutputs = [...]string{"_OUTPUT_DIRECTORY", "_OUTPUT_PATH"}

// cmakeSetting judges an option that sets a variable of CMake's.
func (r *toolRun) cmakeSetting(name, value string) {
	if _, rhs, _ := cutAt(value, "="); namesShell(rhs) {
		r.m.escape(r.t.name + " " + name + " " + value)
		return
	}
	r.m.cmakeSetting(value)
	r.computedSetting(value)
}

// cmakeSetting judges NAME:TYPE=VALUE.
func (m *machine) cmakeSetting(setting string) {
	key, value, _ := cutAt(setting, "=")
	key, _, _ = cutAt(key, ":")
	if value == "" {
		return
	}
	if endsIn(key, cmakePrograms[:]) {
		m.programVar(key, value)
	}
	if strings.Contains(key, "_FLAGS") && loadsCode(value) {
		m.escape(setting)
	}
	if endsIn(key, cmakeOutputs[:]) && reachesOut(value) {
		m.write(value, effect.OpCreate)
	}
	if endsIn(key, cmakeScripts[:]) {
		for _, file := range strings.Split(value, ";") {
			if file != "" && file[0] != mark.Caller {
				m.settings(file)
			}
		}
	}
}

func endsIn(s string, ends []string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// setupArgs judges what setup.py of setuptools and distutils is told: places it
// installs to that are not those of its interpreter, and its commands that publish.
func (m *machine) setupArgs(args []string) {
	for i, a := range args {
		name, value, has := cutAt(a, "=")
		switch name {
		case "--prefix", "--exec-prefix", "--root", "--home", "--install-base", "--install-lib", "--install-scripts", "--install-data", "--install-purelib", "--install-platlib", "--install-headers", "--install-dir":
			if !has && i+1 < len(args) {
				value = args[i+1]
			}
			if value != "" {
				m.write(value, effect.OpCreate)
			}
		case "--compiler":
			m.programVar(name, value)
		case "upload", "register", "upload_docs":
			m.escape("setup.py " + a)
		}
	}
}

// sbtCommand judges one word of sbt, a line of its commands: eval and the
// console run Scala, ! a command, and new and init bring in a template (sbt
// reference, command line and sbt new).
func (m *machine) sbtCommand(word string) {
	for _, c := range strings.Split(word, ";") {
		c = strings.TrimLeft(c, " ~+")
		name, rest, _ := cutAt(c, " ")
		switch {
		case strings.HasPrefix(name, "@"): // the launcher's own settings
			m.settings(name[1:])
		case name == "eval", strings.HasPrefix(name, "!"), name == "new", name == "init", // those fetch a template and what makes a project of it
			(name == "set" || name == "apply") && (strings.Contains(rest, "sys.process") || strings.Contains(rest, "Process(") || strings.Contains(rest, "\".!") || strings.Contains(rest, "Runtime")):
			m.escape("sbt " + c)
		}
	}
}
