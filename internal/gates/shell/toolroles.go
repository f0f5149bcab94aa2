package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says what a word in each role does (programs/FORMAT.md).

// listRoles are roles of words that may be lists with commas, of which each part names
// a file.
var listRoles = string([]byte{roleReads, roleCreates, roleChanges, roleEdits, roleScript, roleSettings, roleSetting, rolePlainFile, rolePlainOutput, rolePackage, rolePlugin})

// operand gives a word its role. One that is in no list needs review. Of a list with
// commas the parts that may leave the workspace have the role, too.
func (r *toolRun) operand(role byte, word string) {
	if strings.Contains(word, ",") && firstByte(listRoles, role) >= 0 {
		for part := range strings.SplitSeq(word, ",") {
			if reachesOut(part) && part != word {
				r.word(role, part)
			}
		}
	}
	if role == roleScript && len(word) > 2 && word[0] == '-' { // an option behind --, for what runs the scripts (-O/tmp/x, --require=/tmp/x)
		if _, value, has := cutAt(word, "="); has && reachesOut(value) {
			r.word(role, value)
		} else if reachesOut(word[2:]) {
			r.word(role, word[2:])
		}
	}
	if role == roleScript { // a path of directories (ghc -isrc:lib)
		for part := range strings.SplitSeq(word, ":") {
			if reachesOut(part) && part != word {
				r.word(role, part)
			}
		}
	}
	r.word(role, word)
}

func (r *toolRun) word(role byte, word string) {
	if !r.fileRole(role, word) && !r.ownRole(role, word) && !r.networkRole(role, word) && !r.serverRole(role, word) && !r.codeRole(role, word) {
		r.m.escape(r.t.name + " " + word)
	}
}

func (r *toolRun) fileRole(role byte, word string) bool {
	m := r.m
	switch role {
	case roleReads:
		r.read(word)
		if r.runs {
			m.script(word)
		}
		if r.inPlace && !r.dry {
			m.rework(word)
		}
		if r.remove && !r.dry {
			m.remove(word, effect.OpRemove)
		}
	case roleCreates:
		r.creates(word)
	case roleChanges:
		m.write(word, effect.OpModify)
	case roleEdits:
		m.read(word)
		if !r.dry {
			m.rework(word)
		}
	case roleRemoves:
		op := effect.OpRemove
		if r.recursive {
			op = effect.OpRemoveTree
		}
		m.remove(word, op)
	case roleRemovesTree:
		m.remove(word, effect.OpRemoveTree)
	case roleStats:
		m.path(effect.List, effect.OpStat, word)
	case roleAmount:
		r.amount = word
	case roleLists:
		m.list(word)
	case roleSearches:
		m.path(effect.List, effect.OpSearch, word)
	case roleDirectory:
		m.list(word)
		m.cwd = m.p.Resolve(m.cwd, word)
		m.moved()
	default:
		return false
	}
	return true
}

func (r *toolRun) networkRole(role byte, word string) bool {
	m := r.m
	switch role {
	case roleFetches:
		op := effect.OpFetch
		if r.sends {
			op = effect.OpSend
		}
		r.reached = true
		m.url(op, word, "http")
	case roleRequest:
		r.httpieWord(word)
	case roleListensAt:
		if r.here = onlyHere(word); !r.here {
			m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(word)})
		}
	case roleSendsTo:
		r.told = true
		m.url(effect.OpSend, word, "http")
	case roleChain:
		r.chain(word)
	case roleConnects:
		m.url(effect.OpConnect, word, "")
	case roleProbes:
		m.url(effect.OpProbe, word, "")
	case roleDocument:
		r.document(word)
	case roleLookup:
		r.lookup(word)
	case roleUpdates:
		if r.updates = true; word != "" && word[0] != '=' { // -u=patch of go get
			r.updated = append(r.updated, word)
		}
	case roleRepository:
		r.repository(word)
	case roleRemote:
		r.remoteNamed(word)
	default:
		return false
	}
	return true
}

