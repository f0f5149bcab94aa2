package main

import "testing"

// TestRootsOnDrives: the root of a workspace on a drive is one however the host writes it, and
// a drive, a home or what holds homes is none.
func TestRootsOnDrives(t *testing.T) {
	for dir, want := range map[string]string{
		`C:\Users\me\shop`: `C:\Users\me\shop`, `/c:/Users/me/shop`: `c:/Users/me/shop`, `c:/Users/me/shop`: `c:/Users/me/shop`, `/c/shop`: `/c/shop`, `/c:`: ``, `c:shop`: ``, `/c:/`: ``,
		`C:\`: ``, `C:\Users`: ``, `C:\Users\me`: ``, `/c:/Users/me`: ``, `c:/users/ME`: ``, `C:\Users\other`: ``, `shop`: ``, ``: ``,
	} {
		got := cleanRoot(dir)
		if !narrow(got, `C:\Users\me`) {
			got = ""
		}
		if got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
