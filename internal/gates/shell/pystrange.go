package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file judges the packages of others that inline Python uses: those that are known to
// compute on what they are given are judged by names as code of the workspace is, of others
// only what they say of themselves may be used.

// pythonPackages are packages whose work is computing on data and files that a call names. What
// they have beside that (downloads, loaders that run code) is refused by name, see the
// dialect's denied words. Sorted.
const pythonPackages = " " +
	"OpenSSL PIL arrow astropy attr attrs babel bs4 cbor2 certifi chardet charset_normalizer cryptography cv2 cycler dateutil " +
	"fontTools h5py idna importlib_metadata importlib_resources isodate jmespath jose jsonpath_ng jsonschema jwt kiwisolver llvmlite lxml " +
	"markdown markdown_it markupsafe matplotlib more_itertools mpl_toolkits networkx numba numpy openpyxl orjson " +
	"packaging pandas pathspec pendulum pint platformdirs polars prettytable pyarrow pyasn1 pycparser pydantic pydantic_core pydantic_settings pygments pylab " +
	"pyparsing pyrsistent pytz regex rich rpds ruamel safetensors scipy seaborn shapely simplejson skimage sklearn sniffio sortedcontainers soupsieve sqlparse " +
	"structlog tabulate tensorflow tiktoken toml tomli tomli_w tomlkit toolz torch tqdm typing_extensions tzdata ujson unidecode " +
	"uritemplate wcwidth webcolors xarray xmltodict yaml yarl zstandard "

// saysOfItself are attributes by which a package tells its version and where it lies.
const saysOfItself = "__version__ __file__ __path__ __name__ __doc__ VERSION __version_info__ __all__"

// strange says whether a module, of which name is used, is of a package that is none of those above
// and not of the workspace, where somebody looked. Code in files is the workspace's, whatever it uses.
func (p *pythonCode) strange(mod, name string) bool {
	top, rest, _ := cutAt(mod, ".")
	m := p.m
	if m.linked != nil { // what is the workspace's stands in the text itself
		return !libraryModule(mod) && PackageKind("python", mod) != Harmless && !m.linked.declares(mod, name)
	}
	if top == "" || m.cell || m.served && top == servedModule || m.p.There == nil || m.p.NamesBelow == nil || libraryModule(mod) || strings.Contains(pythonPackages, " "+top+" ") {
		return false
	}
	for _, dir := range append([]string{m.cwd}, m.p.Roots...) {
		for _, sub := range [...]string{"", "src/", "lib/", "python/"} {
			if p.importable(m.p.Resolve(dir, sub+top), strings.Trim(rest+"."+name, ".")) {
				return false
			}
		}
	}
	return true
}

// besideCode says whether a module is a file or a package of the workspace right where the code runs,
// which Python finds before any other (docs.python.org/3/library/sys.html, sys.path): its name says
// nothing then of what it does.
func (p *pyReader) besideCode(mod string) bool {
	m := p.m
	top, _, _ := cutAt(mod, ".")
	if top == "" || libraryModule(mod) || m.cell || m.p.There == nil || m.environmentSet() || isAmong(m.argv, "-I") || isAmong(m.argv, "-P") || p.says("path") {
		return false
	}
	code := pythonCode{m: m, py: p}
	base := m.p.Resolve(m.cwd, top)
	z, _, _ := m.p.Where(base + ".py")
	return z == effect.ZoneWorkspace && code.importable(base, "")
}

// ownName says whether the word at i is the name of such a module, in its import or before a dot.
func (p *pyReader) ownName(i int) bool {
	t := p.toks[i]
	if p.is(i-1, ".") {
		return false
	}
	if p.names[i] {
		return (p.isName(i-1, "import") || p.isName(i-1, "from") || p.is(i-1, ",") && p.inside[i] < 0) && !p.isName(i+1, "as") && p.besideCode(t.text)
	}
	list := p.binds[t.text]
	return len(list) > 0 && p.is(i+1, ".") && !slices.ContainsFunc(list, func(b pyBinding) bool { return b.how != bindImport || b.name != t.text }) && p.besideCode(t.text)
}

// importable says whether Python imports a module of the workspace's own by the path of its first
// name: a file, or a package that git tracks or that the session wrote. A directory that is no
// package is one only for what lies in it by the further names, for an installed package of its
// name comes first (The Python Language Reference, 5.2.2, "Namespace packages").
func (p *pythonCode) importable(base, rest string) bool {
	if p.lies(base+".py") || p.lies(base+".pyx") {
		return true
	}
	if init := base + "/__init__.py"; p.lies(init) {
		_, made := p.m.written(init)
		return made || p.sessionMade(init) || p.m.p.Tracked == nil || p.m.p.Tracked(init)
	}
	for name := range strings.SplitSeq(rest, ".") {
		if name == "" || !p.m.p.There(base) {
			return false
		}
		if base += "/" + name; p.lies(base+".py") || p.lies(base+"/__init__.py") {
			return true
		}
	}
	return false
}

// lies says whether a file lies in the workspace, before the line or after what it wrote.
func (p *pythonCode) lies(file string) bool {
	_, made := p.m.written(file)
	return made || p.m.p.There(file)
}

// sessionMade says whether an earlier call of the session wrote a file.
func (p *pythonCode) sessionMade(file string) bool {
	return slices.ContainsFunc(p.m.p.Made, func(f effect.Made) bool { return f.Path == file })
}

// strangeName judges a name of a strange module.
func (p *pythonCode) strangeName(mod, name string) {
	if !hasWord(saysOfItself, name) && (!hasWord(testClients, mod+"."+name) || p.m.aimsElsewhere(nil) || p.py.says("delete")) {
		p.ask(mod + "." + name)
	}
}

// shownAlone says whether a module, or what it says of itself, is all that a call of print, dir or the
// like is given: from token i to k.
func (p *pythonCode) shownAlone(i, k int) bool {
	return p.is(i-1, "(") && i >= 2 && hasWord("print dir repr str type", p.toks[i-2].text) && !p.is(i-3, ".") && (p.is(k+1, ")") || p.is(k+1, ","))
}

// raises says whether a from belongs to raise, which no import follows.
func (p *pythonCode) raises(i int) bool {
	for j := i + 1; j < len(p.toks) && !p.toks[j].gap && !p.is(j, ";"); j++ {
		if p.is(j, "import") {
			return false
		}
	}
	return true
}

// pythonEscapes says whether a name is one of those that lead from an object to the
// code or the names behind it.
func pythonEscapes(name string) bool {
	return strings.HasPrefix(name, "__") && !hasWord(pythonDunders, name) && (hasWord(pythonSpecial, name) || !strings.HasSuffix(name, "__"))
}
