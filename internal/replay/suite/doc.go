// Package suite keeps regression suites: cases that a policy must go on deciding
// as it does, as files in a repository that a person reads and git compares. A
// Case is the call that ends a minimal unsafe window, a benign call that is next
// to one, or a path of the tree. Cases makes them of a policy and its corpora,
// Write adds them to a folder, Read reads a folder or a file one case at a time,
// and a Runner asks a policy about them, by the checker that sessions ask.
// SCHEMA.md describes the files.
//
// A suite only grows: Write keeps every case that is there with what it expects,
// but for an unsafe one, which may become stricter. A line that cannot be read
// costs itself. Same cases, same bytes.
//
// A Runner is immutable after NewRunner and safe for concurrent use.
//
// What belongs here: cases, their files, what a policy makes of them, and the
// report that test runners read. What never does: the rows of the corpora
// (internal/corpora/contexts), the audit of one policy against another
// (internal/gates/learn), and printing for people (cmd/gbt).
package suite
