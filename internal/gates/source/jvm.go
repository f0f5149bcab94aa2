package source

import (
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads programs of Kotlin and Scala as those of Java are read: what they reach is classes of Java,
// or of their own libraries, of which the names are listed that only compute, print or measure
// (kotlinlang.org/api/core 2.2, scala-lang.org/api 3.7).

// jvmLanguage is what such a language has beside Java's classes.
type jvmLanguage struct {
	words   string // keywords, and names of its library
	never   string // names that stand before the program and reach more
	imports string // what may be imported, a package with .* at its end for all that is in it
	lexis   lexis
}

const kotlinWords = "fun val var class object interface typealias enum data sealed inner companion open override abstract private public protected internal lateinit const tailrec operator infix inline noinline crossinline reified suspend vararg out by in is as if else when for while do return break continue try catch finally throw true false null this super it get set init constructor where annotation value field " +
	"println print readLine readln readlnOrNull listOf mutableListOf arrayListOf emptyList listOfNotNull setOf mutableSetOf hashSetOf linkedSetOf sortedSetOf mapOf mutableMapOf hashMapOf linkedMapOf sortedMapOf emptyMap emptySet arrayOf arrayOfNulls intArrayOf longArrayOf doubleArrayOf charArrayOf booleanArrayOf byteArrayOf floatArrayOf sequenceOf generateSequence sequence yield yieldAll buildString buildList buildMap " +
	"maxOf minOf repeat require requireNotNull check checkNotNull error run let also apply with lazy TODO to until downTo step rangeTo coerceIn coerceAtLeast coerceAtMost use synchronized Pair Triple Regex Result Unit Nothing Any Int UInt ULong Char IntArray LongArray DoubleArray CharArray BooleanArray ByteArray FloatArray ShortArray Array MutableList MutableMap MutableSet MutableCollection MutableIterator Sequence IntRange LongRange CharRange " +
	"IntProgression Lazy Exception Throwable RuntimeException IllegalArgumentException IllegalStateException NumberFormatException UnsupportedOperationException NoSuchElementException IndexOutOfBoundsException ArithmeticException StringBuilder HashMap HashSet LinkedHashMap LinkedHashSet ArrayList ArrayDeque JvmStatic JvmInline Suppress Volatile " +
	"map mapIndexed mapNotNull mapValues mapKeys mapTo filter filterNot filterNotNull filterIndexed filterIsInstance filterKeys filterValues forEach forEachIndexed onEach flatMap flatten fold foldIndexed foldRight reduce reduceOrNull scan runningFold sum sumOf sumBy average count max min maxOrNull minOrNull maxBy minBy maxByOrNull minByOrNull maxOfOrNull minOfOrNull sorted sortedBy sortedByDescending sortedDescending sortedWith sortBy sortByDescending " +
	"sortDescending sortWith reversed asReversed shuffled first firstOrNull last lastOrNull single singleOrNull find findLast any all none take takeLast takeWhile drop dropLast dropWhile distinct distinctBy groupBy groupingBy eachCount associate associateBy associateWith associateTo zip zipWithNext unzip partition chunked windowed joinToString joinTo withIndex indexOfFirst indexOfLast indices lastIndex isNotEmpty isNullOrEmpty isNullOrBlank isNotBlank orEmpty ifEmpty ifBlank " +
	"getOrNull getOrElse getOrPut getOrDefault getValue toList toMutableList toSet toMutableSet toMap toMutableMap toSortedMap toSortedSet toTypedArray toIntArray toLongArray toCharArray toHashSet asSequence asIterable asList plus minus times div rem mod inc dec unaryMinus contains containsKey union intersect subtract toInt toIntOrNull toLong toLongOrNull toDouble toDoubleOrNull toFloat toShort toByte toChar toBoolean toString toUInt toULong toBigInteger toBigDecimal digitToInt digitToChar " +
	"isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase uppercase lowercase uppercaseChar lowercaseChar capitalize decapitalize replaceFirstChar trimIndent trimMargin trimStart trimEnd padStart padEnd removePrefix removeSuffix removeSurrounding substringBefore substringAfter substringBeforeLast substringAfterLast split lines lineSequence startsWith endsWith prependIndent commonPrefixWith code message cause size length keys values entries key value second third name ordinal absoluteValue sign " +
	"simpleName stackTraceToString printStackTrace component1 component2 copyOf copyOfRange fill sliceArray slice binarySearch removeAll retainAll removeAt removeLast removeFirst addAll setValue random nextInt nextDouble nextBoolean nextLong shl shr ushr and or xor inv countOneBits takeIf takeUnless runCatching getOrThrow isSuccess isFailure onSuccess onFailure exceptionOrNull groupValues destructured toRegex matches matchEntire findAll containsMatchIn compareBy compareByDescending thenBy thenByDescending naturalOrder reverseOrder nullsFirst " +
	"exitProcess measureTimeMillis measureNanoTime measureTime measureTimedValue thread inWholeMilliseconds inWholeMicroseconds inWholeNanoseconds sqrt abs pow floor ceil round roundToInt roundToLong ln log10 log2 exp sin cos tan atan2 hypot PI E Random Duration TimeSource Monotonic markNow elapsedNow milliseconds seconds"

const scalaWords = "abstract case catch class def do else extends enum false final finally for forSome given if implicit import lazy match new null object override package private protected return sealed super this throw trait try true type val var while with yield then end export extension inline opaque open transparent using derives as args main " +
	"println print printf readLine readInt List Seq Vector Array Map Set Option Some None Left Right Either Nil Iterator IndexedSeq LazyList Stream Range Tuple2 Int Long Double Float Boolean Char Byte Short String Unit Any AnyRef AnyVal Nothing Null App BigInt BigDecimal Try Success Failure Ordering Numeric Iterable Traversable Function1 Function2 PartialFunction Product Serializable StringBuilder ArrayBuffer ListBuffer HashMap HashSet TreeMap TreeSet Queue Stack PriorityQueue ArrayDeque LinkedHashMap " +
	"mutable immutable collection Future Await Promise ExecutionContext Duration tailrec unchecked nowarn Exception RuntimeException Throwable IllegalArgumentException math util Random concurrent duration StdIn require assert assume identity implicitly summon locally s f raw until to by map flatMap filter filterNot withFilter collect foreach foldLeft foldRight fold reduce reduceLeft reduceRight scan scanLeft sum product max min maxBy minBy sorted sortBy sortWith reverse head tail last init headOption lastOption " +
	"take drop takeWhile dropWhile takeRight dropRight splitAt span partition groupBy groupMap groupMapReduce zip zipWithIndex unzip distinct size length isEmpty nonEmpty contains exists forall find indexWhere indexOf count mkString toList toSeq toVector toArray toMap toSet toString toInt toLong toDouble toFloat toChar toIntOption getOrElse get orElse updated update append prepend appended prepended concat flatten transpose sliding grouped combinations permutations subsets iterator view toIndexedSeq " +
	"keys values keySet mapValues andThen compose apply unapply copy _1 _2 _3 _4 isDefined fill tabulate range empty iterate continually isDigit isLetter isUpper isLower toUpper toLower toUpperCase toLowerCase capitalize trim split strip stripMargin stripPrefix stripSuffix startsWith endsWith replace replaceAll format formatted charAt substring lines linesIterator nextInt nextDouble shuffle abs sqrt pow floor ceil round log exp sin cos Pi signum gcd mod result ready millis seconds seq par next hasNext enqueue dequeue push pop addOne addAll removed getMessage lengthCompare tapEach pipe tap"

// scalaNever and kotlinNever are names that stand before such a program, or are what calls of Java's own methods
// are written as, and lead to packages, classes and files.
const (
	scalaNever  = "sys io reflect runtime tools compiletime quoted ref jdk Source Process Console classOf ClassTag TypeTag native macros blocking asInstanceOf"
	kotlinNever = "javaClass java kotlin classLoader contextClassLoader methods constructors declaredMethods declaredConstructors declaredFields fields module protectionDomain declaringClass members memberFunctions memberProperties callBy parentFile absoluteFile"
)

var kotlin = jvmLanguage{
	words: kotlinWords, never: kotlinNever,
	imports: "kotlin.math.* kotlin.random.* kotlin.system.* kotlin.time.* kotlin.collections.* kotlin.text.* kotlin.concurrent.thread",
	lexis:   lexis{line: []string{"//"}, open: "/*", close: "*/", nests: true, triple: true, chars: true, hole: "${", dollar: true, pairs: []string{"->", "::", "==", "!=", "<=", ">=", "&&", "||", "?:", "..", "?.", "!!"}},
}

var scala = jvmLanguage{
	words: scalaWords, never: scalaNever,
	imports: "scala.collection.mutable scala.collection.mutable.* scala.collection.immutable.* scala.util.Random scala.util.Try scala.util.Success scala.util.Failure scala.math.* scala.annotation.tailrec scala.concurrent.Future scala.concurrent.Await scala.concurrent.Promise scala.concurrent.ExecutionContext scala.concurrent.duration.* scala.io.StdIn scala.io.StdIn.*",
	lexis:   lexis{line: []string{"//"}, open: "/*", close: "*/", nests: true, triple: true, chars: true, hole: "${", dollar: true, raw: "", pairs: []string{"=>", "<-", "->", "==", "!=", "<=", ">=", "&&", "||", "::"}},
}

// kotlinLists and scalaLists are made once for a process.
var (
	kotlinLists = sync.OnceValue(func() *javaLists { return kotlin.lists() })
	scalaLists  = sync.OnceValue(func() *javaLists { return scala.lists() })
)

func (l *jvmLanguage) lists() *javaLists {
	out := &javaLists{words: set(l.words), typeWords: map[string]bool{}, types: set(javaTypes), members: set(javaMembers, javaFields, l.words), never: set(javaNever, javaNeverCalled, l.never), files: set(javaFiles)}
	for name := range out.never { // Kotlin reads getX() as x
		if rest, ok := strings.CutPrefix(name, "get"); ok && rest != "" && l == &kotlin {
			out.never[strings.ToLower(rest[:1])+rest[1:]] = true
		}
	}
	for w := range out.words {
		if capital(w) {
			out.types[w] = true
		}
	}
	return out
}

func jvmComputes(l *jvmLanguage, lists *javaLists, text string, places *effect.Places) bool {
	tokens, ok := l.lexis.cut(text, 0)
	if !ok || strings.Contains(text, "//>") { // scala-cli takes dependencies from such comments
		return false
	}
	r := javaReader{javaLists: lists, list: tokens, places: places, own: map[string]bool{}, called: map[string]bool{}, known: map[int]bool{}}
	for i, t := range r.list {
		switch before := r.at(i - 1); {
		case t.kind != 'n' || lists.words[t.text] || lists.never[t.text]:
		case before.kind == 'n' && hasWord("fun def class object interface trait enum val var type typealias given case for", before.text), r.is(i-1, ",") && !r.is(i+1, "("), r.is(i-1, "(") && !r.is(i+1, "(") && !r.is(i+1, ".") && !capital(t.text), (r.is(i+1, "->") || r.is(i+1, "=>")) && !capital(t.text), r.is(i-1, ".") && r.extends(i):
			r.own[t.text], r.called[t.text] = true, true
		}
	}
	for i := 0; i < len(r.list); i++ {
		t := r.list[i]
		switch {
		case t.kind == 'o' && (t.text == "`" || t.text == "@" && (r.is(i+1, "file") || r.is(i+1, "native"))):
			return false
		case t.kind != 'n' || r.known[i]:
		case t.text == "import" && t.head:
			path := ""
			for i++; i < len(r.list) && !r.list[i].head && !r.is(i, ";"); i++ {
				path += r.list[i].text
			}
			if i--; !l.imported(path) && !r.javaImport(path) {
				return false
			}
		case t.text == "package":
			return false
		case !r.plain(i):
			return false
		}
	}
	return len(r.list) > 0
}

// imported says whether what is imported is listed, or all of its package is.
func (l *jvmLanguage) imported(path string) bool {
	at := strings.LastIndexByte(path, '.')
	return hasWord(l.imports, path) || at > 0 && hasWord(l.imports, path[:at]+".*")
}

// extends says whether a function is declared for a type that stands before its name.
func (r *javaReader) extends(i int) bool {
	for k := i - 1; k > 0 && k > i-8; k-- {
		if r.list[k].kind == 'n' && r.list[k].text == "fun" {
			return true
		}
		if t := r.list[k]; t.kind == 'o' && !hasWord(". < > ?", t.text) {
			return false
		}
	}
	return false
}

// javaImport says whether a class or a package of Java may be imported.
func (r *javaReader) javaImport(path string) bool {
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		return false
	}
	pack, name := path[:at], path[at+1:]
	return r.types[name] && hasWord(javaPackages+" "+javaSingle, pack) && !r.never[name] && !hasWord(javaPrinters, name) || (name == "*" || name == "_") && hasWord("java.util java.util.concurrent java.util.function java.util.stream java.time java.math java.text java.util.concurrent.atomic", pack)
}
