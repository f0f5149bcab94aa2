package place

// Agreement counts how often a basis names the same call as another one, over the
// episodes in which both name any.
type Agreement struct {
	Basis Basis `json:"basis"`
	With  Basis `json:"with"`
	Both  int   `json:"both"`
	Same  int   `json:"same"`
}

// Agreements compares every two bases of which both name a call in some episode,
// in the order of Bases. Where one of them observed the call (Basis.Known), it
// says how often the other is right.
func Agreements(list []Placed) []Agreement {
	var out []Agreement
	for i, with := range Bases {
		for _, b := range Bases[i+1:] {
			a := Agreement{Basis: b, With: with}
			for k := range list {
				a.add(&list[k])
			}
			if a.Both > 0 {
				out = append(out, a)
			}
		}
	}
	return out
}

func (a *Agreement) add(p *Placed) {
	x, ok := p.Named[a.Basis]
	y, also := p.Named[a.With]
	if !ok || !also {
		return
	}
	a.Both++
	if x.To == y.To {
		a.Same++
	}
}
