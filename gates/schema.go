package gates

// Schemas say what tools do beyond the built-in tables.
type Schemas struct{}
