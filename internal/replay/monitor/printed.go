package monitor

import "regexp"

// What test runners, builders and linters print when something failed, and when
// all went well, one line each: go test, pytest, unittest, cargo, jest, mocha,
// Maven, Gradle, GNU make, npm, eslint and golangci-lint, by their manuals; and
// "file:line:column: message", the form of compilers' and linters' messages (GNU
// Coding Standards, "Formatting Error Messages").
var (
	printedFailure = regexp.MustCompile(`(?m)^\s*(--- FAIL|FAIL\b|FAILED\b|BUILD FAIL|\[ERROR\]|test result: FAILED|error(\[E\d+\])?: |make(\[\d+\])?: \*\*\*|npm ERR!|npm error|panic: )|` +
		`^[^\s:]+\.\w+:\d+:\d+: |\bexit status [1-9]|\berror TS\d+|\b[1-9]\d* (failed|failing|failures?|errors?|problems|issues)\b`)
	printedSuccess = regexp.MustCompile(`(?m)^ok\s+\S+|^PASS$|^OK\b|test result: ok|\b[1-9]\d* (passed|passing|pass)\b|BUILD SUCCESS|^0 issues|^DONE \d+ tests`)
)

// printed reads what a command said of itself, for where its exit status is not
// known: behind a pipe, for example. One failure among successes is a failure.
func printed(text string) ending {
	switch {
	case printedFailure.MatchString(text):
		return endedBad
	case printedSuccess.MatchString(text):
		return endedWell
	}
	return endedUnknown
}
