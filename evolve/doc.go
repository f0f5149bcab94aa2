// Package evolve is the room of what changes a policy after it was distilled:
// statistics, successors and repairs from new runs, each an Edit with its evidence,
// and their acceptance by replay (requirements S1 to S6, T5 to T8, G5).
//
// Evolve is the whole of it. It walks every new run down the sealed tree, proposes
// edits, judges each of them on runs of other tasks than those it came from, and
// applies those that were accepted and asked for. Old logs are not read: the cost
// grows with the new ones. Same policy and same runs give the same bytes, in any
// order and with any number of workers. Evaluate measures the gain on tasks left out.
//
// What belongs here: edits as values with their evidence, localisation of the step
// that failed, retrieval of analogical successes, acceptance. What never does:
// reading logs (corpora, distill), building trees from nothing
// (internal/tree/merge), running policies (traverse).
package evolve
