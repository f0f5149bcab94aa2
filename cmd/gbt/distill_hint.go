package main

import (
	"fmt"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/distill"
)

// maxShownProblems is how many located problems go to standard error before
// the rest is only counted.
const maxShownProblems = 10

// printProblems lists what could not be read, with places, on standard error.
func printProblems(e *env, problems []corpora.Problem) {
	for i, p := range problems {
		if i == maxShownProblems {
			fmt.Fprintf(e.stderr, "gbt: ... and %d more; gbt import --check --json lists them\n", len(problems)-i)
			return
		}
		fmt.Fprintf(e.stderr, "gbt: %s: %s (%s)\n", p.Origin, p.Sentence, p.Code)
	}
}

// whyNothing and hintNothing explain a run that found no success.
func whyNothing(c *distill.Counts) string {
	if c.Episodes == 0 {
		return "found no episode in these logs"
	}
	if n := c.Uses["no-family"]; n > 0 {
		return fmt.Sprintf("no episode belongs to a family of the configuration: its groups match none of the %d that could be learned from", n)
	}
	return fmt.Sprintf("none of the %d episodes is a success to learn from (%d failed, %d unsafe, %d not judged, %d without calls)",
		c.Episodes, c.Uses["failure"], c.Uses["unsafe"], c.Uses["unlabelled"], c.Uses["no-calls"])
}

func hintNothing(c *distill.Counts) string {
	switch {
	case c.Episodes == 0:
		return "gbt import --check says what each file holds"
	case c.Uses["no-family"] > 0:
		return "gbt inspect names the group of each, families.groups in gbt.yaml takes globs of them"
	case c.Uses["unlabelled"] > 0:
		return "outcomes in gbt.yaml labels them by rules on facts (outcomes: coding for sessions of coding agents); if you trust the unjudged ones, set labels.unlabelled_is_success"
	}
	return "gbt inspect shows how each ended"
}
