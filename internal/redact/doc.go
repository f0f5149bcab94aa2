// Package redact takes secrets out of what is kept or shown: the only place that
// does. It has three strengths, of which each caller has one:
//
//   - Detector.Redact takes out what is a secret by how it looks. The content
//     gate and the prompts of models use it; what it finds in a call that sends
//     stops the call.
//   - Detector.Log takes out more: what stands where a password belongs
//     (patterns.go), and with LogArgument what is named as a secret is. The
//     decision logs of all commands use it. It may hide what is none.
//   - Context replaces every value of a context by a digest. The corpora that
//     policies seal hold its output, so its bytes never change.
//
// The names of secrets are those of package internal/gates/names; a list of
// such names does not belong here. Hooks' logs hold no value and need nothing of
// this; the record of gbt run is a log to learn from, whole as those of other
// agents are.
//
// rules.json holds the rules of gitleaks 8.30.1 (MIT License), taken as data by
// update.py: 221 maintained rules, each a regular expression with keywords that
// must occur, a least entropy and lists of what is no secret. The library itself
// brings a configuration system, archive readers and a git parser; what a text
// needs of it is the hundred lines of detector.go.
//
// A Detector is immutable after New but for regular expressions it compiles when
// they are first needed; it is safe for concurrent use.
//
// What belongs here: patterns of secrets (patterns.go, rules.json), and what
// stands in their place. What never does: names of secrets
// (internal/gates/names), stopping a call (internal/gates/content), and a log's
// layout (its command).
package redact
