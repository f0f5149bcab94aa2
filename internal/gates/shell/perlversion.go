package shell

import "strings"

// perlVersion says whether the arguments of perl only print the version of a module, as people
// ask whether one is installed: -MJSON::XS -e 'print $JSON::XS::VERSION' (perlrun(1), -M; perlmod(1), $VERSION). The module is one of
// the installed, for the directory where perl runs is none of those that it looks in (perlvar(1), @INC), and it is told nothing.
func perlVersion(args []string) bool {
	if len(args) != 3 || !strings.HasPrefix(args[0], "-M") {
		return false
	}
	module := args[0][2:]
	switch args[1] {
	case "-e", "-E", "-le", "-lE":
	default:
		return false
	}
	for part := range strings.SplitSeq(module, "::") {
		if part == "" || nameLen(part) != len(part) || part[0] <= '9' {
			return false
		}
	}
	code := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(args[2]), ";"))
	verb, shown, ok := cutAt(code, " ")
	if !ok || verb != "print" && verb != "say" {
		return false
	}
	variable := "$" + module + "::VERSION"
	switch strings.TrimSpace(shown) {
	case variable, `"` + variable + `"`, `"` + variable + `\n"`, variable + `."\n"`, variable + `, "\n"`, variable + `,"\n"`, variable + ` . "\n"`:
		return true
	}
	return false
}
