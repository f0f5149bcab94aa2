package origin

import "strings"

// LeadingKeys are the words of keys whose values lead somewhere.
func LeadingKeys() []string { return strings.Fields(leadingKeys) }

// QueryKeys are the words of arguments that look for records.
func QueryKeys() []string { return strings.Fields(queryKeys) }
