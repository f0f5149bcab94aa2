package protocol

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/gbt-policy/gbt/traverse"
)

// Operation is one row of the contract.
type Operation struct {
	Name         string // operationId
	Method, Path string // of HTTP

	turn inTurn // what it does in a session that it may change
	do   alone  // what all others do
}

type (
	inTurn = func(*turn, []byte) (any, *Fault)
	alone  = func(*Service, context.Context, *Request) (json.RawMessage, *Fault)
)

// operations are those of docs/openapi.yaml that are not about the process that
// carries them. A test holds names, methods and paths to the document.
var operations = [...]Operation{
	{Name: "startSession", Method: "POST", Path: "/v1/sessions", do: (*Service).start},
	{Name: "getSession", Method: "GET", Path: inPath, do: (*Service).get},
	{Name: "deleteSession", Method: "DELETE", Path: inPath, do: (*Service).remove},
	{Name: "propose", Method: "POST", Path: inPath + "/propose", turn: (*turn).propose},
	{Name: "check", Method: "POST", Path: inPath + "/check", turn: (*turn).check},
	{Name: "confirm", Method: "POST", Path: inPath + "/confirm", turn: (*turn).confirm},
	{Name: "observe", Method: "POST", Path: inPath + "/observe", turn: (*turn).observe},
	{Name: "report", Method: "POST", Path: inPath + "/report", turn: (*turn).report},
	{Name: "finish", Method: "POST", Path: inPath + "/finish", turn: (*turn).finish},
	{Name: "checkCall", Method: "POST", Path: "/v1/check", do: (*Service).checkCall},
	{Name: "getPolicy", Method: "GET", Path: "/v1/policy", do: (*Service).about},
}

// inPath is the path of a session.
const inPath = "/v1/sessions/{session}"

// Operations are all of them, in the order of the document.
func Operations() []Operation { return operations[:] }

// Find is the operation of a name, or nil.
func Find(name string) *Operation {
	for i := range operations {
		if operations[i].Name == name {
			return &operations[i]
		}
	}
	return nil
}

// OfSession says that requests of the operation name a session.
func (o *Operation) OfSession() bool { return strings.HasPrefix(o.Path, inPath) }

// turn is one request's time with a session.
type turn struct {
	s       *Service
	ctx     context.Context
	e       *entry
	session *traverse.Session
	elapsed int64 // seconds since the session started, as the server measures
}
