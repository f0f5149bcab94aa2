package source

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads a program of Java (The Java Language Specification, SE 17). A type is one of the
// list or the program's own, and so is each member: no call of a listed member gives an object of
// another class (javanames.go). What stands in java.lang or in a package that may be imported and
// is in no list is never named, whatever the program declares.

// javaWords are keywords, primitive types and words that are keywords in their place (JLS 3.9).
const javaWords = "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if implements import instanceof int interface long new package private protected public return short static strictfp super switch synchronized this throw throws transient try void volatile while " +
	"true false null var record sealed permits yield when non length args"

// javaTypeWords are those of them that end a type.
const javaTypeWords = "boolean byte char double float int long short void var"

// javaPackages are packages of which all may be imported by *, javaSingle of which single types may.
const (
	javaPackages = "java.lang java.util java.util.function java.util.stream java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks java.util.regex java.math java.text java.time java.time.format java.time.temporal java.time.chrono java.nio java.nio.charset java.util.random java.io java.nio.file"
	javaSingle   = "java.security java.util.zip"
)

// javaSystem are members of System that only tell something, print or end the program.
const javaSystem = "out err in currentTimeMillis nanoTime arraycopy identityHashCode lineSeparator exit gc"

// javaNever are the other public classes of those packages, and javaNeverCalled the methods that give or take objects of
// other classes, and those of Class: a program that has such a name for anything is not read.
const (
	javaNever = "AccessMode Class ClassLoader ClassValue Compiler Console DataInput DataOutput DirectoryStream Externalizable FileDescriptor FilePermission FileStore FileSystem FileSystems FileVisitOption FileVisitResult FileVisitor FilenameFilter FileFilter FilterInputStream FilterOutputStream FilterReader FilterWriter Formatter IO InheritableThreadLocal " +
		"LineNumberInputStream LinkPermission ListResourceBundle MappedByteBuffer Module ModuleLayer ObjectInput ObjectInputFilter ObjectInputStream ObjectInputValidation ObjectOutput ObjectOutputStream ObjectStreamClass ObjectStreamConstants ObjectStreamField Package PathMatcher PipedInputStream PipedOutputStream PipedReader PipedWriter Process ProcessBuilder " +
		"ProcessHandle PropertyPermission PropertyResourceBundle PushbackInputStream RandomAccessFile ResourceBundle RuntimePermission SecureDirectoryStream SecurityManager SequenceInputStream SerializablePermission ServiceConfigurationError ServiceLoader SimpleFileVisitor StackWalker StringBufferInputStream StringTemplate ThreadGroup WatchEvent WatchKey " +
		"WatchService Watchable Thread.Builder ScopedValue Linker"
	javaNeverCalled = "asSubclass checkedCollection checkedList checkedMap checkedNavigableMap checkedNavigableSet checkedQueue checkedSet checkedSortedMap checkedSortedSet enumType forName getArgumentClass getAnnotatedInterfaces getAnnotatedSuperclass getAnnotation getAnnotations getAnnotationsByType getClassLoader getClasses getConstructor getConstructors " +
		"getContextClassLoader getDeclaredAnnotation getDeclaredAnnotations getDeclaredAnnotationsByType getDeclaredClasses getDeclaredConstructor getDeclaredConstructors getDeclaredField getDeclaredFields getDeclaredMethod getDeclaredMethods getEnclosingClass getEnclosingConstructor getEnclosingMethod getField getFields getGenericInterfaces getGenericSuperclass " +
		"getMethod getMethods getModule getNestHost getNestMembers getPackage getParameters getPermittedSubclasses getProtectionDomain getProvider getRecordComponents getResource getResourceAsStream getShape getSigners getThreadGroup getTypeParameters loadFromXML newInstance newUpdater privilegedCallable privilegedCallableUsingCurrentClassLoader " +
		"privilegedThreadFactory registerProvider resolveConstantDesc setContextClassLoader native"
)

// javaFiles are classes that are judged where they stand: with a literal name alone.
const javaFiles = "File Files FileReader FileInputStream FileWriter FileOutputStream Path Paths"

// javaPrinters open a file if they are made of a text.
const javaPrinters = "PrintWriter PrintStream"

// javaStreams are what such a printer may be made of.
const javaStreams = "StringWriter ByteArrayOutputStream BufferedWriter OutputStreamWriter Writer OutputStream BufferedOutputStream CharArrayWriter"

