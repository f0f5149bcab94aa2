// Package logs reads agent logs of many layouts into canonical episodes.
//
// Open names the input (files, directories, globs, "-" for standard input;
// plain, gzip, zstd or zip). Input.Units walks it lazily, and Unit.Records
// reads one unit as a stream of records, each exactly one of an episode, a
// skip with its reason, or a problem with its place. Map runs the units on
// several workers and still yields in unit order, so that the same input gives
// the same output with any number of workers.
//
// What belongs here: one file for each layout, and what all share: finding it,
// cutting documents, gathering runs, reporting trouble. What never does: fields
// that only one layout has (package corpora has none), what a call does
// (gates/call), which episodes are good to learn from (package distill).
//
// # How a layout is found
//
// By content, never by name. The physical shape comes first (JSON Lines, one
// JSON document, a zip, Parquet, text), then every record is classified by its
// keys on its own, so files that mix layouts are read too. Layouts that spread
// a run over many lines or elements (sessions, events, chat messages, spans)
// are gathered until the unit ends. A name matters in two places only: labels
// that live in neighbouring files are looked for by name, bare or with .gz or
// .zst behind it, and content that nobody knows is a problem when its name says
// it should be a log, and a skip otherwise.
//
// # What the program wrote itself
//
// Policies, reports and corpora of contexts are skipped. Episodes that gbt import wrote
// are read like any log, unless the log that they came from, by the path they
// name, is read in the same run: then each is a skip, so that a file of episodes
// may lie beside its sources. Two files of episodes of one log that is not there
// both count.
//
// # What is kept and what is not
//
// Layouts says for each layout which canonical fields it can fill. A field
// that a log does not hold stays zero: nothing is guessed, with three marked
// exceptions. A task without an id of its own is named by a hash of its text;
// a run without an id by its names and a hash of its content and of its place,
// so that a copy of the same file gives the same ids; and a delta is marked
// Observed only where the log shows the change itself.
//
// Arguments are the text of one JSON object in compact form, keys in the
// order of the log. Arguments that are a JSON string holding an object are
// unwrapped; anything that is not an object stands under the key "input".
// Strings of an episode are its own memory, never slices of the read buffer.
//
// # Trouble
//
// Unreadable input is data: a problem with file, line or index, a stable code
// (see Codes) and a sentence. It costs the record it names, and text behind a
// record on its line costs nothing but is reported. Lines that are no JSON do
// not make another kind of file of one that holds records. In a document, the
// line and byte of a fault are those of the fault itself. A document that is
// cut in the middle still gives the records, or the events of the record,
// before the cut; an episode that was cut carries no outcome and no verdicts,
// because labels speak of the whole run.
//
// What agents' programs write beyond RFC 8259 is taken, in records of any size:
// NaN and inf as numbers, which are no judgement and become text in arguments;
// control characters in strings; and escapes that mean nothing, a lone surrogate
// among them, which stay in the text as they are written. Of the keys that an
// object repeats, arguments keep the last, which is what the tool was given; what
// stands around them is read from the first.
//
// # Speed
//
// Records are parsed with fastjson into reused memory, and only what an
// episode keeps is copied. Documents larger than Options.WholeLimit are cut
// into elements, or into members by key, by a scan for quotes and brackets that
// judges nothing, and parsed one by one: so neither the size of a document nor
// one bad element in it matters to the rest, which a validating token reader
// cannot offer. jsontext says where exactly text stops being JSON, once it is
// known that it does. Both ways give the same records; tests compare them.
//
// An Input and its Units may be used from several goroutines; one record
// stream belongs to one goroutine.
package logs
