// Package interrupt measures what a guard costs people: it lets the guard decide
// on every call of recorded sessions, with the session's memory as a host's hook
// keeps it, and counts how often somebody would have been asked.
//
// Every question is answered as the log shows: a call that its user declined was
// declined, any other was agreed to. The guard opens nothing here: links, remotes
// and files are those that the log names.
//
// What belongs here: sessions walked, questions counted, and what one answer
// would have settled. What never does: how a call is judged (gates) and how a
// host asks (internal/hosts).
package interrupt
