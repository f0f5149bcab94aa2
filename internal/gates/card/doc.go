// Package card makes one card of each gate: what it stops in a sentence, three
// calls it stopped, what it costs on calls that were fine, its rates on tasks left
// out, where it is asked and where it came from. Whoever reads a policy decides by
// these.
//
// Build makes a Card of a gate and what is known about it; Text, Markdown and HTML
// write the same card, and its fields are the JSON form. Nothing of a call's values
// stands on a card that was made of recorded contexts: these hold digests, and the
// card says only what kind of value it was. A card made with logs that a reader
// named shows their calls, with secrets taken out.
//
// Everything here is a pure function of its arguments and safe for concurrent use.
//
// What belongs here: which facts a card has, and how each is said. What never does:
// where the facts come from (package distill, cmd/gbt), and what is decided about a
// gate.
package card
