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
// # Who judges
//
// Recorded successes of other tasks, replayed through the traverser, judge every edit
// of the tree, and all new successes judge gates. What passes goes before the caller's
// regression suite, and into a live environment where there is one: there a run's own
// calls are made again with the successor in force, so that it shows what a gate
// breaks, and not what an agent would do that is told something else. Both only
// refuse; edits to be refused are found by halving.
//
// # What it gives
//
// gbt eval evolve, tasks in five folds: two to distil from, two to evolve by, one to
// judge. Shares of the judged steps that the policy offers, and of those with words
// that it names, before / after; tasks with more and with fewer of their steps named,
// with the sign test:
//
//	                       covered      named        tasks      distilled from all
//	tau-bench              .787 / .890  .549 / .667   4,  0 .13   .890  .608
//	agentdojo              .675 / .795  .649 / .726  16,  7 .09   .843  .783
//	examples/mini-swe      .854 / .939  .605 / .719  15,  3 .008  .949  .734
//	examples/langgraph     .819 / .897  .758 / .840  11,  2 .02   .927  .886
//
// No task lost a covered step. The scale of new words and the order of acceptance
// were chosen with tau-bench in view, that words are moved at all with agentdojo; the
// examples judged nothing before. agentdojo is as it was before accepted edits were
// judged once more together; there one family of eleven names less, a step of thirty.
// Retrieval gives nothing on all four. Without regression tests tau-bench names .608
// and not .667; the others name as much, or up to .014 more.
//
// What belongs here: edits as values with their evidence, localisation of the step
// that failed, retrieval of analogical successes, acceptance. What never does:
// reading logs (corpora, distill), building trees from nothing
// (internal/tree/merge), running policies (traverse).
package evolve
