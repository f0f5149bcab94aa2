package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestDirectoriesOfBuilds: who cleans a build in a directory that the call gives it deletes what is
// there, and who builds or installs below a link writes where it leads.
func TestDirectoriesOfBuilds(t *testing.T) {
	disk := map[string]string{"Makefile": "all:\n", "Cargo.toml": "[package]\n", "pom.xml": "<project/>\n", "gradlew": "x\n", "data/a.csv": "1\n", "build/a.o": "x\n", "target/a": "x\n", "src/a.c": "int a;\n"}
	for line, asks := range map[string]bool{
		"make clean BUILD_DIR=data":                       true,
		"make BUILDDIR=data distclean":                    true,
		"make clean BUILD_DIR=/home/u/other":              true,
		"BUILD_DIR=data make -e clean":                    true,
		"make uninstall prefix=data":                      true,
		"CARGO_BUILD_TARGET_DIR=data cargo clean":         true,
		"export CARGO_BUILD_TARGET_DIR=data; cargo clean": true,
		"env CARGO_BUILD_BUILD_DIR=data cargo clean":      true,
		"gradle clean -PbuildDir=data":                    true,
		"ORG_GRADLE_PROJECT_buildDir=data gradle clean":   true,
		"mvn clean -DbuildDirectory=data":                 true,
		"dune clean --build-dir data":                     true,
		"stack clean --work-dir data":                     true,
		"bazel --output_base=data clean":                  true,
		"make DESTDIR=out install":                        true,
		"DESTDIR=out make install":                        true,
		"make install prefix=out/usr":                     true,

		"make clean BUILD_DIR=build":                  false,
		"make clean BUILD_DIR=none":                   false, // nothing is there
		"make clean V=1 CONFIG=Makefile":              false,
		"make all BUILD_DIR=data":                     false,
		"PYTHONPATH=src make clean":                   false,
		"CARGO_BUILD_TARGET_DIR=target cargo clean":   false,
		"CARGO_BUILD_TARGET_DIR=data cargo build":     false,
		"gradle clean build -PbuildDir=build":         false,
		"mvn clean install -DskipTests=true":          false,
		"make DESTDIR=stage install":                  false,
		"make DESTDIR=$PWD/stage PREFIX=/usr install": false,
	} {
		p := inProject(t, disk)
		p.st.Links = []gates.Link{{From: "/home/u/p/out", To: "/home/u/other"}}
		if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
