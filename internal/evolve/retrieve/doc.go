// Package retrieve finds what is like something else: the successful paths that are
// analogous to a failed run (003 §F.2, requirement S3), and the parts of a policy
// that a person looks for.
//
// [New] indexes documents in memory; [Index.Near] ranks them by up to three lists
// (words, names and embeddings) and fuses these by their ranks. [Leaves] makes the
// documents of a sealed tree's success leaves, [OfPath] those of any path.
//
// The answer depends on the documents and the query alone: scores are rounded, ties
// go to the lesser id. It is the one package that knows the library that searches
// (bleve). An Index may be asked by several goroutines.
//
// What belongs here: indexing and ranking. What never does: what is done with what
// was found (evolve, cmd/gbt), reading logs or policies.
package retrieve
