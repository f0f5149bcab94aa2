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
// with the sign test; steps with words that both policies cover, named before / after;
// and what distillation from all runs gives:
//
//	                       covered      named        tasks         lasting        from all
//	tau-bench              .787 / .890  .549 / .667   4, 0 .13     56 /  56 of  79  .890 .608
//	agentdojo              .675 / .794  .649 / .721  16, 7 .09    576 / 568 of 639  .843 .783
//	examples/mini-swe      .854 / .939  .605 / .715  15, 3 .008   159 / 169 of 223  .949 .734
//	examples/langgraph     .819 / .897  .758 / .840  11, 2 .02    166 / 171 of 179  .927 .886
//	openagentsafety        .881 / .883  .703 / .721   7, 5 .8     203 / 209 of 249  .899 .755
//
// On the first four no task lost a covered step. On openagentsafety eight tasks cover
// fewer steps and five more. Nothing is taken out of the tree, but the choice at a
// place is bounded, so that what is new there may crowd out what was offered: of the
// ten steps lost, the parent offered four as successors so rare that they are left out
// of the longer list, four as common macros of the family and two as successors of the
// macro before. The scale of new words and the order of acceptance were chosen with
// tau-bench in view, that words are moved at all with agentdojo; the examples judged
// nothing before.
//
// Top-1 of all covered steps falls on agentdojo, .902 to .870: 98 steps are covered
// anew, of which 73 are named. Of the steps that both policies cover eight fewer are
// named, six of them because of new macros beside the old ones (without edits of the
// kind child two are lost, and .707 of the steps are covered). Giving new macros less
// weight, the less was heard of them, wins three back and loses ten new ones. Refusing
// what loses any step that was offered before names two steps more and takes macros
// away that more runs need than it protects; neither is done. One family of eight
// names one step less of thirty.
//
// Arms, named: without retrieval as much, without success rates (beta 0) as much or
// .004 more or less; without regression tests tau-bench .608, agentdojo .726, mini-swe
// .719, langgraph .854, openagentsafety .728. By an eighth, a quarter, half and all of
// the new tasks: tau-bench .549 .637 .667 .667, agentdojo .681 .692 .694 .721, mini-swe
// .605 .605 .635 .715, langgraph .795 .813 .808 .840, openagentsafety .700 .710 .703
// .721.
//
// # What it costs
//
// gbt evolve --timings prints each stage. 1,000 new runs of some 38 calls against a
// policy of 10,785 nodes, made of 360 such runs, take 13 s of processor time and
// 299 MB; against one made of 3,000 runs, which covers most of the new ones so that
// 195 failures are diagnosed, 26 s and 307 MB. Old runs are not read. The generator is
// that of BenchmarkEvolveLoose.
//
// # What holds
//
// TestRandomSequences applies random sequences of edits of all kinds: no recorded
// context is re-admitted, no place, step or gate is lost, and refused edits leave the
// same bytes. go test ./evolve -run RandomSequences -timeout 0 -sequences 10000 tries
// 10,000 of them, ten minutes of one processor.
//
// What belongs here: edits as values with their evidence, localisation of the step
// that failed, retrieval of analogical successes, acceptance. What never does:
// reading logs (corpora, distill), building trees from nothing
// (internal/tree/merge), running policies (traverse).
package evolve
