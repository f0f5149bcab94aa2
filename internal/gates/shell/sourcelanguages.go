package shell

// This file has what scripts may be made of that sourcenames.go reads: from the language
// specifications and the library's references of Java 21 (java.lang, java.util), Kotlin 2
// (kotlin, kotlin.collections, kotlin.text), Scala 3 (Predef, scala.collection), Groovy 4 (the
// GDK), Dart 3 (dart:core, dart:math), Zig 0.13 (std), Nim 2 (system, strutils, sequtils), Swift 6
// (the standard library), Crystal 1 (the prelude), OCaml 5 (Stdlib) and C# 13 (System).

var (
	slashComments  = sourceComments{line: "//", open: "/*", close: "*/", quotes: `"'`}
	doubleComments = sourceComments{line: "//", open: "/*", close: "*/", quotes: `"`}
)

// What stands in java.lang and is open to every script on the JVM, and what its values have.
const jvmReaches = "java javax jdk sun com org net kotlin kotlinx scala groovy android Runtime ProcessBuilder Process ProcessHandle Thread ThreadGroup ThreadLocal InheritableThreadLocal ScopedValue Class ClassLoader ClassValue Module ModuleLayer Package StackWalker SecurityManager Shutdown System Compiler InheritableThreadLocal Object Record Enum " +
	"getClass javaClass forName newInstance getMethod getMethods getDeclaredMethod getDeclaredMethods getConstructor getDeclaredConstructor getConstructors getField getDeclaredField getClassLoader classLoader getModule getResource getResourceAsStream loadClass defineClass invoke invokeExact setAccessible exec start load loadLibrary getenv getProperty getProperties setProperty clearProperty setOut setErr setIn console exitProcess " +
	"ServiceLoader ResourceBundle PropertyResourceBundle Formatter FileHandler SocketHandler Preferences JarFile ZipFile Logger LogManager Properties File Files Path Paths FileReader FileWriter FileInputStream FileOutputStream RandomAccessFile PrintStream PrintWriter URL URI URLConnection Socket ServerSocket HttpClient MethodHandles Proxy finalize"

// jvmMembers are methods that values on the JVM and their collections have and that only compute.
const jvmMembers = "length size isEmpty isNotEmpty isBlank charAt substring indexOf lastIndexOf contains containsKey containsValue containsAll startsWith endsWith toUpperCase toLowerCase uppercase lowercase trim strip split join replace replaceAll replaceFirst repeat chars concat equals equalsIgnoreCase hashCode toString compareTo compare get set put putIfAbsent getOrDefault getOrElse getOrNull add addAll remove removeIf removeLast removeFirst clear keySet values entrySet keys entries getKey getValue key value " +
	"stream map filter reduce sum max min average count collect toList forEach forEachIndexed sorted sort distinct limit skip boxed mapToInt mapToObj mapToDouble mapToLong flatMap flatten anyMatch allMatch noneMatch findFirst findAny orElse isPresent iterator hasNext next push pop peek poll offer first last getFirst getLast reversed reverse toArray asList of copyOf copyOfRange fill range rangeClosed iterate generate groupingBy counting toMap toSet joining partitioningBy identity " +
	"comparing comparingInt thenComparing naturalOrder reverseOrder comparingByKey comparingByValue valueOf parseInt parseDouble parseLong parseBoolean toBinaryString toHexString intValue doubleValue longValue abs pow sqrt floor ceil round sin cos tan log log10 exp cbrt hypot floorMod floorDiv random nextInt nextDouble nextBoolean nextLong bitCount append insert deleteCharAt setCharAt toCharArray isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase getNumericValue " +
	"merge compute computeIfAbsent computeIfPresent plus minus times divide multiply subtract mod negate gcd modPow now getMessage ordinal name PI E MAX_VALUE MIN_VALUE ZERO ONE TEN length apply accept test andThen until mapNotNull mapIndexed associate associateWith associateBy groupBy zip zipWithNext chunked windowed take takeWhile drop dropWhile slice fold foldLeft foldRight scan find any all none sumOf maxOf minOf maxBy minBy maxOrNull minOrNull sortedBy sortedByDescending sortedDescending " +
	"sortBy sortWith joinToString mkString toInt toLong toDouble toFloat toString toSet toMutableList toMutableMap toMap toTypedArray indices lastIndex withIndex padStart padEnd padLeft padRight let also apply step downTo head tail init headOption lastOption updated zipWithIndex unzip product exists forall nonEmpty toVector toSeq tail each eachWithIndex inject every collectEntries findAll unique transpose withDefault toInteger printf println print format formatted lines"

