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
