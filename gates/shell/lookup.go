package shell

// lookupTool finds a tool, or a subcommand as "tool sub". Binary search in
// static tables needs no work before main.
func lookupTool(name string) *tool {
	for _, area := range [...][]tool{
		fileTools[:], textTools[:], gitTools[:], buildTools[:], scriptTools[:], systemTools[:], launchTools[:], netTools[:], langTools[:], queryTools[:], clusterTools[:], packageTools[:],
	} {
		lo, hi := 0, len(area)
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			if area[mid].name < name {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo < len(area) && area[lo].name == name {
			return &area[lo]
		}
	}
	return nil
}
