// Package artifacts is the sealed form of a policy: one file with the tree, its
// settings, the gates, the governance pack and their provenance, and a
// signature over exactly those bytes.
//
// FORMAT.md in this directory is the contract; the code follows it. Encode
// writes an unsigned file, Sign adds a signature, and Open verifies the
// signature, the format and the invariants in one call that has no way to skip
// a step. Package internal/artifacts/review turns a policy into text that a person and
// git can compare.
//
// A policy has exactly one encoding: whatever Open accepts, Encode gives back
// byte for byte, and everything else is refused. Versions and fields that are
// not known are refused too; Version and OldestVersion say which are.
//
// Functions are pure and may be called at the same time. An opened Policy may
// be shared as long as nobody writes to it.
//
// What belongs here: the fields of a policy in one table (schema_*.go), their
// bytes and limits, signatures, and the checker that a file's rules make. What
// never does: files and clocks (the caller has them), how a policy is shown or
// compared (internal/artifacts/review), what a setting comes from (package
// distill) and what obeys it (gates, traverse).
package artifacts
