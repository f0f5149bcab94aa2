package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// roles gives each argument its role and takes the words out, comments of a
// command line among them.
func (b *builder) roles() {
	kept := b.c.Args[:0]
	risk := b.has("security_risk")
	for _, a := range b.c.Args {
		r := b.roleOf(a.Path, risk)
		if r == effect.RoleWords {
			continue
		}
		a.Role = r.String()
		if r == effect.RoleCommand && !strings.Contains(a.Path, ".") {
			if strings.IndexByte(a.Value, '#') >= 0 {
				a.Value = b.parsed(a.Value).WithoutComments()
			}
		}
		kept = append(kept, a)
	}
	b.c.Args = kept
}

func (b *builder) has(key string) bool {
	for i := range b.c.Args {
		if b.c.Args[i].Path == key {
			return true
		}
	}
	return false
}

// roleOf finds the role of an argument by its path: in the tool's schema, in
// the built-in table, or by its name. risk says that the call carries OpenHands'
// own estimate of its risk, which it puts beside a summary for people.
func (b *builder) roleOf(path string, risk bool) effect.Role {
	key, _, nested := strings.Cut(path, ".")
	if b.schema != nil {
		if r, ok := b.schema.role(path); ok {
			return r
		}
		return effect.RoleNone
	}
	if key == "security_risk" || risk && key == "summary" {
		return effect.RoleWords // an agent's claim about its own call, on every tool OpenHands has
	}
	if b.c.Class.Basis == BasisBuiltin {
		if r, ok := builtinRole(Name(b.call.Tool), key); ok {
			return r
		}
	}
	return b.guessRole(key, nested)
}

// FamilyNames are the names of the families that a schema can have.
func FamilyNames() []string { return append([]string(nil), familyNames[1:]...) }

// ParseFamily returns the family with a name; the unknown family has none.
func ParseFamily(name string) (Family, bool) {
	i := nameIndex(familyNames[1:], name)
	return Family(i + 1), i >= 0
}

func nameIndex(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// secretTool says whether a tool's name says that it reads secrets: of a vault,
// a password manager, a cloud's secret store.
func secretTool(tool string) bool { return names.SecretTool(Words(tool)) }
