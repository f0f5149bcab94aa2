// Package settings puts gbt's hook into a host's settings and takes it out
// again.
//
// For names the files of a host and what belongs into them; a File edits the
// text of one. Edits are made in the text itself: what is not ours keeps its
// bytes, its order and its comments, installing twice changes nothing, and
// removing what was installed gives back the bytes that were there before.
// Text that does not parse is never edited.
//
// Find reads the installed hook back out of a file, for gbt doctor.
//
// The package reads and writes no files. It is safe for concurrent use.
//
// What belongs here: edits of JSON with comments and of whole files, and finding
// them again. What never does: what one host's settings look like (a value of
// package hosts), and reading or writing the disk (cmd/gbt).
package settings
