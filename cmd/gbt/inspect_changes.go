package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/segment"
)

// changeTable counts what calls changed and how that is known.
type changeTable struct {
	Episodes int                    `json:"episodes"`
	Calls    int                    `json:"calls"`
	Observed int                    `json:"observed"`        // calls whose change the log shows
	Refused  int                    `json:"refused"`         // of these, calls that it shows to have changed nothing
	Nominal  int                    `json:"nominal"`         // calls that change something by their action alone
	Secrets  int                    `json:"sensitive_reads"` // calls that changed nothing, but read what holds secrets
	Kinds    map[string]*kindCounts `json:"kinds"`
}

type kindCounts struct {
	Observed int `json:"observed"`
	Nominal  int `json:"nominal"`
}

func (t *changeTable) add(ep *corpora.Episode) {
	t.Episodes++
	t.Calls += len(ep.Steps)
	for i := range ep.Steps {
		c := segment.ChangeOf(&ep.Steps[i])
		tally(&t.Observed, c.Basis == segment.BasisObserved)
		tally(&t.Refused, c.Basis == segment.BasisObserved && len(c.Deltas) == 0)
		tally(&t.Nominal, c.Basis == segment.BasisNominal)
		tally(&t.Secrets, c.Sensitive)
		for _, d := range c.Deltas {
			t.kind(d)
		}
	}
}

func (t *changeTable) kind(d corpora.Delta) {
	name := enumName(deltaKeys, d.Kind)
	if t.Kinds == nil {
		t.Kinds = map[string]*kindCounts{}
	}
	if t.Kinds[name] == nil {
		t.Kinds[name] = &kindCounts{}
	}
	tally(&t.Kinds[name].Observed, d.Observed)
	tally(&t.Kinds[name].Nominal, !d.Observed)
}

func (t *changeTable) print(w io.Writer, asJSON bool) {
	if asJSON {
		json.NewEncoder(w).Encode(t)
		return
	}
	fmt.Fprintf(w, "%d episodes, %d calls: the change of %d is observed (%d of them changed nothing: stopped, failed or refused), of %d nominal\n",
		t.Episodes, t.Calls, t.Observed, t.Refused, t.Nominal)
	fmt.Fprintf(w, "%d calls only read, but something sensitive: they are high-risk all the same\n\n", t.Secrets)
	fmt.Fprintf(w, "%-16s %9s %9s\n", "change", "observed", "nominal")
	for i, key := range deltaKeys {
		if n := t.Kinds[key]; n != nil {
			fmt.Fprintf(w, "%-16s %9d %9d\n", deltaWords[i], n.Observed, n.Nominal)
		}
	}
}
