// Package library holds gates that people wrote, by name and version: what no
// log had to show. A user switches them on and off by name (the key library of
// gbt.yaml). They are data, library.yaml, in the language of internal/gates/lang,
// and are shown as "library" wherever gates are shown: the label stands at the
// head of the message that is sealed, so that a policy, a difference, a page and
// a decision all carry it. "Learned" is said of what came out of logs alone; a
// library gate may be sealed with exemptions that were.
//
// What belongs here: the gates, and their labels. What never does: whatever was
// learned (internal/gates/learn), and the guardrail, which no policy can leave out
// (package gates).
package library
