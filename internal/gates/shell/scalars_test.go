package shell

import "testing"

func TestScalars(t *testing.T) {
	for word, want := range map[string]bool{
		"video=false,retries=2":               true,
		"baseUrl=http://localhost:4200":       true,
		`{"video":false,"viewportWidth":12}`:  true,
		`{"baseUrl":"http://127.0.0.1:80/a"}`: true,
		"":                                    false,
		"video":                               false,
		"supportFile=x.js":                    false,
		"baseUrl=https://app.example":         false,
		"baseUrl=file:///etc/passwd":          false,
		`{"video":false,"supportFile":"x"}`:   false,
		`{"env":{"a":1}}`:                     false,
		`{"video":false`:                      false,
	} {
		if got := onlyScalars(word); got != want {
			t.Errorf("onlyScalars(%q) = %v", word, got)
		}
	}
}
