package logs

import "time"

// timeForms are the ways that logs write times, most frequent first. Times
// without a zone are taken as UTC.
var timeForms = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999-07:00", "2006-01-02 15:04:05.999999999"}

// unixNano parses a time; 0 if it is none.
func unixNano(s string) int64 {
	if len(s) < 19 || s[4] != '-' {
		return 0
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UnixNano()
		}
	}
	return 0
}
