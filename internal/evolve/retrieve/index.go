package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en" // the analyser that textAnalyser names
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/gbt-policy/gbt/tree"
)

// Limit is how many documents a repair looks at: R of 003 §F.2.
const Limit = 50

// rankConstant is k of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009,
// "Reciprocal rank fusion outperforms Condorcet and individual rank learning
// methods", SIGIR): a document's score is the sum of 1/(k+rank) over the lists that
// have it.
const rankConstant = 60

// Document is one thing to find.
type Document struct {
	ID    string     // unique, and breaks ties
	Text  string     // what it is, in words
	Names []string   // names that stand for themselves: tools, keys, fields
	Vecs  []tree.Vec // embeddings; the closest counts
}

// Query asks for documents. What is empty adds no list.
type Query struct {
	Text  string
	Names []string
	Vec   tree.Vec
}

// Hit is a document that was found.
type Hit struct {
	Doc   int // index of the document
	Score int // millionths of the fused score: to compare within one answer
	// The ranks in the lists, from 1; 0 where a list does not have it.
	ByWords, ByNames, ByMeaning int
}

// Index is a set of documents made ready for search.
type Index struct {
	docs []Document
	at   map[string]int // document by id
	text bleve.Index
}

// batch is how many documents enter the index at once: a segment each, few enough
// to keep memory flat and enough to keep segments few.
const batch = 2000

// New indexes documents. Their ids must differ.
func New(docs []Document) (*Index, error) {
	m, err := fields()
	if err != nil {
		return nil, err
	}
	// In memory, as no path is given. NewMemOnly takes an older kind of index, which
	// needs 50 s for 10,000 documents.
	text, err := bleve.NewUsing("", m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return nil, fmt.Errorf("text index: %w", err)
	}
	x := &Index{docs: docs, at: make(map[string]int, len(docs)), text: text}
	for from := 0; from < len(docs); from += batch {
		if err := x.add(from, min(from+batch, len(docs))); err != nil {
			text.Close() // the error that matters is the first
			return nil, err
		}
	}
	return x, nil
}

// Close frees the index.
func (x *Index) Close() error { return x.text.Close() }

func (x *Index) add(from, to int) error {
	b := x.text.NewBatch()
	for i := from; i < to; i++ {
		d := &x.docs[i]
		if _, twice := x.at[d.ID]; twice {
			return fmt.Errorf("two documents have the id %s", strconv.Quote(d.ID))
		}
		x.at[d.ID] = i
		if err := b.Index(d.ID, map[string]any{textField: d.Text, namesField: splitNames(d.Names)}); err != nil {
			return fmt.Errorf("document %s: %w", strconv.Quote(d.ID), err)
		}
	}
	return x.text.Batch(b)
}

// The fields of the index.
const (
	textField  = "text"
	namesField = "names"
	// textAnalyser cuts at what is no letter or digit, drops stop words and stems:
	// "editing files" finds "edit a file".
	textAnalyser = "en"
)

func fields() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	doc := bleve.NewDocumentStaticMapping()
	for _, name := range []string{textField, namesField} {
		f := bleve.NewTextFieldMapping()
		f.Analyzer, f.Store, f.IncludeInAll, f.IncludeTermVectors, f.DocValues = textAnalyser, false, false, false, false
		doc.AddFieldMappingsAt(name, f)
	}
	doc.AddSubDocumentMapping("_all", bleve.NewDocumentDisabledMapping()) // nobody asks for it
	m.DefaultMapping = doc
	return m, m.Validate()
}

// Near returns the documents that fit the query best, at most limit.
func (x *Index) Near(q Query, limit int) ([]Hit, error) {
	hits := map[int]*Hit{}
	hit := func(doc int) *Hit {
		if hits[doc] == nil {
			hits[doc] = &Hit{Doc: doc}
		}
		return hits[doc]
	}
	depth := max(2*limit, Limit)
	words, err := x.byText(textField, q.Text, depth)
	if err != nil {
		return nil, err
	}
	names, err := x.byText(namesField, splitNames(q.Names), depth)
	if err != nil {
		return nil, err
	}
	for i, doc := range words {
		hit(doc).ByWords = i + 1
	}
	for i, doc := range names {
		hit(doc).ByNames = i + 1
	}
	for i, doc := range x.byMeaning(q.Vec, depth) {
		hit(doc).ByMeaning = i + 1
	}
	return x.best(hits, limit), nil
}

func (x *Index) best(hits map[int]*Hit, limit int) []Hit {
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		for _, rank := range []int{h.ByWords, h.ByNames, h.ByMeaning} {
			if rank > 0 {
				h.Score += 1_000_000 / (rankConstant + rank)
			}
		}
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(x.docs[a.Doc].ID, x.docs[b.Doc].ID))
	})
	return out[:min(limit, len(out))]
}

// scored is a document of one list.
type scored struct {
	doc   int
	score int64
}

func (x *Index) ranked(list []scored, limit int) []int {
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(x.docs[a.doc].ID, x.docs[b.doc].ID))
	})
	out := make([]int, min(limit, len(list)))
	for i := range out {
		out[i] = list[i].doc
	}
	return out
}

// byText ranks by the words of one field. Scores are rounded before they are
// compared: sums of floats differ in their last bits between processors.
func (x *Index) byText(field, words string, limit int) ([]int, error) {
	if words == "" {
		return nil, nil
	}
	m := query.NewMatchQuery(distinct(words))
	m.SetField(field)
	req := bleve.NewSearchRequestOptions(m, limit, 0, false)
	req.SortBy([]string{"-_score", "_id"})
	res, err := x.text.Search(req)
	if err != nil {
		return nil, fmt.Errorf("search for %s: %w", strconv.Quote(words), err)
	}
	list := make([]scored, len(res.Hits))
	for i, h := range res.Hits {
		list[i] = scored{x.at[h.ID], int64(math.Round(h.Score * 1e6))}
	}
	return x.ranked(list, limit), nil
}

// byMeaning ranks by the cosine to the closest embedding. A scan is exact, and
// fast enough for the trees that fit into a policy (BenchmarkIndex).
func (x *Index) byMeaning(v tree.Vec, limit int) []int {
	if len(v) == 0 {
		return nil
	}
	var list []scored
	for i := range x.docs {
		best := int64(0)
		for _, w := range x.docs[i].Vecs {
			best = max(best, int64(math.Round(tree.Cos(v, w)*1e6)))
		}
		if best > 0 {
			list = append(list, scored{i, best})
		}
	}
	return x.ranked(list, limit)
}
