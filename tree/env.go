package tree

// EnvIndex is the coordinate of an environment signature that a feature counts
// in: FNV-1a (draft-eastlake-fnv) of kind and name, modulo EnvDims.
func EnvIndex(kind, name string) int {
	h := uint32(2166136261)
	for _, s := range [...]string{kind, "\x00", name} {
		for i := 0; i < len(s); i++ {
			h = (h ^ uint32(s[i])) * 16777619
		}
	}
	return int(h % EnvDims)
}
