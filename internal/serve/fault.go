package serve

import (
	"fmt"
	"net/http"
)

// Fault is the answer to a request that was not carried out. Codes are those of
// docs/openapi.yaml.
type Fault struct {
	Status  int    `json:"-"` // of HTTP
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (f *Fault) Error() string { return f.Code + ": " + f.Message }

func invalid(format string, args ...any) *Fault {
	return &Fault{http.StatusBadRequest, "invalid-request", fmt.Sprintf(format, args...)}
}

func conflict(code, format string, args ...any) *Fault {
	return &Fault{http.StatusConflict, code, fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) *Fault {
	return &Fault{http.StatusRequestEntityTooLarge, "body-too-large", fmt.Sprintf("the body is longer than %d bytes", limit)}
}

func timedOut() *Fault {
	return &Fault{http.StatusServiceUnavailable, "timed-out", "the request waited too long for its turn; nothing was decided"}
}

func shuttingDown() *Fault {
	return &Fault{http.StatusServiceUnavailable, "shutting-down", "the server is shutting down"}
}

func storeFailed(err error) *Fault {
	return &Fault{http.StatusInternalServerError, "store-failed", fmt.Sprintf("nothing was decided: %v", err)}
}

func internal(format string, args ...any) *Fault {
	return &Fault{http.StatusInternalServerError, "internal", fmt.Sprintf(format, args...)}
}
