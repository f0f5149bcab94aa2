package gates_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestLinkedTrees: who follows links in the workspace, by an option or by a pattern of paths, does to
// what they lead to what the call does.
func TestLinkedTrees(t *testing.T) {
	disk := map[string]string{"src/a.py": "print(1)\n", "src/notes.txt": "x\n", "README.md": "x\n", "../other/plain.txt": "x\n", "../other/d/b.txt": "x\n", ".env": "K=1\n"}
	links := map[string]string{"/home/u/p/out": "/home/u/other", "/home/u/p/src/shown": "/home/u/p/.env", "/home/u/p/docs": "/home/u/p/src"}
	for line, asks := range map[string]bool{
		"find -L . -name '*.txt' | xargs cat":              true,
		"find . -follow -name '*.txt' -exec cat {} +":      true,
		"find -L . -name '*.txt' -exec sed -i s/a/b/ {} +": true,
		"fd -L -e txt -X cat":                              true,
		"rg -L x":                                          true,
		"rg --follow x .":                                  true,
		"ack --follow x .":                                 true,
		"grep -R x .":                                      true,
		"cp -rL . /tmp/x":                                  true,
		"tar -chf /tmp/x.tar .":                            true,
		"cat */plain.txt":                                  true,
		"cat */*.txt":                                      true,
		"cat */d/*":                                        true,
		"cat src/sh*":                                      true,
		"sed -i s/a/b/ */plain.txt":                        true,
		"rm -rf */d":                                       true,
		"chmod 600 */plain.txt":                            true,
		"grep -r x *":                                      true,

		"find . -name '*.txt' | xargs cat":          false,
		"find -L . -name '*.py' | xargs cat":        false,
		"find -L src -name 'notes*' -exec cat {} +": false,
		"fd -e txt -X cat":                          false,
		"rg x":                                      false,
		"grep -R nothing src/a.py":                  false,
		"cp -r src /tmp/x":                          false,
		"tar -cf /tmp/x.tar src":                    false,
		"cat *.md":                                  false,
		"cat */*.py":                                false,
		"cat doc*/*.txt":                            false, // it stays in the workspace
		"wc -l *":                                   false, // no directory is read so
		"sed -i s/a/b/ src/*.txt":                   false,
		"ls -lL *":                                  false,
	} {
		p := inProject(t, nil)
		for name, text := range disk {
			if rest, up := strings.CutPrefix(name, "../"); up {
				p.disk["/home/u/"+rest] = text
			} else {
				p.disk["/home/u/p/"+name] = text
			}
		}
		p.st.LinksIn = func(dir string) []gates.Link {
			var out []gates.Link
			for from, to := range links {
				if at := strings.LastIndexByte(from, '/'); from[:at] == dir {
					out = append(out, gates.Link{From: from, To: to})
				}
			}
			return out
		}
		names := p.st.Names
		led := func(path string) string {
			for from, to := range links {
				if path == from || strings.HasPrefix(path, from+"/") {
					return to + path[len(from):]
				}
			}
			return path
		}
		p.st.Names = func(dir string) []string {
			out := names(led(dir))
			for _, l := range p.st.LinksIn(dir) {
				out = append(out, l.From[strings.LastIndexByte(l.From, '/')+1:])
			}
			return out
		}
		exists := p.st.Exists
		p.st.Exists = func(path string) bool { return exists(led(path)) }
		if d := p.call("Bash", map[string]string{"command": line}); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
