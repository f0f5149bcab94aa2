// Package orders reads in what a user types which sends they tell the agent to make now:
// "commit and push", "open a draft PR", "reply to the review comments". A question about
// exactly that would repeat what the user has just said.
//
// A sentence is an order only if nothing but words of a list stands in it, in the places
// that a grammar gives them. A condition, a negation, another destination, a quotation and
// everything else that the grammar does not have makes it none, and the question is asked
// as before. So what is missed costs a question, and there is no list of words that are
// looked for to find out what somebody did not mean.
//
// What belongs here: reading texts. What an order settles, for how long and in which state
// of a session, stands in packages scope and episode.
package orders
