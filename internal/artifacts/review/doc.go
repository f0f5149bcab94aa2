// Package review shows a policy to people: as canonical text that git can
// compare line by line, as one JSON object, and as a structural comparison of
// two policies in the terms a reviewer thinks in.
//
// New turns a policy into a Document, whose Text is described in
// artifacts/TEXT.md and whose fields are the JSON form. Compare turns two
// policies into Changes, whose findings name one of Rules each; Weigh adds what the
// two do to recorded calls, and Summary is the first screen of it.
//
// Ids of states and nodes come from what they are (family, key, path) and not
// from where they stand in a file, so that adding one does not rename the others.
// Everything here is a pure function of its arguments and safe for concurrent use.
//
// What belongs here: how each part of a policy is shown and named, and which
// changes let more calls pass. What never does: what a policy may hold and how
// it is encoded (package artifacts), and what a command prints around it
// (cmd/gbt).
package review
