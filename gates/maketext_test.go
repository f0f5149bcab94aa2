package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestMakeFunctions: what functions and variables of make hand to a recipe's shell is judged by what
// they are; what only make can tell may be any place and any program.
func TestMakeFunctions(t *testing.T) {
	for _, row := range []struct {
		text, run string
		asks      bool
	}{
		{"PREFIX ?=\nclean:\n\t@find $(or $(PREFIX),$(HOME))/Documents -type f -exec rm -f {} +\n", "make -s clean", true},
		{"clean:\n\trm -rf $(if $(P),$(P),$(HOME)/x)\n", "make clean", true},
		{"P = build\nclean:\n\trm -rf $(if $(P),$(P),$(HOME)/x)\n", "make clean", false},
		{"P = build\nclean:\n\trm -rf $(or $(P),$(HOME))/x\n", "make clean", false},
		{"P = build\nclean:\n\trm -rf $(or $(P),$(HOME))/x\n", "make clean P=", true},
		{"clean:\n\trm -rf $(and $(A),$(B),$(HOME)/x)\n", "make clean", true},
		{"clean:\n\trm -rf $(if $(A),build,$(if $(B),$(HOME)/x,dist))\n", "make clean", true},
		{"clean:\n\trm -rf $(if $(A),build,$(if $(B),out,dist))\n", "make clean", false},
		{"clean:\n\trm -rf $(if $(A),$(if $(B),$(if $(C),$(if $(D),$(HOME)/x,build),build),build),build)\n", "make clean", true},
		{"clean:\n\t$(foreach d,build dist $(HOME)/x,rm -rf $(d);)\n", "make clean", true},
		{"clean:\n\t$(foreach d,build dist,rm -rf $(d);)\n", "make clean", false},
		{"clean:\n\trm -rf $(subst a,$(HOME),a/x)\n", "make clean", true},
		{"clean:\n\trm -rf $(firstword $(HOME)/x build)\n", "make clean", true},
		{"clean:\n\trm -rf $(lastword $(HOME)/x build)\n", "make clean", true},
		{"D := build dist\nclean:\n\trm -rf $(firstword $(D)) $(word 2,$(D))\n", "make clean", false},
		{"clean:\n\trm -rf $(shell echo $$HOME/x)\n", "make clean", true},
		{"clean:\n\trm -rf $(shell find . -name __pycache__)\n", "make clean", false},
		{"D = $(shell cat where)\nclean:\n\trm -rf $(D)\n", "make clean", true},
		{"D != cat where\nclean:\n\trm -rf $(D)/x\n", "make clean", true},
		{"define GO\nrm -rf $(1)/x\nendef\nclean:\n\t$(call GO,$(HOME))\n", "make clean", true},
		{"define GO\nrm -rf $(1)/x\nendef\nclean:\n\t$(call GO,build)\n", "make clean", false},
		{"define GO\necho a b\nrm -rf ~/x\nendef\nclean:\n\t$(GO)\n", "make clean", true},
		{"N = HOME\nclean:\n\trm -rf $($(N))/x\n", "make clean", true},
		{"N = D\nD = build\nclean:\n\trm -rf $($(N)) ${D}/x\n", "make clean", false},
		{"clean:\n\trm -rf $${HOME}/x\n", "make clean", true},
		{"clean:\n\tfor f in build dist; do rm -rf $$f; done\n", "make clean", false},
		{"clean:\n\trm -rf $(origin A)/../x $(guile (getenv \"HOME\"))/x\n", "make clean", true},
		{"clean:\n\t$(guile (string-append \"rm -rf \" (getenv \"HOME\")))\n", "make clean", true},
		{"clean:\n\t$(file < cmd.txt)\n", "make clean", true},
		{"clean:\n\t$(file > $(HOME)/.profile,rm x)\n\techo a b\n", "make clean", true},
		{"D = build\nifdef X\nD = $(HOME)/x\nendif\nclean:\n\trm -rf $(D)\n", "make clean", true},
		{"D = build\nifdef X\nD = dist\nendif\nclean:\n\trm -rf $(D)\n", "make clean", false},
		{"D = $(HOME)/x\nD += build\nclean:\n\trm -rf $(D)\n", "make clean", true},
		{"clean: D = $(HOME)/x\nclean:\n\trm -rf $(D)\n", "make clean", true},
		{"D ?= build\nclean:\n\trm -rf $(D)/x\n", "make clean", false},
		{"D ?= build\nclean:\n\trm -rf $(D)/x\n", "make clean D=$HOME", true},
		{"D ?= build\nclean:\n\trm -rf $(D)/x\n", "D=$HOME make clean", true},
		{"D = build\nclean:\n\trm -rf $(D)/x\n", "D=dist make clean", false},
		{"D = $(HOME)\nclean:\n\trm -rf $(D)/x\n", "D=build make clean", true},
		{"clean:\n\t$(RM) -r $(HOME)/x\n", "make clean", true},
		{"S = $(wildcard src/*.c)\nO := $(S:.c=.o)\nclean:\n\t$(RM) $(O) $(patsubst %.c,%.o,$(S)) $(addprefix build/,$(notdir $(O)))\n", "make clean", false},
		{"D = x.a\nclean:\n\trm -rf $(D:x.a=$(HOME)/x)\n", "make clean", true},
		{"$(foreach t,a b,$(eval $(t):; rm -rf $(HOME)/$(t)))\n", "make a", true},
		{"define RULE\n$(1):\n\techo building $(1)\nendef\n$(foreach t,a b,$(eval $(call RULE,$(t))))\n", "make a", false},
		{"$(eval D := $(HOME)/x)\nclean:\n\trm -rf $(D)\n", "make clean", true},
		{"Q = $(if $(V),,@)\nall:\n\t$(Q)$(CC) -o build/x x.c\n", "make", false},
		{"include config.mk\nclean:\n\trm -rf $(OUT)/x\n", "make clean", false},
		{"clean:\n\trm -rf $(OUT)/x\n", "make clean", true},
		{"A = $(B)$(B)$(B)$(B)$(B)$(B)$(B)$(B)\nB = $(C)$(C)$(C)$(C)$(C)$(C)$(C)$(C)\nC = $(D)$(D)$(D)$(D)$(D)$(D)$(D)$(D)\nD = $(E)$(E)$(E)$(E)$(E)$(E)$(E)$(E)\nE = xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nX = $(A)$(A)$(A)$(A)\nclean:\n\trm -rf $(or $(P),$(HOME))/x\n", "make clean", true},
	} {
		p := inProject(t, map[string]string{"README.md": "x", "x.c": "int main(){}\n", "src/a.c": "int a;\n", "config.mk": "OUT = build\n"})
		p.write("Makefile", row.text)
		if d := p.call("Bash", map[string]string{"command": row.run}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s with %q: %v %v", row.run, row.text, d.Disposition, d.Reasons)
		}
	}
}