// serverRole is for what clients of databases and clusters take.
func (r *toolRun) serverRole(role byte, word string) bool {
	switch role {
	case roleDatabase:
		r.connection(word)
	case roleTemplate:
		r.template(word)
	case roleEnvironment:
		r.environment(word)
	case roleSQL, roleSQLTemplate, rolePsql, roleSqlite, roleServerCommand, roleResource, roleDuckdb, roleMongo:
		r.given = true
		r.query(role, word)
	case rolePlainFile, rolePlainOutput:
		r.plainFile(word, role == rolePlainOutput)
		if f, n := r.optionValue("-f"); r.t.name == "qemu-img convert" && (n != 1 || f != "raw") {
			r.m.escape("qemu-img convert reads what an image names") // its backing file, or all of it
		}
	default:
		return false
	}
	return true
}

// codeRole is for what decides which code runs, and for words that do nothing.
func (r *toolRun) codeRole(role byte, word string) bool {
	m := r.m
	switch role {
	case roleNothing, roleSbt:
		if r.t.act == doesBuild {
			r.passedOn(word)
		}
		r.reaches("", word)
		r.remoteOperand(word)
		if role == roleSbt {
			m.sbtCommand(word)
		}
	case roleTask:
		r.task(word)
	case roleScalars:
		r.scalars(word)
	case roleExpression:
	case roleJq:
		m.jqEnviron(word)
		m.exhausts(word)
	case roleYq:
		if strings.Contains(word, "load") || strings.Contains(word, "env") || strings.Contains(word, "system") {
			m.escape(r.t.name + " " + word)
		}
		r.fileRole(roleReads, word)
	case roleCommandLine:
		r.commanded = true
		m.source(r.asLine(word), unknown)
	case roleParameters:
		r.parameters("", word)
	case roleOwnLine:
		m.source(r.program()+" "+word, unknown)
	case roleScript:
		r.remoteOperand(word)
		if key, value, ok := cutAt(word, "="); ok { // a setting of what the builder runs
			r.loadsFrom(key, value)
		}
		if word != "" && word[0] == '@' { // a file of options
			r.read(word)
		}
		m.script(word)
	case rolePackage, roleProgram:
		if strings.Contains(word, "@") || strings.Contains(word, "://") {
			m.escape(r.t.name + " " + word) // a module at a version comes from the network
		} else if m.prog != "go" || strings.HasSuffix(word, ".go") || mark.Has(word) || !m.plainPackage(word) {
			m.script(m.packagesBelow(word))
		}
	case roleVersioned:
		if firstByte(word, '@') >= 0 {
			m.record(effect.Effect{Kind: effect.Network, Op: effect.OpFetch, Resource: m.prog})
		}
	case roleName:
		if firstByte(word, '/') >= 0 || mark.Has(word) {
			m.escape(r.t.name + " " + word)
		}
	case roleSettings:
		m.settings(word)
	case roleEnvFile:
		m.envFile(r.t.name, word)
		r.took = word
	case roleNix:
		r.nixSource(word)
	case roleNixExpression:
		r.nixExpression(word)
	case roleSetting:
		r.judge("", word)
	case roleAssignment:
		if firstByte(word, '=') >= 0 || mark.Has(word) {
			m.escape(r.t.name + " " + word)
		}
	case roleProcess:
		m.signal(word)
	case roleVariable:
		if names.SecretVariable(word) || firstByte(word, mark.Unknown) >= 0 {
			m.record(effect.Effect{Kind: effect.Read, Op: effect.OpEnv, Zone: effect.ZoneCaller, Sensitive: true, Resource: "$" + show(word)})
		}
	default:
		return false
	}
	return true
}

// read reads an operand. Pagers take +COMMAND, compilers @FILE.
func (r *toolRun) read(word string) {
	if len(word) > 1 && word[0] == '@' {
		r.loadsFrom("@", word[1:])
		r.m.read(word[1:])
	}
	if len(word) > 1 && word[0] == '+' && strings.Trim(word[1:], "0123456789FG") != "" && r.t.has(traitPlusCommands) {
		r.m.escape(r.t.name + " " + word)
	}
	r.m.read(word)
}
