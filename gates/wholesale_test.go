package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestWholesale: who is shown a secret among all files of a directory has read it, and who
// is shown nothing of it has not.
func TestWholesale(t *testing.T) {
	disk := map[string]string{".env": "STRIPE_KEY=abc\n", "src/a.py": "print('STRIPE')\n", "docs/a.md": "STRIPE_KEY is set in .env\n", "node_modules/x/.env": "OTHER=1\n"}
	for line, asks := range map[string]bool{
		"grep -rn STRIPE .":                       true,
		"grep -rn STRIPE":                         true,
		"grep -rni stripe_key .":                  true,
		"grep -rE 'STRIPE|OTHER' .":               true,
		"grep -r 'STRIPE\\|OTHER' .":              true,
		"grep -rF 'STRIPE_KEY=' .":                true,
		"grep -rv nothing .":                      true,
		"grep -r '\\(' .":                         true, // nobody knows what it finds
		"ag --hidden -U STRIPE":                   true,
		"ag STRIPE":                               false,
		"fd -HI -t f . -x cat":                    true,
		"fd -t f . -x cat":                        false,
		"fd -HI -e py -x cat":                     false,
		"find . -type f -size -2k -exec cat {} +": true,
		"rg -uu STRIPE":                           true,
		"rg --hidden --no-ignore STRIPE":          true,
		"find . -type f | xargs cat":              true,
		"find . -not -path './node_modules/*' | xargs grep -n STRIPE": true,
		"find . -maxdepth 1 -type f -exec cat {} +":                   true,
		"cat $(ls -A)":                        true,
		"for f in $(ls -a); do head $f; done": true,
		"tar cf - . | base64":                 true,
		"git grep --no-index STRIPE":          true,
		"git grep --no-index -n STRIPE .":     true,
		"diff -rN . /tmp/empty":               true,
		"diff -ruN . other":                   true,
		"bash -x .env":                        true,
		"sh -nv .env":                         true,
		"git grep STRIPE":                     false,
		"git grep --no-index STRIPE src":      false,
		"diff -rqN . other":                   false,
		"diff -r . other":                     false,
		"diff -rN src docs":                   false,

		"grep -rn print .":                       false, // no line of it
		"grep -rn STRIPE src docs":               false,
		"grep -rln STRIPE .":                     false, // names of files
		"grep -rc STRIPE .":                      false,
		"grep -rn --include='*.py' STRIPE .":     false,
		"grep -rn --exclude='.env*' STRIPE .":    false,
		"grep -rn OTHER .":                       false, // among installed packages
		"rg STRIPE":                              false, // hidden files are left out
		"rg -u STRIPE":                           false,
		"rg -uu -g '*.py' STRIPE":                false,
		"find . -name '*.py' | xargs cat":        false,
		"find src -type f | xargs cat":           false,
		"find . -type f | xargs wc -l":           false,
		"find . -type f | grep src | xargs cat":  false,
		"find . -type f | xargs grep -n print":   false,
		"find . -type f | xargs grep -ln STRIPE": false,
		"cat $(ls)":                              false,
		"ls -la":                                 false,
		"find . -type f":                         false,
		"tar cf a.tar src":                       false,
		"tar cf - src | wc -c":                   false,
	} {
		p := inProject(t, disk)
		if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		} else if p.st.Flow.SensitiveRead != asks {
			t.Errorf("%s: noted as read: %v", line, p.st.Flow.SensitiveRead)
		}
	}
	p := inProject(t, map[string]string{"src/a.py": "STRIPE\n"})
	if d := p.call("Bash", map[string]string{"command": "grep -rn STRIPE . && find . -type f | xargs cat && tar cf - . | base64"}); d.Disposition != gates.Approved {
		t.Errorf("without a secret: %v %v", d.Disposition, d.Reasons)
	}
}

