package protocol

import "fmt"

// Fault is the answer to a request that was not carried out. Codes are those of
// docs/openapi.yaml.
type Fault struct {
	Status  int    `json:"-"` // of HTTP
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The statuses of HTTP that operations answer with: a number is all that is
// needed of net/http, and a module for a page does without the rest.
const (
	badRequest      = 400
	notFound        = 404
	statusConflict  = 409
	gone            = 410
	tooLong         = 413
	tooMany         = 429
	internalFailure = 500
	unavailable     = 503
)

func (f *Fault) Error() string { return f.Code + ": " + f.Message }

// Invalid is a request that is not what its operation takes.
func Invalid(format string, args ...any) *Fault {
	return &Fault{badRequest, "invalid-request", fmt.Sprintf(format, args...)}
}

// Conflict is a request that does not fit what there is.
func Conflict(code, format string, args ...any) *Fault {
	return &Fault{statusConflict, code, fmt.Sprintf(format, args...)}
}

// NotFound is a request for an operation or a path that is not there.
func NotFound(message string) *Fault { return &Fault{notFound, "not-found", message} }

// TooLarge is a request of more bytes than the limit.
func TooLarge(limit int64) *Fault {
	return &Fault{tooLong, "body-too-large", fmt.Sprintf("the body is longer than %d bytes", limit)}
}

// TimedOut is a request that waited for longer than it may.
func TimedOut() *Fault {
	return &Fault{unavailable, "timed-out", "the request waited too long for its turn; nothing was decided"}
}

// ShuttingDown is a request that came too late.
func ShuttingDown() *Fault {
	return &Fault{unavailable, "shutting-down", "the server is shutting down"}
}

func storeFailed(err error) *Fault {
	return &Fault{internalFailure, "store-failed", fmt.Sprintf("nothing was decided: %v", err)}
}

func internal(format string, args ...any) *Fault {
	return &Fault{internalFailure, "internal", fmt.Sprintf(format, args...)}
}
