package redact

import (
	"encoding/json"

	"github.com/gbt-policy/gbt/gates/effect"
)

// maxScanned bounds the bytes of a text that are searched for secrets: of a longer
// one a log shows nothing but its digest.
const maxScanned = 64 << 10

// Log returns a text as logs show it: without the secrets that Redact knows, and
// without what stands where a password belongs. Of a text that is too long to
// look through it returns nothing.
func (d *Detector) Log(text string) string {
	if len(text) > maxScanned {
		return ""
	}
	return d.redactForms(d.Redact(text))
}

// LogArgument returns an argument's value as logs show it: where its role or its
// name says that it is a secret, only a mark stays.
func (d *Detector) LogArgument(path, role, value string) string {
	if value != "" && (role == effect.RoleSecret.String() || Named(path)) {
		return Mark("argument", value)
	}
	return d.Log(value)
}

// LogJSON returns a JSON value of somebody else's, which may be anything, as logs
// show it. It is JSON too.
func (d *Detector) LogJSON(v json.RawMessage) json.RawMessage {
	if len(v) <= maxScanned {
		if out := json.RawMessage(d.Log(string(v))); json.Valid(out) {
			return out
		}
	}
	// Too long to look through, or a secret across an escape.
	return json.RawMessage(`"` + Mark("value", string(v)) + `"`)
}

// Values is a decoded JSON value with each text in it as text shows it;
// name is the key that a text stands under. The value is changed in place.
func Values(name string, v any, text func(name, s string) string) any {
	switch x := v.(type) {
	case string:
		return text(name, x)
	case []any:
		for i := range x {
			x[i] = Values(name, x[i], text)
		}
	case map[string]any:
		for k := range x {
			x[k] = Values(k, x[k], text)
		}
	}
	return v
}
