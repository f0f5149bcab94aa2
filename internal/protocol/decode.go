package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Decode reads one JSON object into a request and refuses what is not in it, and
// names that are there twice or in another letter case, which encoding/json takes.
// A call's arguments are left as they came.
func Decode(body []byte, into any) *Fault {
	if !utf8.Valid(body) {
		return Invalid("the body is not UTF-8")
	}
	if t := bytes.TrimLeft(body, " \t\r\n"); len(t) > 0 && t[0] == '{' && json.Unmarshal(body, into) == nil && exactNames(body, reflect.TypeOf(into)) {
		return nil
	}
	if f := worded(body, reflect.New(reflect.TypeOf(into).Elem()).Interface()); f != nil {
		return f
	}
	return Invalid("a name is there twice, or in other letters than it should be")
}

// worded is what encoding/json finds wrong with a body, in words for people.
func worded(body []byte, into any) *Fault {
	if t := bytes.TrimLeft(body, " \t\r\n"); len(t) == 0 || t[0] != '{' {
		return Invalid("the body is no JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return Invalid("%s", plain(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return Invalid("something follows the JSON object")
	}
	return nil
}

// plain is an error of encoding/json without the names of Go's types.
func plain(err error) string {
	var typ *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &typ):
		return fmt.Sprintf("field %s: %s does not belong here", typ.Field, typ.Value)
	case errors.As(err, &syntax):
		return fmt.Sprintf("not JSON: byte %d: %s", syntax.Offset, syntax.Error())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "not JSON: it ends too early"
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "jsontext: ")
}
