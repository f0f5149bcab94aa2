package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges variables whose value is a line of options: those pass of which each word
// is an option that says how much is done, shown or used. What names a file, a program, an
// agent or code is in no list. Opened: make(1) and "Options Summary" of GNU make 4.4; go help
// build, go help testflag of Go 1.26; java(1) of JDK 21; Maven's and Gradle's "Build Environment";
// python3(1), -W; less(1); grep(1); unzip(1) and zip(1).

// optionLine says whether a value of one of these variables is such a line.
func optionLine(name, value string) bool {
	if mark.Has(value) || strings.ContainsAny(value, "`$\"'\\") {
		return false
	}
	words := strings.Fields(value)
	var plain func(w string) bool
	switch name {
	case "MAKEFLAGS":
		plain = makeFlag
	case "GOFLAGS":
		plain = goFlag
	case "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "SBT_OPTS", "_JAVA_OPTIONS":
		plain = javaFlag
	case "LESS":
		plain = func(w string) bool { return letters(w, "aCcEeFGgiIJKMmNnqQRSsWwX") }
	case "GREP_OPTIONS":
		plain = func(w string) bool {
			return strings.HasPrefix(w, "--color") || w[0] == '-' && letters(w, "EFGHinowx")
		}
	case "UNZIP", "ZIPOPT":
		plain = func(w string) bool { return letters(w, "q") }
	case "PYTHONWARNINGS":
		return warningFilters(value)
	default:
		return false
	}
	for _, w := range words {
		if !plain(w) {
			return false
		}
	}
	return true
}

// letters says whether a word is short options of some letters, with or without a dash.
func letters(w, of string) bool {
	return strings.Trim(trimPrefix(w, "-"), of) == ""
}

// makeFlag: jobs, load, silence, going on and printing. MAKEFLAGS itself has letters without a dash.
func makeFlag(w string) bool {
	name, value, _ := cutAt(w, "=")
	switch name {
	case "--jobs", "--load-average", "--max-load", "--output-sync":
		return oneWord(value)
	case "--always-make", "--keep-going", "--no-builtin-rules", "--no-builtin-variables", "--no-keep-going", "--no-print-directory", "--no-silent", "--print-directory", "--quiet", "--silent", "--trace", "--warn-undefined-variables", "--":
		return name == w
	}
	w = strings.TrimRight(w, "0123456789.")
	return strings.Trim(trimPrefix(w, "-"), "BikjlnrRsSw") == "" && (w == "" || strings.Trim(w, "-") != "")
}

// goFlags are flags of go build and go test that say what is built and tested, and how much of
// it at once. Sorted.
const goFlags = "asan bench benchmem benchtime buildvcs count cover covermode cpu failfast json linkshared mod modcacherw msan n p parallel race run short shuffle skip tags timeout trimpath v " +
	"vet work x"

// goFlag: of -mod only what changes no file (go help modules).
func goFlag(w string) bool {
	if w[0] != '-' {
		return false
	}
	name, value, _ := cutAt(trimPrefix(w[1:], "-"), "=")
	return mark.Among(goFlags, name) && (name != "mod" || value == "vendor" || value == "readonly") &&
		strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,.^|()[]*+") == ""
}

// javaProperties are properties of the JVM, of Maven and of Gradle that name no file and no
// code. Sorted.
const javaProperties = "file.encoding java.awt.headless java.net.preferIPv4Stack java.net.preferIPv6Addresses maven.test.skip org.gradle.caching org.gradle.daemon org.gradle.parallel " +
	"org.gradle.workers.max skipTests stderr.encoding stdout.encoding style.color sun.jnu.encoding sun.stderr.encoding sun.stdout.encoding user.country user.language user.timezone"

// javaAmounts end the names of the JVM's numbers: a file may be called as a number, too.
var javaAmounts = [...]string{"Count", "Delay", "Depth", "Fraction", "Frequency", "Interval", "Level", "Limit", "Millis", "Occupancy", "PerMB", "Percent", "Percentage", "Rate", "Ratio", "Size", "Threads", "Threshold"}

// javaFlag: memory, assertions, switches and numbers of the JVM, and properties of the list.
func javaFlag(w string) bool {
	rest, ok := cutPrefix(w, "-")
	if !ok {
		return false
	}
	switch {
	case isAmong([]string{"ea", "esa", "da", "dsa", "server", "client", "showversion", "-enable-preview"}, rest):
		return true
	case strings.HasPrefix(rest, "Xmx"), strings.HasPrefix(rest, "Xms"), strings.HasPrefix(rest, "Xmn"), strings.HasPrefix(rest, "Xss"):
		return size(rest[3:])
	case strings.HasPrefix(rest, "XX:+"), strings.HasPrefix(rest, "XX:-"):
		return oneWord(rest[4:])
	case strings.HasPrefix(rest, "XX:"):
		name, value, _ := cutAt(rest[3:], "=")
		return oneWord(name) && size(value) && slices.ContainsFunc(javaAmounts[:], func(end string) bool { return strings.HasSuffix(name, end) })
	case strings.HasPrefix(rest, "-add-opens="), strings.HasPrefix(rest, "-add-exports="):
		return strings.HasSuffix(rest, "=ALL-UNNAMED") && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzALUNMED._/=-") == ""
	case strings.HasPrefix(rest, "D"):
		name, value, _ := cutAt(rest[1:], "=")
		return mark.Among(javaProperties, name) && strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/+") == ""
	}
	return false
}

// size says whether a text is a number with a unit of the JVM.
func size(s string) bool {
	digits := strings.TrimRight(s, "kKmMgGtT")
	return digits != "" && len(s)-len(digits) <= 1 && strings.Trim(digits, "0123456789.") == ""
}

// warningFilters says whether a value is filters of Python's warnings: action:message:category:
// module:line. A category with a dot is imported.
func warningFilters(value string) bool {
	for _, filter := range strings.Split(value, ",") {
		parts := strings.Split(strings.TrimSpace(filter), ":")
		if len(parts) > 5 || !isAmong([]string{"", "all", "always", "default", "error", "ignore", "module", "once"}, parts[0]) || len(parts) > 2 && !oneWord(parts[2]) {
			return false
		}
	}
	return true
}

// oneWord says whether a text is letters, digits, dots left out, and dashes.
func oneWord(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}
