// Package orders reads in what a user types which sends they tell the agent to make now:
// "commit and push", "open a draft PR", "reply to the review comments". A question about
// exactly that would repeat what the user has just said.
//
// A clause is an order only if nothing but words of a list stands in it, in the places that
// a grammar gives them; a condition, another destination and everything else that the grammar
// does not have makes it none. Beside it may stand other things to do, which begin as those
// do. In a message of several sentences all others must have nothing to do with the order:
// whatever may take it back, put it off, or make it a part of something else that is told,
// makes it none. What is missed costs a question.
//
// What belongs here: reading texts. What never does: what an order settles, for how long and
// in which state of a session (packages scope and episode).
package orders
