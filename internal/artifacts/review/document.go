package review

import (
	"encoding/json"
	"strconv"

	"github.com/gbt-policy/gbt/tree"
)

// Options choose what a Document holds. The zero value is everything but the
// statistics.
type Options struct {
	Family string // this family alone
	Stats  bool   // counts, clusters and digests of vectors too
}

// Document is a policy in the terms of a reader: names in the place of indices,
// decimal numbers in the place of thousandths.
type Document struct {
	Name       string           `json:"name"`
	Sequence   uint64           `json:"sequence"`
	Parent     string           `json:"parent,omitempty"`
	Digest     string           `json:"digest"`
	Signed     bool             `json:"signed"` // verified with a trusted key
	Signature  string           `json:"signature"`
	Profile    string           `json:"profile"`
	LogText    bool             `json:"log_text"` // texts of the logs stand in it
	Settings   []Setting        `json:"settings"`
	Encoder    Fields           `json:"encoder"`
	Pack       Fields           `json:"pack"`
	Guardrail  Fields           `json:"guardrail"`
	Gates      []Gate           `json:"gates"`
	Schemas    []Schema         `json:"schemas"`
	Provenance Provenance       `json:"provenance"`
	Corpora    []Corpus         `json:"corpora"`
	Report     []Setting        `json:"report"`
	Tasks      int              `json:"tasks"` // task digests
	Families   []Family         `json:"families"`
	Clusters   map[string]Count `json:"clusters,omitempty"`
	More       Fields           `json:"more,omitempty"` // here and below: what nothing lays out
}

// Setting is a named number with three decimals, or a whole number.
type Setting struct {
	Name  string      `json:"name"`
	Value json.Number `json:"value"`
}

// Schema, Provenance and Corpus are those of package artifacts.
type (
	Schema struct {
		Name   string `json:"name"`
		Digest string `json:"digest"`
		Bytes  int    `json:"bytes"`
		Text   string `json:"says,omitempty"` // its JSON, where it is a schema
		More   Fields `json:"more,omitempty"`
	}
	Provenance struct {
		Tool     string   `json:"tool"`
		Config   string   `json:"config"`
		Inputs   uint64   `json:"inputs"`
		Root     string   `json:"root"`
		Layouts  []Tally  `json:"layouts"`
		Episodes Episodes `json:"episodes"`
		More     Fields   `json:"more,omitempty"`
	}
	Corpus struct {
		Name string `json:"name"`
		Rows uint64 `json:"rows"`
		Root string `json:"root"`
		More Fields `json:"more,omitempty"`
	}
)

// Tally, Episodes and Count have the fields of the types they are
// converted from, under the names of the JSON form.
type (
	Tally struct {
		Name  string `json:"name"`
		Count uint64 `json:"units"`
	}
	Episodes struct {
		Read      uint64 `json:"read"`
		Used      uint64 `json:"used"`
		Success   uint64 `json:"success"`
		Failure   uint64 `json:"failure"`
		Unsafe    uint64 `json:"unsafe"`
		Skipped   uint64 `json:"skipped"`
		Malformed uint64 `json:"malformed"`
	}
	Count struct {
		Tasks   uint32 `json:"tasks"`
		Success uint32 `json:"success"`
		Failure uint32 `json:"failure"`
	}
)

// Gate is a gate with its evidence.
type Gate struct {
	ID          string `json:"id"`
	Scope       string `json:"scope"`
	Disposition string `json:"disposition"`
	Expr        string `json:"expression"`
	Message     string `json:"message"`
	Program     string `json:"program"` // digest
	Unsafe      uint32 `json:"unsafe"`
	Benign      uint32 `json:"benign"`
	Rejected    uint32 `json:"rejected"`
	More        Fields `json:"more,omitempty"`
}

// Family is a family with its states and nodes.
type Family struct {
	Name       string   `json:"name"`
	Tools      []string `json:"tools"`
	Prototypes []string `json:"prototypes"`
	Exemplars  int      `json:"exemplars,omitempty"` // how many: they are vectors
	Vocabulary int32    `json:"vocabulary"`
	Start      string   `json:"start"` // id of a state
	Node       string   `json:"node"`  // id of a node
	Common     []string `json:"common"`
	Vectors    string   `json:"vectors,omitempty"` // digest of all its embeddings
	States     []State  `json:"states"`
	Nodes      []Node   `json:"nodes"`
	More       Fields   `json:"more,omitempty"`
}

// State is a macro class.
type State struct {
	ID      string      `json:"id"`
	Key     string      `json:"key"`
	Desc    string      `json:"description"`
	Delta   string      `json:"delta"`
	Risk    uint8       `json:"risk"`
	Generic bool        `json:"generic"`
	Tools   []string    `json:"tools"` // sorted
	Next    []Edge      `json:"next"`
	After   []Ref       `json:"after"`
	Needs   []string    `json:"needs"`
	Stats   *StateStats `json:"statistics,omitempty"`
	More    Fields      `json:"more,omitempty"`
}

// Ref is a state by id and key.
type Ref struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// Edge is a step to a state.
type Edge struct {
	Ref
	Count *Count `json:"count,omitempty"`
}

// StateStats are the numbers of a state.
type StateStats struct {
	Count   Count             `json:"count"`
	Calls   map[string]uint32 `json:"calls"`   // by tool
	Vectors string            `json:"vectors"` // digest, that of the fit included
	Gain    int32             `json:"gain"`    // of the fit
	Bias    int32             `json:"bias"`
}

// Node is a place on successful paths.
type Node struct {
	ID     string     `json:"id"`
	Parent string     `json:"parent"` // id of a node, empty for a family's own node
	Depth  int        `json:"depth"`
	State  Ref        `json:"state"`
	Gates  []string   `json:"gates"` // all of them, inherited ones first seen above
	Leaf   *Leaf      `json:"leaf,omitempty"`
	Stats  *NodeStats `json:"statistics,omitempty"`
	More   Fields     `json:"more,omitempty"`
}

// Leaf says that episodes ended here in success.
type Leaf struct {
	Tasks    []string `json:"tasks"`
	Episodes uint32   `json:"episodes,omitempty"`
	Env      string   `json:"environment,omitempty"` // digest
	More     Fields   `json:"more,omitempty"`
}

// NodeStats are the numbers of a node.
type NodeStats struct {
	Count Count `json:"count"`
}

// list gives a list that JSON writes as [] where it is empty.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func milli(m tree.Milli) json.Number {
	return json.Number(strconv.FormatFloat(float64(m)/1000, 'f', 3, 64))
}
