package gates

import (
	"encoding/json"
	"testing"
)

// TestCachesOfPackages: what package managers keep of what they installed may be read, also by
// patterns of which each match lies in such a directory; what lies beside them asks.
func TestCachesOfPackages(t *testing.T) {
	decisions(t, State{}, map[string]Disposition{
		"grep -rn x ~/.cargo/registry/src/*/clang-2.0.*/src/*.rs":           Approved,
		"cat ~/.cargo/registry/src/*/clang-2/src/a.rs":                      Approved,
		"grep -rn x ~/.cargo/registry/src":                                  Approved,
		"sed -n 1,9p ~/.pyenv/versions/*/lib/python3*/site-packages/r/a.py": Approved,
		"cat ~/.rustup/toolchains/*/lib/rustlib/src/rust/library/a.rs":      Approved,
		"cat ~/.gradle/wrapper/dists/*/*/*/lib/a.jar":                       Approved,
		"cat ~/venvs/x/lib/python3.12/site-packages/requests/api.py":        Approved,
		"cat ~/venvs/*/lib/python3*/site-packages/requests/api.py":          Approved,
		"grep -rn x ~/tools/x/node_modules/vite/dist":                       Approved,
		"cd ~/.cargo/registry/src && grep -rn x */clang-2/src":              Approved,

		"cat ~/.cargo/registry/src/*/../../../credentials.toml":      ApprovedWithConstraints,
		"cat ~/.cargo/registry/src/*/../../../config.toml":           ApprovedWithConstraints,
		"grep -r x ~/.m2/repository/.*":                              ApprovedWithConstraints,
		"grep -r x ~/.m2/repository/.?":                              ApprovedWithConstraints,
		"cat ~/.m2/repository/.*/settings.xml":                       ApprovedWithConstraints,
		"cat ~/.m2/repository/$X/settings.xml":                       ApprovedWithConstraints,
		"cat ~/.m2/repository/$(cat x)/settings.xml":                 ApprovedWithConstraints,
		"grep -r x ~/.m2/repository/.[.]":                            ApprovedWithConstraints,
		"cat ~/.m2/repository/$X/a.xml":                              ApprovedWithConstraints,
		"cat /home/linuxbrew/.linuxbrew/Cellar/jq/1.7/README.md":     Approved,
		"cat /home/linuxbrew/.linuxbrew/etc/x.conf":                  ApprovedWithConstraints,
		"cat ~/.m2/settings.xml":                                     ApprovedWithConstraints,
		"cat ~/.m2/*":                                                ApprovedWithConstraints,
		"cat ~/.m2/repository*/settings.xml":                         ApprovedWithConstraints,
		"cat ~/.cargo/{registry/src,credentials.toml}":               ApprovedWithConstraints,
		"cat ~/.cargo/registry/src/*/.env":                           ApprovedWithConstraints,
		"cat ~/.cargo/registry/src/*/id_rsa":                         ApprovedWithConstraints,
		"cat ~/.cargo/registry/*":                                    ApprovedWithConstraints,
		"cat ~/.gem/credentials":                                     ApprovedWithConstraints,
		"cat ~/.gem/*/credentials":                                   ApprovedWithConstraints,
		"cat ~/.hex/hex.config":                                      ApprovedWithConstraints,
		"cat ~/.composer/auth.json":                                  ApprovedWithConstraints,
		"cat ~/.terraform.d/credentials.tfrc.json":                   ApprovedWithConstraints,
		"bash ~/.cargo/registry/src/*/x/run.sh":                      ApprovedWithConstraints,
		"python3 ~/venvs/x/lib/python3.12/site-packages/r/api.py":    ApprovedWithConstraints,
		"rm -rf ~/.cargo/registry/src":                               ApprovedWithConstraints,
		"rm -rf ~/.cargo/registry/src/*":                             ApprovedWithConstraints,
		"echo x > ~/venvs/x/lib/python3.12/site-packages/sitecustom": ApprovedWithConstraints,
		"sed -i s/a/b/ ~/tools/x/node_modules/vite/dist/a.js":        ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/../config":                       ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/*/../../config":                  ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/.cache/a":                        ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/.*/a":                            ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/v/.npmrc":                        ApprovedWithConstraints,
		"cat ~/tools/x/node_modules":                                 ApprovedWithConstraints,
		"cat ~/tools/$X/node_modules/v/a.js":                         ApprovedWithConstraints,
		"cat ~/tools/x/node_modules/$X/a.js":                         ApprovedWithConstraints,
		"cat ~/notes/site-packages/a":                                ApprovedWithConstraints,
		"curl -T ~/.cargo/registry/src/*/a/b https://h.example/x":    ApprovedWithConstraints,
	})
	decisions(t, State{Links: []Link{{From: "/home/me/.m2/repository", To: "/home/me/private"}}}, map[string]Disposition{
		"cat ~/.m2/repository/*/a.pom": ApprovedWithConstraints,
		"cat ~/.m2/repository":         ApprovedWithConstraints,
	})
}

// TestCachesOnWindows: the same below the directories for programs' data there.
func TestCachesOnWindows(t *testing.T) {
	s := State{Cwd: `C:\w\repo`, Roots: []string{`C:\w\repo`}, Home: `C:\Users\me`}
	for file, want := range map[string]Disposition{
		`C:\Users\me\AppData\Local\pip\Cache\http\a`:                Approved,
		`C:\Users\me\.cargo\registry\src\i\serde\src\lib.rs`:        Approved,
		`C:\Users\me\AppData\Roaming\npm\node_modules\npm\index.js`: Approved,
		`C:\Users\me\AppData\Roaming\NuGet\NuGet.Config`:            ApprovedWithConstraints,
		`C:\Users\me\AppData\Roaming\Composer\auth.json`:            ApprovedWithConstraints,
		`C:\Users\me\AppData\Local\pip\pip.ini`:                     ApprovedWithConstraints,
	} {
		args, err := json.Marshal(map[string]string{"file_path": file})
		if err != nil {
			t.Fatal(err)
		}
		c := NewContext(Request{Tool: "Read", Args: args}, s)
		if d := (&Guardrail{}).Decide(&c); d.Disposition != want {
			t.Errorf("%s: %v, want %v %+v", file, d.Disposition, want, d.Reasons)
		}
	}
}
