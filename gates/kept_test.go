package gates

import "testing"

// TestBesideCaches: what holds logins beside packages, and profiles of browsers, is no package.
func TestBesideCaches(t *testing.T) {
	decisions(t, State{}, map[string]Disposition{
		"cat ~/.gradle/caches/x/a.pom":                                         Approved,
		"cat ~/.cargo/registry/src/i/serde-1.0/src/lib.rs":                     Approved,
		"cat ~/.pyenv/versions/3.12.1/pip.conf":                                ApprovedWithConstraints,
		"cat ~/.m2/repository/settings.xml":                                    ApprovedWithConstraints,
		"grep pass ~/.gradle/caches/x/gradle.properties":                       ApprovedWithConstraints,
		"cat ~/.cache/ms-playwright/mcp-chrome/Default/Cookies":                ApprovedWithConstraints,
		"cat ~/Library/Caches/ms-playwright/mcp-chrome/Default/Login*":         ApprovedWithConstraints,
		"shopt -s extglob; cat ~/.cargo/registry/src/i/@(..)/@(..)/@(..)/note": ApprovedWithConstraints,
	})
}
