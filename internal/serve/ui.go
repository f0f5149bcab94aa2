package serve

import (
	"net/http"

	"github.com/gbt-policy/gbt/internal/protocol"
)

// Page is a page about the policy, for people. It asks the server for nothing.
type Page struct {
	HTML  []byte
	Allow string // its Content-Security-Policy
}

// uiPath is where the page is. It is no part of the contract in docs/openapi.yaml:
// programs have getPolicy.
const uiPath = "/ui"

// ui answers a browser. Browsers cannot send a bearer token, so the page, and nothing
// else, takes the token as the password of any user (RFC 7617): a request that another
// site makes a browser send reaches no operation.
func (s *Server) ui(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET")
		s.turnAway(w, "", &protocol.Fault{Status: http.StatusMethodNotAllowed, Code: "method-not-allowed", Message: "this path takes GET"})
		return
	}
	if _, password, ok := r.BasicAuth(); !ok || !s.isToken(password) {
		if f := s.authorised(w, r); f != nil {
			w.Header().Set("WWW-Authenticate", `Basic realm="gbt: any name, and the token as password", charset="UTF-8"`)
			s.turnAway(w, "", f)
			return
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", s.opt.Page.Allow+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store") // the next server there may have another policy
	w.Write(s.opt.Page.HTML)           // the client may be gone
}
