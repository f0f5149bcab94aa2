package gates

type call struct{}
