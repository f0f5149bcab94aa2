package artifacts

import (
	"github.com/gbt-policy/gbt/internal/artifacts/field"
	"github.com/gbt-policy/gbt/tree"
)

// The sections in front: META, PARM, ENCO and PACK.

func metaRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, loosens: field.Never,
			at: func(v any) any { return &v.(*Policy).Name },
			check: func(c *checker, _ int, v any) {
				p := v.(*Policy)
				if p.Name == "" {
					c.bad("policy has no name")
				}
			}},
		{name: "parent", loosens: field.Never,
			typ: typ{text: "no bytes or a digest", size: 2, walk: func(c *codec, _ *typ, p any) { c.hex(p.(*string), 0, 32) }},
			at:  func(v any) any { return &v.(*Policy).Parent }},
		{name: "log_text", typ: boolType, optional: true, loosens: field.Never,
			at: func(v any) any { return &v.(*Policy).LogText },
			about: "texts of the logs stand in the policy: tasks, sentences of agents, names of suites, repositories and directories. " +
				"It is absent where descriptions have words of the writer's own list alone, and prototypes and tasks no text."},
	}}
}

// share is the range of a setting above 0 and at most 1, in thousandths.
var share = span{1, 1000}

// noNovelty is the setting of novelty that no estimate reaches.
const noNovelty = 1001

// Zero values of settings are never used as defaults. Alpha, beta, lambda and
// explore_budget may be zero, which switches their part off, and novelty may be
// zero, which is always reached; no other setting has a zero with a meaning.
func paramsRecord() *record {
	return &record{rows: []row{
		{name: "profile", typ: nameType, word: true, loosens: field.Never,
			at: func(v any) any { return &v.(*tree.Params).Profile },
			check: func(c *checker, _ int, v any) {
				p := v.(*tree.Params)
				if p.Profile != tree.DefaultProfile && p.Profile != tree.ReferenceProfile {
					c.bad("unknown profile %.80q", p.Profile)
				}
			}},
		thousandths("theta_high", share, func(v any) any { return &v.(*tree.Params).ThetaHigh }),
		{name: "theta_low", typ: milliType, within: share, loosens: field.Never,
			at: func(v any) any { return &v.(*tree.Params).ThetaLow },
			check: func(c *checker, _ int, v any) {
				p := v.(*tree.Params)
				if p.ThetaLow > p.ThetaHigh {
					c.bad("setting theta_low is above theta_high")
				}
			}},
		thousandths("ambiguous", share, func(v any) any { return &v.(*tree.Params).Ambiguous }),
		whole("explore_budget", 0, func(v any) any { return &v.(*tree.Params).ExploreBudget }),
		thousandths("route_abstain", share, func(v any) any { return &v.(*tree.Params).RouteAbstain }),
		thousandths("route_keep", share, func(v any) any { return &v.(*tree.Params).RouteKeep }),
		thousandths("route_temperature", share, func(v any) any { return &v.(*tree.Params).RouteTemperature }),
		whole("route_every", 1, func(v any) any { return &v.(*tree.Params).RouteEvery }),
		thousandths("route_switch", share, func(v any) any { return &v.(*tree.Params).RouteSwitch }),
		thousandths("alpha", notNegative, func(v any) any { return &v.(*tree.Params).Alpha }),
		thousandths("beta", notNegative, func(v any) any { return &v.(*tree.Params).Beta }),
		thousandths("env_cos", share, func(v any) any { return &v.(*tree.Params).EnvCos }),
		thousandths("lambda", notNegative, func(v any) any { return &v.(*tree.Params).Lambda }),
		whole("max_recovery", 1, func(v any) any { return &v.(*tree.Params).MaxRecovery }),
		whole("max_children", 1, func(v any) any { return &v.(*tree.Params).MaxChildren }),
		thousandths("allowed_share", share, func(v any) any { return &v.(*tree.Params).AllowedShare }),
		thousandths("novelty", span{0, noNovelty}, func(v any) any { return &v.(*tree.Params).Novelty }),
		{name: "posterior", loosens: field.Never, at: func(v any) any { return &v.(*tree.Params).Posterior },
			typ: typ{text: "[bias, similarity, margin, prior: milli]", size: 5, walk: walkPosterior}},
		limit("route_near", 1000, func(v any) any { return &v.(*tree.Params).RouteNear },
			"the least cosine of a task to the nearest exemplar of a family, where the host does not say what tools it offers; 0 for no boundary of what the policy claims to know."),
		limit("route_offered", 2000, func(v any) any { return &v.(*tree.Params).RouteOffered },
			"the same where it does: the largest sum, in one family, of that cosine and the share of the shorter of the two lists of tools that stands in the other."),
		limit("route_words", 1000, func(v any) any { return &v.(*tree.Params).RouteWords },
			"the least share of a task's words that are entries of the encoder's vocabulary."),
		limit("route_late", 1000, func(v any) any { return &v.(*tree.Params).RouteLate },
			"from here to route_near a task is steered as long as each of its first two macros is offered where the run stands, and claimed after both; 0 for never."),
		limit("route_late_offered", 2000, func(v any) any { return &v.(*tree.Params).RouteLateOffered },
			"the same to route_offered."),
	}}
}

var notNegative = span{0, 1<<31 - 1}

// thousandths is a setting that is a milli, whole one that is a whole number.
func thousandths(name string, within span, at func(any) any) row {
	return row{name: name, typ: milliType, within: within, at: at, loosens: field.Never}
}

func whole(name string, least int64, at func(any) any) row {
	return row{name: name, typ: i31Type, within: span{least, 1<<31 - 1}, at: at, loosens: field.Never}
}

// limit is a limit of the claim boundary, which policies without one leave out.
func limit(name string, most int64, at func(any) any, about string) row {
	return row{name: name, typ: milliType, within: span{0, most}, optional: true, at: at, loosens: field.Never, about: about}
}

func walkPosterior(c *codec, _ *typ, p any) {
	list := p.(*[4]tree.Milli)
	c.tuple(len(list))
	for i := range list {
		integer(c, &list[i], -1<<31, 1<<31-1)
	}
}

func encoderRecord() *record {
	return &record{rows: []row{
		{name: "id", typ: nameType, loosens: field.Never,
			at: func(v any) any { return &v.(*Encoder).ID },
			check: func(c *checker, _ int, v any) {
				e := v.(*Encoder)
				if e.ID == "" || e.Dim == 0 {
					c.bad("policy names no encoder")
				}
			}},
		{name: "digest", typ: digestType, word: true, loosens: field.Never,
			at: func(v any) any { return &v.(*Encoder).Digest }},
		{name: "dimensions", typ: rangeOf[int](1, maxDim), loosens: field.Never,
			at: func(v any) any { return &v.(*Encoder).Dim }},
	}}
}

// Each bound is at most that of requirement B2.
func packRecord() *record {
	return &record{rows: []row{
		{name: "steps", typ: rangeOf[int64](1, maxPackSteps), title: "bound pack.steps", loosens: field.More,
			at: func(v any) any { return &v.(*Pack).steps },
			check: func(c *checker, _ int, v any) {
				p := v.(*Pack)
				if *p == (Pack{}) {
					c.bad("policy has no governance pack")
				}
			}},
		{name: "seconds", typ: rangeOf[int64](1, maxPackWall), title: "bound pack.seconds", loosens: field.More,
			at: func(v any) any { return &v.(*Pack).wall }},
		{name: "tokens", typ: rangeOf[int64](1, maxPackTokens), title: "bound pack.tokens", loosens: field.More,
			at: func(v any) any { return &v.(*Pack).tokens }},
	}}
}
