// Package origin says where the value of an argument came from: from the task,
// from the agent itself, or from the result of a tool, and then from which
// tool and which place in its result.
//
// An Index is the state of one episode. Task and Observe feed it in the order
// in which things happened; Find answers for one value:
//
//	origin  source       form
//	task                            the task names the value
//	task                repeated    and a text repeats it, or it is too short to tell
//	agent                           nothing seen so far holds it
//	untrusted get_mail  [].sender   the whole of a field: its path, with [] for list positions
//	untrusted get_mail  [].sender=  the same, in the record that the task selected
//	untrusted get_mail  [].body~    a part of a longer text in that field
//	untrusted get_page  ~           a part of, or the whole of, a result that is plain text
//	untrusted get_page  ~@          carries a host or an address out of text along (a URL, a message)
//	untrusted get_page  ~@/         a URL with a host out of text and a path or query of the agent's
//	untrusted get_page  ~&          carries a number, or is too short to be more than chance
//	untrusted get_mail  [].body!~   words with an address in them; [].body!~@ ones that are hardly more than it
//	untrusted get_page  ~+          put together from pieces that results hold in text
//	untrusted get_mail  [].sender+  put together from pieces of fields that are one word each
//
// A form of text ends in "?" where the task had named an argument of the call: it
// asked for this text, though not for what somebody may have put there. So does
// "repeated", where no other text repeats the value. What a record leads to that the
// task selected (the page that a colleague's message links to) it did not ask for:
// whoever writes there would choose whom the next call goes to.
//
// The task selects a record by a name in it (the invoice of Quillfolk) or by an
// argument of the call that returns it, and then also what its id leads to. A query
// selects nothing, nor does who names a page or a file, nor what all records of a
// list tell back of the call; and where several of them answer to the task's words, none
// is selected. The mark takes nothing from a value out of text.
//
// Number and Link say of an amount and of words that are sent what a gate may read
// instead of them: how the amount compares with the numbers of the task, and where
// the addresses in the words come from.
//
// What first held a value is its source; in one result, text comes before a
// field, because whoever writes the text may repeat there what a field says.
//
// What belongs here: texts that came up in a run, and how a value can be traced
// to one of them. What never does: what ran and what it changed (package
// episode), which leaves of a call are asked about (package call), and what
// follows from an origin (package gates).
//
// # What an attacker can write
//
// Results are data that somebody else may have written. A result counts as
// structured only if all of it parses (JSON, a Python literal, a block YAML
// dump), so a field that somebody forges inside a string stays inside that
// string. What stands below a key of prose (body, title, messageText) is text
// even where it is nothing but an address, unless the agent gave the call that
// very value and no result had held it before. So is an address, a link, an
// account or a number to call below a key that does not lead anywhere (nickname,
// vendor, status): it is not of the field's type, and people call themselves what
// they like. The result of a tool whose name says that it reads one document
// (get_file_contents, read_email, scrape), or that has none, is text whatever it
// looks like, and so is YAML from a tool whose name promises no records: who writes
// the document writes its fields. Letter case, white space, percent escapes, HTML
// entities, full-width forms, zero-width and other format characters, combining
// marks and punctuation between letters do not hide a value; nor do base64 and
// reversal, nor cutting it in up to four pieces. A value that only carries another
// one (a URL with a host, a text with an address in it, a list) is judged by these
// parts, and the worst of them decides. What is compared this loosely only ever
// makes a value untrusted. To be named by the task, a value must stand in it
// between word boundaries and differ in letter case and white space at most.
//
// # Bounds
//
// An Index keeps at most MaxText bytes of task and results. What exceeds them
// is dropped, and from then on a value that is found nowhere is untrusted, from
// the source "dropped": nobody can tell any more. Work is linear in the texts.
//
// An Index is a plain value for one goroutine at a time.
package origin
