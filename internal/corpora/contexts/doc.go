// Package contexts keeps the unsafe and the benign corpus: the structured
// contexts of calls that gates are learned from and audited against
// (requirements G5, G6; 003 §B.5).
//
// A Row is one context in canonical form, named by the hash of it, with its
// label and the evidence behind it. A Corpus gathers rows: it only ever grows,
// holds each context once per label, and is sorted, so the same evidence in any
// order is the same corpus. Sample balances the benign one. Rows hold
// contexts that package internal/redact has replaced the values of; learning and
// audits see redacted contexts only.
//
// Write and Read store a corpus as Parquet; SCHEMA.md describes the file. The
// artifact pins it by the Merkle root over Leaves. A Corpus belongs to one
// goroutine while it grows.
//
// What belongs here: the row of a corpus, its labels and evidence, its file and
// its sample. What never does: how a context is made (package gates), how values
// are replaced (internal/redact), what is learned from it
// (internal/gates/learn).
package contexts
