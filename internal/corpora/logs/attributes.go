package logs

import (
	"strconv"

	"github.com/valyala/fastjson"
)

// attributes are a span's attributes by full key, every value as text; lists
// and maps as JSON.
type attributes map[string]string

// spanAttributes reads OTLP's list of {key, value:{stringValue|…}}, or an
// object with flat or nested keys.
func spanAttributes(v *fastjson.Value) attributes {
	out := attributes{}
	if v == nil {
		return out
	}
	for _, kv := range v.GetArray() {
		out[str(kv, "key")] = otlpText(kv.Get("value"))
	}
	if v.Type() == fastjson.TypeObject {
		out.nested("", v, 0)
	}
	return out
}

// otlpText is one OTLP AnyValue as text.
func otlpText(v *fastjson.Value) string {
	for _, k := range []string{"stringValue", "intValue", "doubleValue", "boolValue"} {
		if x := v.Get(k); x != nil {
			return scalarOf(x)
		}
	}
	return string(appendOTLP(nil, v, 0))
}

// appendOTLP appends an AnyValue as plain JSON.
func appendOTLP(b []byte, v *fastjson.Value, depth int) []byte {
	if depth > 100 {
		return append(b, "null"...)
	}
	if s := v.Get("stringValue"); s != nil {
		return appendString(b, s.GetStringBytes())
	}
	for _, k := range []string{"intValue", "doubleValue", "boolValue"} {
		if x := v.Get(k); x != nil {
			if s := scalarOf(x); x.Type() != fastjson.TypeString || validNumber([]byte(s)) {
				return append(b, s...)
			}
			return appendJSON(b, x)
		}
	}
	if list := v.Get("arrayValue"); list != nil {
		b = append(b, '[')
		for i, x := range list.GetArray("values") {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendOTLP(b, x, depth+1)
		}
		return append(b, ']')
	}
	if m := v.Get("kvlistValue"); m != nil {
		b = append(b, '{')
		for i, kv := range m.GetArray("values") {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, kv.GetStringBytes("key")), ':')
			b = appendOTLP(b, kv.Get("value"), depth+1)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// nested flattens an object of attributes: nested keys are joined by dots,
// list positions are keys.
func (a attributes) nested(prefix string, v *fastjson.Value, depth int) {
	if depth > 12 || len(a) > 100_000 {
		return
	}
	switch v.Type() {
	case fastjson.TypeObject:
		if prefix != "" {
			a[prefix] = string(appendJSON(nil, v))
		}
		v.GetObject().Visit(func(k []byte, x *fastjson.Value) {
			a.nested(dotted(prefix, string(k)), x, depth+1)
		})
	case fastjson.TypeArray:
		a[prefix] = string(appendJSON(nil, v))
		for i, x := range v.GetArray() {
			a.nested(dotted(prefix, strconv.Itoa(i)), x, depth+1)
		}
	case fastjson.TypeNull:
	default:
		a[prefix] = scalarOf(v)
	}
}

func dotted(prefix, key string) string {
	if prefix == "" {
		return key
	}
	return prefix + "." + key
}

// first is the first of the keys that has a value.
func (a attributes) first(keys ...string) string {
	for _, k := range keys {
		if s := a[k]; s != "" {
			return s
		}
	}
	return ""
}

func (a attributes) number(keys ...string) int64 {
	n, _ := strconv.ParseInt(a.first(keys...), 10, 64)
	return n
}