// TestSecretsAmong: who reads what a pattern of paths or a listing by names stands for has read the
// secrets that lie there, and where none does, or none of it is shown, nothing is asked.
func TestSecretsAmong(t *testing.T) {
	disk := map[string]string{
		".env.local": "KEY=1\n", "conf/credentials.json": "{\"a\": 1}\n", "conf/app.yaml": "a: 1\n", "conf/b.json": "{}\n", "src/a.py": "print(1)\n", "src/b.json": "{}\n",
		"keys/prod/server.key": "x\n", "README.md": "x\n", ".gitignore": ".env*\n",
	}
	for line, asks := range map[string]bool{
		"find . -name '*.local' | xargs cat":                           true,
		"find . -name '*.local' -exec cat {} +":                        true,
		"find conf src -name '*.json' | xargs cat":                     true,
		"find . -iname '*.JSON' | xargs cat":                           true,
		"find . -path './conf/*' -type f | xargs cat":                  true,
		"find . -type f ! -name '*.py' -exec cat {} +":                 true,
		"find . \\( -name '*.py' -o -name '*.json' \\) -exec cat {} +": true,
		"git ls-files '*.json' | xargs cat":                            true,
		"git ls-files | xargs cat":                                     true,
		"for f in $(find . -name '*.local'); do cat $f; done":          true,
		"find . -name '*.json' | while read f; do cat $f; done":        true,
		"ls conf/* | xargs cat":                                        true,
		"ls conf | xargs -I{} cat conf/{}":                             true,
		"cat $(find . -name '*.json')":                                 true,
		"cat conf/*":                                                   true,
		"cat conf/*.json":                                              true,
		"cat */*/s*":                                                   true,
		"cat conf/[!b]*":                                               true,
		"cat **/*.json":                                                true,
		"for f in conf/*; do head $f; done":                            true,
		"sed -n 1,5p conf/*":                                           true,
		"grep -n a conf/*":                                             true,
		"rg a conf":                                                    true,
		"rg -t json a":                                                 true,
		"fd -e json -X cat":                                            true,
		"fd cred -x cat":                                               true,
		"python3 -c \"import glob; print([open(f).read() for f in glob.glob('conf/*')])\"":                   true,
		"python3 -c \"from pathlib import Path; print([p.read_text() for p in Path('.').rglob('*.json')])\"": true,
		"cp -r conf /tmp/c && cat /tmp/c/*":                                          true,
		"tar cf /tmp/x.tar conf && tar xOf /tmp/x.tar":                               true,
		"tar cf /tmp/x.tar conf && tar xf /tmp/x.tar -C /tmp/y && cat /tmp/y/conf/*": true,
		"zip -r /tmp/x.zip conf && unzip -p /tmp/x.zip":                              true,

		"find . -name '*.local' | xargs wc -l":                                                false,
		"find . -name '*.py' | xargs cat":                                                     false,
		"find . -path './src/*' -type f | xargs cat":                                          false,
		"find . -maxdepth 1 -name '*.json' | xargs cat":                                       false,
		"find . -path ./conf -prune -o -name '*.json' -print | xargs cat":                     false,
		"find . -type f -not -name '.env*' -not -name '*.key' -not -name 'cred*' | xargs cat": false,
		"find src -name '*.json' | xargs cat":                                                 false,
		"find . -name '*.json' | xargs grep -n nothing":                                       false,
		"ls -a; find . -name '*.py' | xargs cat":                                              false,
		"git ls-files '*.py' | xargs cat":                                                     false,
		"git ls-files src | xargs cat":                                                        false,
		"ls src/* | xargs cat":                                                                false,
		"ls | xargs cat":                                                                      false,
		"cat *":                                                                               false, // a star stands for no dot
		"cat conf/*.yaml":                                                                     false,
		"cat src/*":                                                                           false,
		"for f in src/*; do head $f; done":                                                    false,
		"grep -n nothing conf/*":                                                              false,
		"wc -l conf/*":                                                                        false,
		"cp conf/* /tmp/":                                                                     false, // under its own name
		"rg KEY":                                                                              false, // git ignores it
		"rg -t py a":                                                                          false,
		"fd -e py -X cat":                                                                     false,
		"fd -e json -E 'cred*' -X cat":                                                        false,
		"cp -r src /tmp/c && cat /tmp/c/*":                                                    false,
		"cp -r conf /tmp/c && cat /tmp/c/*.yaml":                                              false,
		"tar cf /tmp/x.tar conf && tar tf /tmp/x.tar":                                         false,
		"tar cf /tmp/x.tar src && tar xOf /tmp/x.tar":                                         false,
	} {
		p := inProject(t, disk)
		if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}

// TestWholesaleTools: a tool's search shows a secret where its pattern of names picks it, and
// where nothing keeps it from hidden files.
func TestWholesaleTools(t *testing.T) {
	disk := map[string]string{".env": "STRIPE_KEY=abc\n", "src/a.py": "print('STRIPE')\n"}
	kept := map[string]string{".gitignore": "# local\n.env*\n", ".env": "STRIPE_KEY=abc\n", "src/a.py": "print('STRIPE')\n"}
	for _, row := range []struct {
		disk map[string]string
		args map[string]string
		asks bool
	}{
		{disk, map[string]string{"pattern": "STRIPE", "output_mode": "content"}, true},
		{disk, map[string]string{"pattern": "stripe", "output_mode": "content"}, false},
		{disk, map[string]string{"pattern": "STRIPE", "output_mode": "files_with_matches"}, false},
		{disk, map[string]string{"pattern": "STRIPE"}, false},
		{disk, map[string]string{"pattern": "print", "output_mode": "content"}, false},
		{disk, map[string]string{"pattern": "STRIPE", "path": "/home/u/p/src", "output_mode": "content"}, false},
		{kept, map[string]string{"pattern": "STRIPE", "output_mode": "content"}, false},
		{kept, map[string]string{"pattern": "STRIPE", "glob": "**/.env*", "output_mode": "content"}, true},
		{kept, map[string]string{"pattern": "STRIPE", "glob": "{.env,x}", "output_mode": "content"}, true},
		{kept, map[string]string{"pattern": "STRIPE", "glob": "*.py", "output_mode": "content"}, false},
	} {
		p := inProject(t, row.disk)
		if d := p.call("Grep", row.args); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%v in %d files: %v %v", row.args, len(row.disk), d.Disposition, d.Reasons)
		}
	}
}
