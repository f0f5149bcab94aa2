// Package parquet stores episodes in Parquet files, and reads the rows of any
// other Parquet file as JSON.
//
// A Writer takes episodes one by one and writes row groups of bounded size, so
// its memory does not grow with their number. Episodes reads such a file back:
// what was written and what is read are equal. SCHEMA.md describes the file for
// other programs; the schema's version stands in the file's metadata, files of
// a later version are refused, and a column that a file lacks reads as unknown.
//
// Rows is for the exports of others: every row becomes one JSON object, which
// the log readers classify like any other record.
//
// The same episodes in the same order give the same bytes. No type of arrow-go
// appears in this package's signatures, so that nothing else depends on it.
// arrow-go panics on some damaged files; here that is an error. Text is UTF-8;
// a string that is not is read back as base64.
//
// A Writer belongs to one goroutine. The readers may be used side by side.
//
// What belongs here: the columns of the schema, and how values of Arrow become
// Go's. What never does: what a row of somebody else's means
// (internal/corpora/logs), and the corpus of contexts, which has a schema of its
// own (internal/corpora/contexts).
package parquet
