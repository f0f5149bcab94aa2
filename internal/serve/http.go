package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"golang.org/x/net/netutil"

	"github.com/gbt-policy/gbt/docs"
	"github.com/gbt-policy/gbt/internal/protocol"
)

// routes are the paths of docs/openapi.yaml with the operation of each method.
var routes = func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for at, op := range ofProcess {
		out[at] = map[string]string{"GET": op}
	}
	for _, op := range protocol.Operations() {
		if out[op.Path] == nil {
			out[op.Path] = map[string]string{}
		}
		out[op.Path][op.Method] = op.Name
	}
	return out
}()

// ofProcess are the operations that are about the process, not about a policy.
var ofProcess = map[string]string{"/v1/openapi.yaml": "getOpenAPI", "/healthz": "health", "/readyz": "ready", "/metrics": "metrics"}

// Handler is the HTTP side of the server.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for at, methods := range routes {
		mux.HandleFunc(at, func(w http.ResponseWriter, r *http.Request) { s.route(w, r, methods) })
	}
	if s.opt.Page != nil {
		mux.HandleFunc(uiPath, s.ui)
	}
	mux.HandleFunc("/", s.nowhere)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !clean(r.URL.EscapedPath()) { // ServeMux would answer with a redirect, to anybody
			s.nowhere(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// nowhere answers requests for paths that are not there.
func (s *Server) nowhere(w http.ResponseWriter, r *http.Request) {
	f := s.authorised(w, r)
	if f == nil {
		f = protocol.NotFound("no such path; GET /v1/openapi.yaml says which there are")
	}
	s.turnAway(w, "", f)
}

// clean says that a path has no empty elements and no dots to follow.
func clean(p string) bool {
	return path.Clean("/"+p) == p || p != "/" && path.Clean("/"+p)+"/" == p
}

// turnAway refuses a request that comes to no operation.
func (s *Server) turnAway(w http.ResponseWriter, op string, f *protocol.Fault) {
	if op == "" {
		op = "none"
	}
	s.metrics.requests.WithLabelValues(op, f.Code).Inc()
	refuse(w, f)
}

// open are the operations that need no token: they tell nothing.
var open = []string{"health", "ready"}

func (s *Server) route(w http.ResponseWriter, r *http.Request, methods map[string]string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op, ok := methods[method]
	if !slices.Contains(open, op) {
		if f := s.authorised(w, r); f != nil {
			s.turnAway(w, op, f)
			return
		}
	}
	if !ok {
		var allow []string
		for m := range methods {
			allow = append(allow, m)
		}
		slices.Sort(allow)
		w.Header().Set("Allow", strings.Join(allow, ", "))
		s.turnAway(w, "", &protocol.Fault{Status: http.StatusMethodNotAllowed, Code: "method-not-allowed", Message: "this path takes " + strings.Join(allow, ", ")})
		return
	}
	s.answer(w, r, op)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, op string) {
	switch op {
	case "health":
		text(w, "text/plain; charset=utf-8", "ok\n")
	case "ready":
		if s.closing.Load() {
			refuse(w, protocol.ShuttingDown())
			return
		}
		text(w, "text/plain; charset=utf-8", "ready\n")
	case "metrics":
		s.metrics.handler.ServeHTTP(w, r)
	case "getOpenAPI":
		text(w, "application/yaml", docs.OpenAPI)
	default:
		s.operate(w, r, op)
	}
}

func text(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	io.WriteString(w, body) // the client may be gone
}

// operate reads the body, carries out the operation and writes its answer.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, op string) {
	body, free, f := s.body(w, r)
	defer free()
	if f != nil {
		s.turnAway(w, op, f)
		return
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	// Only this server's end and time-out stop a decision that has begun: whether
	// the client is still there must not change what the session remembers.
	ctx = context.WithoutCancel(ctx)
	out, f := s.do(ctx, &protocol.Request{Op: op, Session: r.PathValue("session"), Key: r.Header.Get("Idempotency-Key"), Body: body})
	if f != nil {
		refuse(w, f)
		return
	}
	if op == "deleteSession" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if op == "startSession" {
		var started struct {
			Session string `json:"session"`
		}
		if json.Unmarshal(out, &started) == nil {
			w.Header().Set("Location", "/v1/sessions/"+started.Session)
		}
		w.WriteHeader(http.StatusCreated)
	}
	w.Write(out) // the client may be gone: it repeats the request with its key
}

// smallBody is what a body may take without a share of Options.MaxBodies.
const smallBody = 64 << 10

// body reads a request's body in bounded memory; free gives the memory back.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (body []byte, free func(), f *protocol.Fault) {
	free = func() {}
	if r.Method != http.MethodPost {
		return nil, free, nil
	}
	limit := s.opt.MaxBody
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return nil, free, protocol.TooLarge(limit)
	}
	if f := mediaType(r); f != nil {
		return nil, free, f
	}
	share := r.ContentLength
	if share < 0 {
		share = limit
	}
	if share > smallBody {
		ctx, cancel := context.WithTimeout(r.Context(), s.opt.Wait)
		defer cancel()
		if err := s.bodies.Acquire(ctx, share); err != nil {
			return nil, free, protocol.TimedOut()
		}
		free = func() { s.bodies.Release(share) }
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, free, protocol.TooLarge(limit)
	case err != nil:
		return nil, free, protocol.Invalid("the body could not be read: %v", err)
	}
	return body, free, nil
}

