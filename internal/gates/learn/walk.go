package learn

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/segment"
)

// EachCall builds the context of every executed call of an episode, of high risk or
// not, as a host would have seen it: with its values, which Extract redacts. macro
// is the key of the call's macro. The context may not be kept.
func EachCall(e *corpora.Episode, path *segment.Path, k *gates.Checker, each func(step int, ctx *gates.Context, macro string)) {
	list := calls(e, path, k, false)
	for i := range list {
		list[i].high = true
	}
	walk(e, list, func(i int, ctx *gates.Context, m segment.Macro) { each(i, ctx, m.Key) })
}
