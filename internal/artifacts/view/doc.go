// Package view draws a policy as one page for a browser: the tree by family with
// what happened at each node, the gates, and what a second policy changed.
//
// A Page becomes HTML that needs nothing else. Its policy says which script and
// which style may run, by their digests, and that nothing may be fetched. What a
// policy holds reaches the page as text alone: through html/template, or as JSON
// that the script (page.js) puts into text nodes. The tree's rows are made as they
// scroll into sight, so a page of 10,000 nodes has as many elements as one of 100.
//
// Everything here is a pure function of its arguments and safe for concurrent use.
//
// What belongs here: how a policy looks on a page. What never does: what it holds
// (package artifacts), how its parts are named and compared (package review), and
// the words of a gate's card (package card).
package view
