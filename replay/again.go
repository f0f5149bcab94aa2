package replay

import (
	"context"

	"github.com/gbt-policy/gbt/corpora"
)

// Again runs the calls of an episode again and compares what comes back with the log,
// without looking for windows. A replay that differs is a Divergence; an error is a
// failure of the environment or the end of ctx.
func Again(ctx context.Context, env Env, ep *corpora.Episode, opts Options) (*Divergence, error) {
	return newRun(env, ep, &opts).all(ctx)
}
