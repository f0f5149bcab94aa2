package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestUI: the page is there for who has the token, as a password or a bearer token, with
// headers that keep other sites out; a password opens nothing else.
func TestUI(t *testing.T) {
	const token = "0123456789abcdef"
	page := &Page{HTML: []byte("<!doctype html>page"), Allow: "default-src 'none'"}
	for _, tt := range []struct {
		name, method, path string
		page               *Page
		user, password     string
		bearer             string
		want               int
	}{
		{name: "password", page: page, path: "/ui", password: token, user: "me", want: 200},
		{name: "bearer token", page: page, path: "/ui", bearer: token, want: 200},
		{name: "head", page: page, method: "HEAD", path: "/ui", password: token, want: 200},
		{name: "no token", page: page, path: "/ui", want: 401},
		{name: "wrong password", page: page, path: "/ui", user: "me", password: token + "0", want: 401},
		{name: "the token as name", page: page, path: "/ui", user: token, want: 401},
		{name: "post", page: page, method: "POST", path: "/ui", password: token, want: 405},
		{name: "below", page: page, path: "/ui/x", bearer: token, want: 404},
		{name: "the password elsewhere", page: page, path: "/v1/policy", password: token, want: 401},
		{name: "switched off", path: "/ui", bearer: token, want: 404},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newTestServer(t, Options{Token: token, Page: tt.page})
			r := httptest.NewRequest(tt.method, tt.path, nil)
			if tt.password != "" || tt.user != "" {
				r.SetBasicAuth(tt.user, tt.password)
			}
			if tt.bearer != "" {
				r.Header.Set("Authorization", "Bearer "+tt.bearer)
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Fatalf("%d, want %d: %s", w.Code, tt.want, w.Body)
			}
			if asks := strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic "); asks != (tt.want == 401 && tt.path == "/ui") {
				t.Errorf("asks for a password: %v", asks)
			}
			if tt.want == http.StatusOK {
				checkPage(t, w)
			} else if strings.Contains(w.Body.String(), "doctype") {
				t.Error("the page is there all the same")
			}
		})
	}
}

func checkPage(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
		"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Access-Control-Allow-Origin": "",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(w.Body.String(), "doctype") {
		t.Errorf("%s", w.Body)
	}
}
