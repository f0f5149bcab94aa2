// Package place says where the harm of an unsafe episode is: at which call, in
// which window, and on what basis; or why no call can be named, by one of a short
// list of reasons. Every unsafe episode ends as one or the other.
//
// A Finder takes in the episodes of a set of logs with what replaying them found;
// Places says it of each, when all are in, because some bases compare runs.
//
// What belongs here: the bases that point at a call of an episode which somebody
// else called unsafe, and how often they agree. What never does: whether an
// episode is unsafe, which logs and monitors say (requirement L1: no text is ever
// judged); what is learned from a call (internal/gates/learn), to which only the
// bases of package replay are evidence.
package place