// TestJustExpressions: what a justfile puts into a recipe is judged by what it is.
func TestJustExpressions(t *testing.T) {
	for _, row := range []struct {
		text, run string
		asks      bool
	}{
		{"clean:\n  rm -rf {{env_var('HOME')}}/x\n", "just clean", true},
		{"clean:\n  rm -rf {{ home_directory() }}/x\n", "just clean", true},
		{"d := env('HOME')\nclean:\n  rm -rf {{d}}/x\n", "just clean", true},
		{"d := 'build'\nclean:\n  rm -rf {{d}}/x\n", "just clean", false},
		{"d := '~/x'\nclean:\n  rm -rf {{d}}\n", "just clean", true},
		{"clean d:\n  rm -rf {{d}}/x\n", "just clean ~", true},
		{"x := 'rm'\nclean:\n  {{x}} -rf ~/x\n", "just clean", true},
		{"clean:\n  {{ 'r' + 'm' }} -rf ~/x\n", "just clean", true},
		{"python := 'python3'\ncheck:\n  {{python}} -m pytest -q\n", "just check", false},
		{"check flags='':\n  go vet {{flags}} ./...\n", "just check", false},
	} {
		p := inProject(t, map[string]string{"README.md": "x"})
		p.write("justfile", row.text)
		if d := p.call("Bash", map[string]string{"command": row.run}); (d.Disposition != gates.Approved) != row.asks {
			t.Errorf("%s with %q: %v %v", row.run, row.text, d.Disposition, d.Reasons)
		}
	}
}
