// Package beside says how often others would have asked in recorded sessions, so
// that gbt's own figures have something to stand beside: a host's default
// permissions, as its documentation describes them, and programs that answer a hook.
//
// Claude is a reading of a documentation and no measurement of the program: where it
// leaves something open, the reading with fewer questions is taken.
//
// What belongs here: others' rules, and sessions walked under them. What never does:
// gbt's decisions (internal/replay/interrupt).
package beside