func mediaType(r *http.Request) *protocol.Fault {
	bad := &protocol.Fault{Status: http.StatusUnsupportedMediaType, Code: "unsupported-media-type", Message: "send the body as application/json"}
	if r.Header.Get("Content-Encoding") != "" {
		return bad
	}
	kind := r.Header.Get("Content-Type")
	if kind == "" && r.ContentLength == 0 {
		return nil
	}
	name, params, err := mime.ParseMediaType(kind)
	if c := params["charset"]; err != nil || name != "application/json" || c != "" && !strings.EqualFold(c, "utf-8") {
		return bad
	}
	return nil
}

// isToken compares a text with the token, in time that does not depend on it.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.opt.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// authorised says why a request without the token is refused.
func (s *Server) authorised(w http.ResponseWriter, r *http.Request) *protocol.Fault {
	if s.opt.Token == "" {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && s.isToken(token) {
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="gbt"`)
	return &protocol.Fault{Status: http.StatusUnauthorized, Code: "unauthorized", Message: "send the header Authorization: Bearer TOKEN"}
}

func refuse(w http.ResponseWriter, f *protocol.Fault) {
	w.Header().Set("Content-Type", "application/json")
	switch f.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(f.Status)
	data, err := json.Marshal(map[string]*protocol.Fault{"error": f})
	if err == nil {
		w.Write(data) // the client may be gone
	}
}

// Serve answers on a listener until ctx ends. Then it takes no more requests,
// finishes those under way, for at most Options.Drain, and returns nil.
func (s *Server) Serve(ctx context.Context, ln net.Listener, warn *log.Logger) error {
	srv := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: s.opt.HeaderTimeout, ReadTimeout: s.opt.ReadTimeout, WriteTimeout: s.opt.WriteTimeout,
		IdleTimeout: s.opt.IdleTimeout, MaxHeaderBytes: 16 << 10, ErrorLog: warn,
	}
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(netutil.LimitListener(ln, s.opt.MaxConns)) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	return s.shutdown(srv)
}

// shutdown ends a server. New connections are refused from the start; what
// comes on open ones is answered with shutting-down.
func (s *Server) shutdown(srv *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.opt.Drain)
	defer cancel()
	err := srv.Shutdown(ctx)
	s.Close()
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(errors.New("requests were still under way after "+s.opt.Drain.Round(time.Millisecond).String()), srv.Close())
	}
	return err
}