// javaLists are the lists as sets, made once for a process.
type javaLists struct{ words, typeWords, types, members, never, files map[string]bool }

var javaSets once[javaLists]

func javaNames() *javaLists {
	return javaSets.get(func() *javaLists {
		return &javaLists{
			words: set(javaWords), typeWords: set(javaTypeWords), types: set(javaTypes), members: set(javaMembers, javaFields),
			never: set(javaNever, javaNeverCalled), files: set(javaFiles),
		}
	})
}

var javaLexis = lexis{line: []string{"//"}, open: "/*", close: "*/", triple: true, chars: true, names: "$", pairs: []string{"->", "::", "==", "!=", "<=", ">=", "&&", "||"}}

// javaReader reads one program.
type javaReader struct {
	*javaLists
	list
	places *effect.Places
	own    map[string]bool // types, constants and variables that begin with a capital
	called map[string]bool // methods
	known  map[int]bool    // places of names that were judged with what stands around them
}

func javaComputes(text string, places *effect.Places) bool {
	if !plainEscapes(text) || strings.IndexByte(text, 0x7f) >= 0 {
		return false
	}
	tokens, ok := javaLexis.cut(text, 0)
	if !ok {
		return false
	}
	r := javaReader{javaLists: javaNames(), list: tokens, places: places, own: map[string]bool{}, called: map[string]bool{}, known: map[int]bool{}}
	r.declare()
	for i := 0; i < len(r.list); i++ {
		t := r.list[i]
		switch {
		case t.kind == 'o' && t.text == "\\", t.kind == 'n' && !asciiName(t.text):
			return false // javac leaves out signs of names that show nothing
		case t.kind == 'n' && strings.Contains(" "+javaStreams+" ", " "+t.text+" ") && (r.is(i+1, "extends") || r.is(i+1, ">") && r.is(i-1, "<") && !r.typed(i-2) || hasWord("class interface enum record", r.at(i-1).text)):
			return false // another thing has the name of a stream
		case t.kind != 'n' || r.known[i]:
		case t.text == "import":
			n := r.imports(i + 1)
			if n == 0 {
				return false
			}
			i += n
		case t.text == "package":
			for i < len(r.list) && r.list[i].text != ";" {
				i++
			}
		case !r.plain(i):
			return false
		}
	}
	return len(r.list) > 0
}

// asciiName says whether a name has no sign beyond ASCII.
func asciiName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// plainEscapes says whether no escape of Unicode stands for a sign of the language: these are read
// before anything else (JLS 3.3).
func plainEscapes(text string) bool {
	for rest := text; ; {
		i := strings.Index(rest, `\u`)
		if i < 0 {
			return true
		}
		rest = strings.TrimLeft(rest[i+1:], "u")
		if len(rest) < 4 || strings.HasPrefix(rest, "00") && rest[2] < '8' {
			return false
		}
	}
}

// declare notes what the program declares.
func (r *javaReader) declare() {
	braces, enum := 0, []int{} // the depths in which constants of an enumeration may stand
	opens := false             // the next brace is that of an enumeration
	for i, t := range r.list {
		switch {
		case t.kind == 'n' && (t.text == "System" || t.text == "Runtime" || r.files[t.text] || strings.Contains(" "+javaPrinters+" ", " "+t.text+" ")): // judged where it stands
		case t.kind == 'o' && t.text == "{":
			if braces++; opens {
				enum, opens = append(enum, braces), false
			}
		case t.kind == 'o' && t.text == "}":
			if len(enum) > 0 && enum[len(enum)-1] == braces {
				enum = enum[:len(enum)-1]
			}
			braces--
		case t.kind == 'o' && t.text == ";" && len(enum) > 0 && enum[len(enum)-1] == braces:
			enum = enum[:len(enum)-1]
		case t.kind != 'n' || r.words[t.text]:
			opens = opens || t.text == "enum" && t.kind == 'n'
		case r.at(i-1).kind == 'n' && strings.Contains(" class interface enum record ", " "+r.at(i-1).text+" "):
			r.own[t.text] = true
		case len(enum) > 0 && enum[len(enum)-1] == braces && (r.is(i-1, "{") || r.is(i-1, ",")):
			r.own[t.text] = true
		case r.typed(i-1) && r.is(i+1, "("):
			r.called[t.text] = true
		case r.typed(i - 1):
			r.own[t.text] = true
		}
	}
}

