// Package text turns texts into vectors without a model: the vectors of a
// text's tokens come from a small static table that ships inside the program,
// and a block of hashed word features beside them keeps the exact words.
//
// [Default] gives the table that comes with the package, [Open] reads another
// one. [Table.Vec] embeds a text as signed bytes, [Cos] compares two.
//
// The same table gives the same bytes for the same text on every processor and
// with every release of Go: sums are whole numbers, every other step rounds
// once, and what Unicode says about letters is in the table itself. A table is
// named by the SHA-256 of its file ([Table.Digest]); a policy stores that
// digest, because its thresholds mean nothing under another table. FORMAT.md
// describes the file. Tables of other versions are refused.
//
// Only the end of a text counts: its last [MaxText] bytes, and of those the
// last words of the table's window (256 in the shipped one), the last of all
// most. Cost grows with the length of the text up to MaxText and is flat from
// there. QUALITY.md says how good the vectors are, and how fast.
//
// A Table may be shared by goroutines; a Scratch belongs to one.
//
// What belongs here: the table and its file, vectors, and how alike they are.
// What never does: which texts are compared and from where they count as alike
// (packages tree and merge), downloads, models that have to run.
package text
