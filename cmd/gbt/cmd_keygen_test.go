package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestPrivateKeyIsPrivate: nobody else may read the private key, whatever the
// umask and whatever stood there before.
func TestPrivateKeyIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Log("no file modes here: nothing compared")
		return
	}
	name := filepath.Join(t.TempDir(), "team")
	if err := os.WriteFile(name+".pem", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"gbt", "keygen", "-o", name, "--force"}, nil, &out, &errs); code != exitGood {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	for file, want := range map[string]os.FileMode{name + ".pem": 0o600, name + ".pub": 0o644} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", file, info.Mode(), want)
		}
	}
}
