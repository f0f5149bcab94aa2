package tasks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/internal/redact"
)

// Bounds on what a receipt shows of a call and a result: enough to know which one it
// was. Texts are cut after the secrets are out, so that none is cut in two and missed.
const (
	maxShown  = 2 << 10 // of one text
	maxLooked = 64 << 10
	maxTitle  = 200
	maxDeep   = 64
)

// cleaner takes secrets out of what is written.
type cleaner struct{ d *redact.Detector }

// text is a text without secrets; name is the key that it stands under.
func (c cleaner) text(name, s string) string {
	if len(s) > maxLooked {
		sum := sha256.Sum256([]byte(s))
		return "[" + strconv.Itoa(len(s)) + " bytes, sha256 " + hex.EncodeToString(sum[:8]) + "]"
	}
	return cut(c.d.LogArgument(name, "", s), maxShown)
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "… [" + strconv.Itoa(len(s)) + " bytes]"
}

// payload is JSON without secrets, in one form. What is no JSON becomes a text.
func (c cleaner) payload(data []byte) (json.RawMessage, error) {
	if len(data) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		v = string(data)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	if err := enc.Encode(c.walk("", v, 0)); err != nil { // escapes as Marshal does, which writes it again
		return nil, err
	}
	return json.RawMessage(bytes.TrimSpace(b.Bytes())), nil
}

func (c cleaner) walk(name string, v any, deep int) any {
	switch x := v.(type) {
	case string:
		return c.text(name, x)
	case []any:
		if deep == maxDeep {
			return "[deeper]"
		}
		for i := range x {
			x[i] = c.walk(name, x[i], deep+1)
		}
	case map[string]any:
		if deep == maxDeep {
			return "[deeper]"
		}
		out := make(map[string]any, len(x))
		for k, y := range x {
			out[c.text("", k)] = c.walk(k, y, deep+1)
		}
		return out
	case json.Number:
		return c.number(name, x)
	}
	return v
}

// number hides numbers that stand where a secret does: a PIN, for example.
func (c cleaner) number(name string, n json.Number) any {
	if s := c.text(name, n.String()); s != n.String() {
		return s
	}
	return n
}
