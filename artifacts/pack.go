package artifacts

// The outermost bounds of a run, requirement B2 (source: 001, layer 2). They
// are constants and not settings: no option, flag, environment variable or
// configuration key reaches them, and no artifact can hold looser ones.
const (
	maxPackSteps  = 50
	maxPackWall   = 1800 // seconds
	maxPackTokens = 2_000_000
)

// Pack is the governance pack: the second, fixed stop layer of a run. It can be
// read and tightened, never loosened. The zero Pack is not set: Encode refuses
// it, and its limits stop a run at once.
type Pack struct {
	steps, wall, tokens int64
}

// DefaultPack returns the pack of requirement B2.
func DefaultPack() Pack {
	return Pack{steps: maxPackSteps, wall: maxPackWall, tokens: maxPackTokens}
}

// Steps is the number of steps at which a run stops.
func (p Pack) Steps() int64 { return p.steps }

// WallSeconds is the number of seconds of wall time after which a run stops.
func (p Pack) WallSeconds() int64 { return p.wall }

// Tokens is the number of tokens after which a run stops.
func (p Pack) Tokens() int64 { return p.tokens }

// Tighten returns p with each limit lowered to the given one where that is
// lower. A limit below 1 becomes 1.
func (p Pack) Tighten(steps, wallSeconds, tokens int64) Pack {
	return Pack{
		steps:  min(p.steps, max(steps, 1)),
		wall:   min(p.wall, max(wallSeconds, 1)),
		tokens: min(p.tokens, max(tokens, 1)),
	}
}
