package call

// Limits that tests of decisions hold.
const (
	MaxPatched    = maxPatched
	MaxPath       = maxPath
	MaxSQLEffects = maxSQLEffects
)