// sourceLanguages are those languages.
var sourceLanguages = [...]sourceLanguage{
	{
		name: "java", comments: slashComments, chars: true, typed: true, signs: "()[]{}<>;,.+-*/%=!?:&|^~@",
		declares: "class interface enum record int long short byte char boolean float double void var",
		words: "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for if implements import instanceof int interface long new package private protected public record return sealed permits short static strictfp super switch this throw throws try var void while yield true false null @Override @FunctionalInterface @SuppressWarnings " +
			"String Integer Long Short Byte Character Boolean Double Float Number Math StrictMath StringBuilder StringBuffer CharSequence Comparable Iterable Void Exception RuntimeException Error IllegalArgumentException IllegalStateException ArithmeticException IndexOutOfBoundsException ArrayIndexOutOfBoundsException NullPointerException NumberFormatException UnsupportedOperationException InterruptedException Throwable AssertionError " +
			"List ArrayList LinkedList Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap EnumMap Set HashSet LinkedHashSet TreeSet BitSet Queue Deque ArrayDeque PriorityQueue Stack Vector Iterator Collection Collections Arrays Objects Optional OptionalInt OptionalDouble Random Comparator Map.Entry Entry StringJoiner UUID NoSuchElementException Stream IntStream LongStream DoubleStream Collectors Function BiFunction " +
			"Supplier Consumer BiConsumer Predicate BiPredicate UnaryOperator BinaryOperator IntFunction IntPredicate BigInteger BigDecimal LocalDate LocalDateTime LocalTime Duration Instant Period System.out System.err System.currentTimeMillis System.nanoTime System.arraycopy System.lineSeparator System.exit System.identityHashCode " + jvmMembers,
		imports: "import", modules: "java.util.* java.math.* java.time.*", reaches: jvmReaches, never: `\u`,
	},
	{
		name: "kotlin", comments: slashComments, chars: true, inserts: "${ $", signs: "()[]{}<>;,.+-*/%=!?:&|",
		declares: "class interface object fun val var typealias vararg",
		words: "abstract as break by catch class companion const constructor continue data do else enum false final finally for fun if import in infix init inline inner interface internal is it lateinit null object open operator out override private protected public return sealed super suspend tailrec this throw true try val var vararg when where while get set field until downTo step to and or xor shl shr inv " +
			"Any Array Boolean BooleanArray Byte Char CharSequence Double DoubleArray Float Int IntArray Long LongArray Nothing Number Pair Short String StringBuilder Triple UInt ULong Unit List MutableList Map MutableMap Set MutableSet ArrayDeque ArrayList HashMap HashSet LinkedHashMap Sequence Iterable Collection Comparable Exception RuntimeException IllegalArgumentException IllegalStateException Throwable Random Math Integer " +
			"println print readln readLine readlnOrNull arrayOf intArrayOf listOf mutableListOf mapOf mutableMapOf setOf mutableSetOf emptyList emptyMap sequenceOf generateSequence buildString buildList repeat require check error run with maxOf minOf main args TODO lazy " + jvmMembers,
		imports: "import", modules: "kotlin.math.* kotlin.random.* kotlin.collections.* java.math.*", reaches: jvmReaches + " Script bindings",
	},
	{
		name: "scala", comments: slashComments, chars: true, signs: "()[]{}<>;,.+-*/%=!?:&|^_",
		declares: "class trait object enum def val var type given case",
		words: "abstract case catch class def do else enum extends false final finally for given if implicit import lazy match new null object override private protected return sealed super then this throw trait true try type val var while with yield end main _ " +
			"App Any AnyVal AnyRef Array Boolean Byte Char Double Either Float Int Left List Long Map Nil None Nothing Numeric Option Ordering Range Right Seq Set Short Some Stream LazyList String StringBuilder Tuple2 Unit Vector IndexedSeq Iterable Iterator BigInt BigDecimal ArrayBuffer ListBuffer HashMap HashSet Queue Stack Try Success Failure Random Exception RuntimeException IllegalArgumentException math mutable immutable " +
			"println print printf args to by until empty tabulate fill toInt " + jvmMembers,
		imports: "import", modules: "scala.collection.* scala.math.* scala.util.Random scala.util.Try scala.annotation.*", reaches: jvmReaches + " sys io reflect quoted inline classOf Console StdIn concurrent util",
	},
	{
		name: "groovy", comments: slashComments, literals: true, inserts: "${ $", typed: true, signs: "()[]{}<>;,.+-*/%=!?:&|",
		declares: "def class interface enum int long double float boolean void String",
		words: "assert break case catch class continue def default do else enum extends false final finally for if implements import in instanceof int long double float boolean interface new null private protected public return static super switch this throw true try void while it String Integer Long Double Boolean List Map Set Math BigDecimal BigInteger ArrayList HashMap LinkedHashMap HashSet Random Exception RuntimeException " +
			"println print printf " + jvmMembers,
		imports: "import", modules: "java.math.*", reaches: jvmReaches + " execute metaClass properties evaluate run invokeMethod getMetaClass setMetaClass toURL toURI Eval GroovyShell GroovyClassLoader GroovyObject Script Binding Grape Grab ConfigSlurper XmlSlurper XmlParser Node AntBuilder ObservableList binding owner delegate args use category mixin parseClass parse getText text eachLine withPrintWriter sleep",
	},
	{
		name: "dart", comments: slashComments, inserts: "${ $", typed: true, signs: "()[]{}<>;,.+-*/%=!?:&|^~@",
		declares: "class enum mixin extension var final const late int double num bool void dynamic",
		words: "abstract as assert async await base break case catch class const continue default do double dynamic else enum extends extension factory false final finally for get if implements in int interface is late main mixin new null num on operator override required rethrow return sealed set static super switch sync this throw true try typedef var void when while with yield bool @override " +
			"String List Map Set Iterable Iterator Object Never Null Duration DateTime StringBuffer RegExp Exception FormatException ArgumentError StateError RangeError Comparable Function Future Random pi e sqrt pow max min sin cos tan log exp print identical stopwatch Stopwatch BigInt Symbol Record MapEntry Pattern Match " +
			"length isEmpty isNotEmpty first last single reversed add addAll insert remove removeAt removeLast removeWhere clear contains containsKey indexOf sort map where toList toSet forEach fold reduce join any every expand take skip sublist asMap keys values entries key value putIfAbsent update split substring startsWith endsWith replaceAll trim toUpperCase toLowerCase padLeft padRight codeUnitAt codeUnits runes toString toStringAsFixed toInt toDouble parse tryParse abs floor ceil round clamp " +
			"compareTo filled generate from of isEven isOdd isNaN isNegative sign nextInt nextDouble nextBool now inMilliseconds inSeconds difference elapsedMilliseconds elapsedMicroseconds start stop write writeln hashCode runtimeType cast followedBy whereType elementAt firstWhere lastWhere singleWhere gcd modPow",
		imports: "import", modules: "dart:math dart:core dart:collection dart:convert", reaches: "File Directory Platform Process Socket HttpClient Isolate Uri external",
	},
	{
		name: "zig", comments: sourceComments{line: "//", quotes: `"'`}, chars: true, signs: "()[]{}<>;,.+-*/%=!?:&|^~@",
		declares: "const var fn comptime",
		words: "align and anytype anyerror break catch comptime const continue defer else enum errdefer error false fn for if inline noalias null or orelse packed pub return struct switch test true try type undefined union unreachable usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 f32 f64 f128 bool void var while noreturn comptime_int comptime_float _ main " +
			"@import @as @intCast @floatFromInt @intFromFloat @floatCast @truncate @mod @rem @divTrunc @divFloor @sqrt @min @max @abs @sizeOf @typeName @TypeOf @This @memset @memcpy @intFromEnum @enumFromInt @popCount @clz @ctz @bitCast @boolToInt @intFromBool @panic " +
			"std.debug.print std.debug.assert std.mem.* std.math.* std.ArrayList std.AutoHashMap std.StringHashMap std.fmt.* std.sort.* std.testing.* std.heap.* std.time.milliTimestamp std.time.nanoTimestamp std.ascii.* std.Random std.mem.Allocator deinit init allocator append appendSlice items len ptr put get contains count iterator next key_ptr value_ptr pop print writer toOwnedSlice clearRetainingCapacity initCapacity initBuffer alloc free dupe create destroy random int float",
		reaches: "fs process posix os net http c Thread DynLib Io Build event crypto zip tar elf start builtin options pdb dwarf coff macho wasm valgrind child Child zig Target SemanticVersion once log Progress",
	},
	{
		name: "nim", comments: sourceComments{line: "#", open: "#[", close: "]#", quotes: `"'`}, chars: true, folds: true, signs: "()[]{}<>;,.+-*/%=!?:&|^~$@",
		declares: "proc func var let const type iterator template for",
		words: "and break case const continue discard div do elif else enum except false finally for from func if import in is isnot iterator let mod nil not notin object of or proc raise ref result return seq set shl shr true try tuple type var when while xor yield int int8 int16 int32 int64 uint uint8 uint32 uint64 float float32 float64 bool char string array openArray Natural Positive range Table " +
			"echo len add high low abs min max inc dec ord chr repr newSeq initTable toTable hasKey items pairs mitems keys values contains find insert delete del setLen swap countup countdown succ pred sorted sort reversed reverse map filter foldl foldr mapIt filterIt anyIt allIt sum toSeq zip concat join split strip toUpperAscii toLowerAscii startsWith endsWith replace repeat parseInt parseFloat intToStr formatFloat align " +
			"sqrt pow sin cos tan ln log10 log2 exp floor ceil round gcd lcm PI E getOrDefault mgetOrPut assert doAssert quit initHashSet incl excl card initDeque addLast addFirst popFirst popLast isMainModule it a b cmp",
		imports: "import", modules: "std/strutils std/sequtils std/math std/tables std/algorithm std/sets std/deques std/sugar strutils sequtils math tables algorithm sets deques",
		reaches: "staticexec gorge gorgeex staticread slurp readfile writefile open readall writebuffer copymem nimvm system compile emit importc dynlib asm io syncio readlines lines file stdin addquitproc cast addr unsafeaddr ptr pointer c create alloc dealloc thread createthread loadconfig exec switch rmdir rmfile mvfile cpfile mkdir cd putenv getenv paramstr selfexec hint patchfile cppdefine requires task",
		never:   "{. .}",
	},
	{
		name: "swift", comments: doubleComments, literals: true, inserts: `\(`, signs: "()[]{}<>;,.+-*/%=!?:&|^~",
		declares: "class struct enum protocol extension func let var case typealias associatedtype",
		words: "any as async await break case catch class continue convenience default defer do else enum extension fallthrough false fileprivate final for func get guard if in indirect init inout internal is lazy let mutating nil open operator override private protocol public repeat required return self Self set some static struct subscript super switch throw throws true try typealias var weak where while _ " +
			"Any Array Bool Character Comparable CustomStringConvertible Dictionary Double Equatable Error Float Hashable Identifiable Int Int8 Int16 Int32 Int64 Optional Result Set String Substring UInt UInt8 UInt32 UInt64 Void Sequence Collection IteratorProtocol print min max abs zip stride swap fatalError precondition assert " +
			"map filter reduce sorted sort count isEmpty first last append insert remove removeAll removeFirst removeLast contains joined split prefix suffix dropFirst dropLast reversed reverse enumerated keys values key value forEach flatMap compactMap allSatisfy uppercased lowercased hasPrefix hasSuffix description startIndex endIndex index indices offset element isMultiple squareRoot rounded repeating separator terminator from to through by " +
			"random shuffled min max rawValue allCases isNumber isLetter isWhitespace wholeNumberValue truncatingRemainder pi infinity popLast updateValue default",
		reaches: "Process FileManager CommandLine Mirror Unmanaged UnsafePointer UnsafeMutablePointer UnsafeRawPointer unsafeBitCast readLine dump",
	},
	{
		name: "crystal", comments: sourceComments{line: "#", quotes: `"'`}, chars: true, literals: true, inserts: "#{", signs: "()[]{}<>;,.+-*/%=!?:&|^@",
		declares: "class struct module enum def record property getter alias for",
		words: "abstract alias and as begin break case class def do else elsif end ensure enum false for getter if in initialize include module next nil not of or private property protected raise record require rescue return self setter struct super then true unless until when while yield new puts print p pp Array Bool Char Float32 Float64 Hash Int32 Int64 UInt8 UInt32 UInt64 Nil Set String Symbol Tuple NamedTuple Range Math Comparable Enumerable Exception ArgumentError Time Random BigInt StaticArray Deque " +
			"each map select reject reduce sum size count first last push pop shift unshift join split strip upcase downcase capitalize reverse sort sort_by min max min_by max_by uniq compact flatten zip includes index each_with_index each_slice each_char times upto downto step to_i to_f to_s to_a to_h to_set keys values has_key fetch delete merge empty any all none one nil zero even odd abs floor ceil round divmod gcd lcm digits chars starts_with ends_with gsub sub sqrt sin cos tan log exp PI E " +
			"tally group_by partition each_cons product transpose rotate sample shuffle rand format inspect",
		imports: "require", modules: "json set math big", never: "{{ {% %} << ",
		reaches: "File Dir Path Process system exec spawn fork at_exit ENV ARGF IO FileUtils Socket TCPSocket UNIXSocket TCPServer UNIXServer HTTP LibC Lib Signal Thread Fiber abort Program Pointer lib fun macro asm run read_file GC Crystal Compiler Channel STDIN STDOUT STDERR gets pointerof Box Reference uninitialized sleep",
	},
	{
		name: "ocaml", comments: sourceComments{line: "\x00", open: "(*", close: "*)", quotes: `"'`}, chars: true, spaced: true, signs: "()[]{}<>;,.+-*/=!?:&|^@_",
		declares: "let rec and fun type module exception mutable val",
		words: "and as assert begin do done downto else end exception false for fun function if in let match mod module mutable not of open or rec ref struct sig then to true try type val when while with lor land lxor lsl lsr asr _ int float bool char string unit list array option Some None Ok Error result exn " +
			"print_int print_string print_endline print_newline print_char print_float prerr_endline string_of_int string_of_float string_of_bool int_of_string float_of_string float_of_int int_of_float int_of_char char_of_int failwith invalid_arg raise ignore fst snd min max abs succ pred sqrt exp log sin cos tan floor ceil truncate compare incr decr max_int min_int infinity nan exit read_int read_line Not_found Failure Invalid_argument " +
			"List.* Array.* String.* Char.* Int.* Float.* Bool.* Option.* Result.* Hashtbl.* Map.* Set.* Seq.* Stack.* Queue.* Buffer.* Bytes.* Printf.printf Printf.sprintf Printf.eprintf Fun.* Random.*",
		imports: "open", modules: "List Array String Printf",
		reaches: "Sys Unix UnixLabels Filename In_channel Out_channel Marshal Obj Callback Dynlink Stdlib Toploop Topdirs Runtime_events Thread Event Domain Gc Arg Scanf Printexc Lexing Format Bigarray Effect Printf external open_in open_in_bin open_in_gen open_out open_out_bin open_out_gen at_exit input output really_input",
	},
	{
		name: "csharp", comments: slashComments, chars: true, typed: true, signs: "()[]{}<>;,.+-*/%=!?:&|^~",
		declares: "class struct record interface enum int long short byte char bool float double decimal string var void object",
		words: "abstract as base bool break byte case catch char class const continue decimal default do double else enum explicit false finally float for foreach get if implicit in init int interface internal is long namespace new null object operator out override params private protected public readonly record ref required return sealed set short static string struct switch this throw true try uint ulong using value var virtual void when where while yield nameof async await " +
			"Console.WriteLine Console.Write Console.ReadLine System.Console.WriteLine System.Console.Write Math.* List Dictionary HashSet Queue Stack LinkedList SortedDictionary KeyValuePair Tuple Func Action Predicate IEnumerable IComparable Exception ArgumentException InvalidOperationException String Int32 Int64 Double Char Boolean DateTime TimeSpan Random StringBuilder Enumerable Array " +
			"Length Count Add AddRange Remove RemoveAt Clear Contains ContainsKey TryGetValue Keys Values Key Value IndexOf Insert Sort Reverse Select Where Sum Max Min Average Aggregate OrderBy OrderByDescending ThenBy GroupBy ToList ToArray ToDictionary ToHashSet First FirstOrDefault Last LastOrDefault Any All Distinct Take Skip Zip Concat Range Repeat Join Split Trim Substring Replace ToUpper ToLower StartsWith EndsWith Parse TryParse ToString Append AppendLine Push Pop Peek Enqueue Dequeue Next Now Format IsNullOrEmpty Empty Fill",
		imports: "using", modules: "System System.Collections.Generic System.Linq System.Text",
		reaches: "System Microsoft File Directory FileInfo DirectoryInfo Path StreamWriter StreamReader FileStream DriveInfo FileSystemWatcher HttpClient HttpRequestMessage Environment AppDomain AppContext Activator Type Assembly Process Marshal GC Thread Task Console Buffer Delegate GetType GetMethod Invoke CreateInstance Start Load LoadFrom InvokeMember DynamicInvoke typeof extern unsafe dynamic global",
	},
}
