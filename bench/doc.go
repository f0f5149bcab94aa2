// Package bench measures gbt's analysis, guardrail and gates beside other ways
// to decide on the same calls: a list of regular expressions over the command,
// cel-go over the same gates, and OPA's Go library over the same rules in Rego.
//
// It is a module of its own, so that nobody who uses gbt carries OPA. run.sh runs
// everything and prints the ratios; README.md has the figures.
package bench
