package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func detector(t testing.TB) *Detector {
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryRuleCompiles(t *testing.T) {
	d := detector(t)
	if len(d.rules) < 200 {
		t.Fatalf("%d rules", len(d.rules))
	}
	seen := map[string]bool{}
	for _, r := range d.rules {
		if _, err := regexp.Compile(r.Regex); err != nil || r.ready() == nil || len(r.Keywords) == 0 || seen[r.ID] ||
			slices.ContainsFunc(r.Keywords, func(k string) bool { return k == "" || k != strings.ToLower(k) }) {
			t.Errorf("rule %s: %v", r.ID, err)
		}
		seen[r.ID] = true
	}
	for _, p := range anywhere {
		if _, ok := samples()[p.name]; !ok {
			t.Errorf("rule %s of patterns.go has no sample here", p.name)
		}
	}
}

// The samples are made up, and put together here so that no scanner takes this
// file for a leak.
func samples() map[string]string {
	mix := "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW"
	return map[string]string{
		"github-pat":               "ghp_" + mix + "xY5z",
		"gitlab-pat":               "glpat-" + mix[:20],
		"aws-access-token":         "AKIA" + "Q3EGR5TLKZ7WXYVN",
		"slack-bot-token":          "xoxb-" + "3141592653589-2718281828459-" + mix[:24],
		"private-key":              "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(mix+mix+"\n", 4) + "-----END RSA PRIVATE KEY-----",
		"stripe-access-token":      "sk_live_" + mix[:28],
		"jwt":                      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		"uri-password":             "postgres://admin:" + "s3cretPass@db.example:5432/x",
		"npm-access-token":         "npm_" + strings.ToLower(mix) + "x5zq",
		"generic-api-key":          `"api_key": "` + mix + `"`,
		"curl-auth-user":           `curl -u "admin:` + mix[:12] + `" https://h.example/`,
		"huggingface-access-token": "hf_" + "qWeRtYuIoPaSdFgHjKlZxCvBnMqAzWsXeD",
	}
}

func TestFindsSecrets(t *testing.T) {
	d := detector(t)
	for rule, text := range samples() {
		found := d.Find("before " + text + " after")
		if len(found) == 0 {
			t.Errorf("%s: nothing found in %q", rule, text)
			continue
		}
		if rule != found[0].Rule {
			t.Errorf("%s is found as %s", rule, found[0].Rule)
		}
	}
}

func TestLeavesOrdinaryTextAlone(t *testing.T) {
	d := detector(t)
	for _, text := range []string{
		"", "Please find the report attached.", "git push origin main", "token = os.environ['TOKEN']", "password: ${PASSWORD}", "api_key = \"{{ api_key }}\"",
		"https://example.org/a?b=c", "commit 3f786850e387550fdab836ed7e6dc881de23001b", "user_id: 550e8400-e29b-41d4-a716-446655440000",
		"The secret of good tea is fresh water.", "foreign_key: order_items.order_id", "-----BEGIN CERTIFICATE-----",
	} {
		if f := d.Find(text); len(f) > 0 {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

func TestRedact(t *testing.T) {
	d := detector(t)
	pat := samples()["github-pat"]
	text := "a " + pat + " b " + pat + " c"
	got := d.Redact(text)
	if strings.Contains(got, pat) || !strings.HasPrefix(got, "a <secret github-pat sha256:") || !strings.HasSuffix(got, "> c") {
		t.Errorf("%s", got)
	}
	if mark := Mark("github-pat", pat); strings.Count(got, mark) != 2 {
		t.Errorf("one secret has two marks: %s", got)
	}
	if again := d.Redact(got); again != got {
		t.Errorf("redacted again: %s", again)
	}
}

func FuzzRedact(f *testing.F) {
	d := detector(f)
	for _, s := range samples() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, x := range d.Find(text) {
			if x.Start < end || x.End <= x.Start || x.End > len(text) {
				t.Fatalf("%+v in %q", x, text)
			}
			end = x.End
		}
		d.Redact(text)
	})
}

func BenchmarkFind(b *testing.B) {
	d := detector(b)
	text := strings.Repeat("an ordinary line of text with a key and a token in it\n", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		d.Find(text)
	}
}