// typed says whether the token at i ends a type.
func (r *javaReader) typed(i int) bool {
	switch t := r.at(i); {
	case t.kind == 'o':
		return t.text == ">" || t.text == "]" || t.text == "." && r.is(i-2, ".", ".")
	default:
		return t.kind == 'n' && (r.typeWords[t.text] || !r.words[t.text])
	}
}

// imports judges an import and says how long it is.
func (r *javaReader) imports(i int) int {
	var path []string
	from, static := i, r.is(i, "static")
	for ; i < len(r.list) && !r.is(i, ";"); i++ {
		if t := r.list[i]; t.kind == 'n' && t.text != "static" || t.text == "*" {
			path = append(path, t.text)
		}
	}
	member := ""
	if static && len(path) > 1 {
		member, path = path[len(path)-1], path[:len(path)-1]
	}
	for len(path) > 2 && capital(path[len(path)-2]) { // of a class within a class
		if last := path[len(path)-1]; last != "*" && !r.types[last] || r.never[last] {
			return 0
		}
		path = path[:len(path)-1]
	}
	if len(path) < 2 {
		return 0
	}
	pack, name := strings.Join(path[:len(path)-1], "."), path[len(path)-1]
	in := func(packs string) bool { return strings.Contains(" "+packs+" ", " "+pack+" ") }
	switch {
	case static && (!r.types[name] || r.never[name] || member != "*" && !r.members[member] && !r.types[member] || strings.Contains(javaPrinters, name)):
		return 0
	case name == "*" && !static && in(javaPackages), r.types[name] && (in(javaPackages) || in(javaSingle)), r.files[name] && !static && (pack == "java.io" || pack == "java.nio.file"):
		return i - from + 1
	}
	return 0
}

// plain says whether the name at i is known.
func (r *javaReader) plain(i int) bool {
	t := r.list[i].text
	member := r.is(i-1, ".") && !r.is(i-2, ".") || r.is(i-1, "::")
	switch {
	case r.never[t]:
		return t == "forName" && r.is(i-2, "Charset", ".")
	case r.words[t]:
		return t != "module"
	case t == "System":
		return r.system(i, member)
	case t == "Runtime":
		return r.is(i+1, ".", "getRuntime", "(", ")", ".") && r.tells(i+2, 6, "availableProcessors totalMemory freeMemory maxMemory gc")
	case r.files[t]:
		return !member && r.file(i)
	case strings.Contains(" "+javaPrinters+" ", " "+t+" "):
		return r.printer(i)
	case member && r.is(i-2, "lang", "."), member && r.is(i-2, "util", "."), member && r.is(i-2, "math", "."):
		return r.types[t] || r.members[t] || r.own[t] || r.called[t]
	case member:
		return r.members[t] || r.types[t] || r.own[t] || r.called[t] || !capital(t) && !r.is(i+1, "(") && !r.is(i-1, "::") && r.field(t)
	case strings.Contains(" java javax jdk sun com org netscape kotlin kotlinx scala ", " "+t+" ") && r.is(i+1, "."):
		return r.qualified(i)
	case r.types[t], r.own[t] && !r.is(i+1, "("), r.own[t] && capital(t):
		return true
	case r.is(i+1, "("):
		return r.called[t] || r.members[t]
	}
	return !capital(t) || len(t) == 1 || r.members[t]
}

// system judges a use of System.
func (r *javaReader) system(i int, member bool) bool {
	if member && !r.is(i-4, "java", ".", "lang", ".") {
		return false
	}
	if r.is(i+1, ".", "getProperty", "(") && r.at(i+4).kind == 's' && r.is(i+5, ")") {
		name := r.at(i + 4).text
		return (strings.HasPrefix(name, "java.") || strings.HasPrefix(name, "os.") || name == "user.dir" || name == "line.separator" || name == "file.encoding") && r.tells(i+2, 2, "getProperty")
	}
	return (r.is(i+1, ".") || r.is(i+1, "::")) && r.tells(i+2, 2, javaSystem)
}

// tells says whether the name that stands some places behind a class is one of the words; the names from i on
// to it are known then.
func (r *javaReader) tells(i, behind int, words string) bool {
	at := i + behind - 2
	if t := r.at(at); t.kind != 'n' || !strings.Contains(" "+words+" ", " "+t.text+" ") {
		return false
	}
	for ; i <= at; i++ {
		r.known[i] = true
	}
	return true
}

