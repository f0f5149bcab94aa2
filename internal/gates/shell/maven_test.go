package shell

import "testing"

// TestMavenPlain tells the properties that only name a class or a plugin from all others.
func TestMavenPlain(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"exec.mainClass", "shop.Main", true},
		{"exec.mainClass", "shop.Main$Inner", true},
		{"plugin", "org.apache.maven.plugins:maven-compiler-plugin", true},
		{"exec.mainClass", "../x", false},
		{"exec.mainClass", "", false},
		{"exec.executable", "curl", false},
	} {
		if got := mavenPlain(c.key, c.value); got != c.want {
			t.Errorf("%s=%s: %v", c.key, c.value, got)
		}
	}
}
