package origin

// LeadingKeys are the words of keys whose values lead somewhere.
func LeadingKeys() []string { return leadingKeys[:] }