// field says whether the program has a variable of that name.
func (r *javaReader) field(name string) bool { return r.own[name] }

// qualified judges a type that stands with its package, and what follows of the path.
func (r *javaReader) qualified(i int) bool {
	pack := r.list[i].text
	from := i
	for i += 2; r.at(i).kind == 'n' && r.is(i-1, "."); i += 2 {
		if t := r.list[i].text; capital(t) {
			if !strings.Contains(" "+javaPackages+" ", " "+pack+" ") || !r.types[t] || strings.Contains(javaPrinters, t) {
				return t == "System" && pack == "java.lang"
			}
			for k := from; k <= i; k++ {
				r.known[k] = true
			}
			return true
		}
		pack += "." + r.list[i].text
		r.known[i] = true
	}
	return false
}

// printer says whether PrintWriter or PrintStream at i is a type, or is made of a stream.
func (r *javaReader) printer(i int) bool {
	if r.is(i-1, "extends") || r.is(i+1, "::") {
		return false
	}
	if !r.is(i+1, "(") {
		return true
	}
	t := r.at(i + 2)
	if t.kind != 'n' {
		return false
	}
	if r.is(i+2, "System", ".", "out") || r.is(i+2, "System", ".", "err") {
		return r.is(i+5, ")") || r.is(i+5, ",")
	}
	if t.text == "new" {
		end := (&cReader{list: r.list}).end(i + 4)
		return strings.Contains(" "+javaStreams+" ", " "+r.at(i+3).text+" ") && r.is(i+4, "(") && (r.is(end+1, ")") || r.is(end+1, ","))
	}
	streams := 0
	for k := range r.list {
		switch {
		case !r.is(k, t.text) || r.is(k-1, ".") || k == i+2:
		case r.typed(k - 1):
			if streams++; !strings.Contains(" "+javaStreams+" ", " "+r.at(k-1).text+" ") {
				return false
			}
		case r.is(k-1, ","), r.is(k-1, "(") && r.is(k+1, ","), r.is(k+1, "->"), r.is(k+1, ")", "->"):
			return false // it may be declared there, with no type beside it
		}
	}
	return streams == 1 && (r.is(i+3, ")") || r.is(i+3, ","))
}

// file judges a class of files: it is a type, or stands where a literal name is opened.
func (r *javaReader) file(i int) bool {
	t := r.list[i].text
	writes := t == "FileWriter" || t == "FileOutputStream"
	opens := func(at int) bool {
		return r.at(at).kind == 's' && mayTouch(r.at(at).text, writes, r.places) && (r.is(at+1, ")") || r.is(at+1, ","))
	}
	alone := func(at int) bool { return r.is(at, ")") && (r.is(at+1, ")") || r.is(at+1, ",")) } // new File(NAME) is all that is opened
	switch t {
	case "FileReader", "FileInputStream", "FileWriter", "FileOutputStream":
		switch {
		case r.is(i-1, "extends") || r.is(i+1, "::") || r.is(i+1, "."):
			return false
		case r.is(i-1, "new", t, "(", "new", "File", "("):
			r.known[i+3] = true
			return opens(i+5) && alone(i+6)
		case r.is(i-1, "new", t, "("):
			return opens(i + 2)
		}
		return r.at(i+1).kind == 'n'
	case "File":
		return r.is(i-4, "new", "Scanner", "(", "new", "File", "(") && opens(i+2) && alone(i+3)
	case "Files":
		if !r.is(i+1, ".") || r.at(i+2).kind != 'n' || !r.is(i+3, "(") || !(r.is(i+4, "Path", ".", "of", "(") || r.is(i+4, "Paths", ".", "get", "(")) {
			return false
		}
		method := " " + r.at(i+2).text + " "
		reads := strings.Contains(" readString readAllLines lines readAllBytes exists size newBufferedReader isDirectory isRegularFile ", method)
		writes = strings.Contains(" writeString write newBufferedWriter ", method)
		if !reads && !writes || !opens(i+8) || !r.is(i+9, ")") || !r.is(i+10, ")") && !r.is(i+10, ",") {
			return false
		}
		for k := i; k < i+9; k++ {
			r.known[k] = true
		}
		return true
	}
	return false
}
