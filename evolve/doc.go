// Package evolve is the room of what changes a policy after it was distilled:
// repairs from failed covered episodes and their acceptance by replay (requirements
// S1 to S6).
//
// Nothing is built yet: the room stands so that its place in the order of imports
// is held by the test of the import table, and nothing moves when it is filled. It
// may use replay, distill and what those may use; nothing but the command line may
// use it.
//
// What belongs here: edits as values with their evidence, localisation of the step
// that failed, retrieval of analogical successes, acceptance. What never does:
// reading logs (corpora), building trees (distill and internal/tree/merge), running
// policies (traverse).
package evolve
