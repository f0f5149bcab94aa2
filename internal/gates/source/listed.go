package source

import (
	"strings"
	"sync"
)

// This file reads programs of C# and Swift: each name in one is listed, or the program's own. What stands
// before the program, or is in a namespace that it may use, and reaches more is no name of its own.

// listedLanguage is such a language.
type listedLanguage struct {
	lexis    lexis
	words    string // keywords and names of its library that only compute, print, wait or measure
	never    string // names that are in no program
	declares string // keywords behind which a name of the program's own stands
	brings   string // keyword behind which a module stands
	modules  string
	typed    bool // a type before a name declares it
}

var csharp = sync.OnceValue(func() *listedLanguage {
	return &listedLanguage{
		lexis: lexis{line: []string{"//"}, open: "/*", close: "*/", chars: true, pairs: []string{"=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "::", "++", "--"}},
		words: "abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit false finally float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof static string struct switch this throw true try typeof uint ulong ushort unchecked using var virtual void volatile while " +
			"async await get set init value where select from orderby group into join let on equals ascending descending by yield record required when with and or not nameof partial global file scoped nint args " +
			"System Collections Generic Linq Text Threading Tasks Diagnostics Numerics Globalization RegularExpressions Concurrent Immutable Console WriteLine Write ReadLine ReadKey Error Out In Math MathF Abs Max Min Sqrt Pow Floor Ceiling Round Truncate Log Log2 Log10 Exp Sin Cos Tan Atan2 Sign Clamp DivRem PI E List Dictionary HashSet Queue Stack LinkedList SortedDictionary SortedSet SortedList PriorityQueue KeyValuePair Tuple ValueTuple ConcurrentDictionary ConcurrentQueue ConcurrentBag " +
			"IEnumerable IEnumerator IList ICollection IDictionary ISet IComparable IComparer IEquatable IDisposable IReadOnlyList IReadOnlyDictionary Comparer EqualityComparer Func Action Predicate Comparison Span ReadOnlySpan Memory Array ArraySegment BitArray Nullable Lazy Random Guid NewGuid Shared Next NextDouble NextInt64 BigInteger Complex Vector2 Vector3 Half Int128 UInt128 Int16 Int32 Int64 UInt16 UInt32 UInt64 Byte SByte Single Double Decimal Boolean Char String Object StringBuilder Append AppendLine AppendFormat Insert Regex Match Matches IsMatch Groups Value " +
			"Exception ArgumentException ArgumentNullException ArgumentOutOfRangeException InvalidOperationException NotImplementedException NotSupportedException FormatException OverflowException DivideByZeroException NullReferenceException IndexOutOfRangeException KeyNotFoundException OperationCanceledException AggregateException InvalidCastException TimeoutException Message StackTrace InnerException InnerExceptions " +
			"Add AddRange Remove RemoveAt RemoveAll Clear Contains ContainsKey ContainsValue TryGetValue TryAdd TryDequeue TryPop TryPeek Count Length Keys Values Key Item1 Item2 Item3 Enqueue Dequeue Push Pop Peek First FirstOrDefault Last LastOrDefault Single SingleOrDefault Where Select SelectMany OrderBy OrderByDescending ThenBy ThenByDescending Order GroupBy Join Zip Concat Union Intersect Except Distinct DistinctBy Take TakeWhile TakeLast Skip SkipWhile Reverse Any All Sum Average Aggregate MaxBy MinBy ToList ToArray ToDictionary ToHashSet ToLookup Cast OfType Range Repeat Empty Chunk Append Prepend SequenceEqual DefaultIfEmpty ElementAt AsSpan AsEnumerable Index " +
			"ToString Parse TryParse Format Split Trim TrimStart TrimEnd Substring Replace IndexOf LastIndexOf IndexOfAny StartsWith EndsWith ToUpper ToLower ToUpperInvariant ToLowerInvariant PadLeft PadRight IsNullOrEmpty IsNullOrWhiteSpace Compare CompareTo CompareOrdinal Equals GetHashCode HashCode Combine ReferenceEquals ToCharArray IsDigit IsLetter IsLetterOrDigit IsWhiteSpace IsUpper IsLower Sort Fill Copy CopyTo Clone Resize Find FindAll FindIndex Exists ForEach BinarySearch ConvertAll GetRange GetLength GetEnumerator MoveNext Current Dispose Convert ToInt32 ToInt64 ToDouble ToBoolean ToChar ToBase64String FromBase64String ToHexString BitConverter BitOperations PopCount LeadingZeroCount TrailingZeroCount " +
			"DateTime DateTimeOffset DateOnly TimeOnly TimeSpan Now UtcNow Today FromSeconds FromMilliseconds FromMinutes AddDays AddHours AddMinutes AddSeconds Year Month Day Hour Minute Second Ticks TotalMilliseconds TotalSeconds Stopwatch StartNew Start Stop Elapsed ElapsedMilliseconds ElapsedTicks Restart Task Run Delay WhenAll WhenAny FromResult Wait Result CancellationToken CancellationTokenSource Cancel Token Thread Sleep Parallel For Interlocked Increment Decrement Exchange CompareExchange Monitor SemaphoreSlim WaitAsync Release ConfigureAwait GetAwaiter GetResult CompletedTask " +
			"NewLine ProcessorCount Encoding UTF8 ASCII Unicode GetBytes GetString GetByteCount CultureInfo InvariantCulture StringComparison Ordinal OrdinalIgnoreCase StringSplitOptions RemoveEmptyEntries TrimEntries Enum GetValues GetNames MaxValue MinValue NaN PositiveInfinity NegativeInfinity Epsilon Zero One IsNaN GC GetTotalMemory Collect Main Program Environment Flags Obsolete",
		never: "Process ProcessStartInfo File Directory FileInfo DirectoryInfo FileStream StreamWriter StreamReader FileSystem Assembly AssemblyLoadContext Activator AppDomain Type Marshal DllImport LibraryImport UnmanagedCallersOnly NativeLibrary unsafe extern fixed stackalloc dynamic Reflection IO Net Http Sockets InteropServices Runtime Loader Emit GetType GetMethod GetMethods GetProperty GetField GetConstructor InvokeMember CreateInstance DynamicInvoke GetEnvironmentVariable GetEnvironmentVariables SetEnvironmentVariable GetFolderPath CommandLine CurrentDirectory " +
			"HttpClient WebClient WebRequest TcpClient UdpClient Socket Dns ModuleInitializer MethodImpl Registry Win32 Expression Expressions Compile CSharpScript BinaryFormatter Mutex MemoryMappedFile NamedPipeServerStream Unsafe RuntimeHelpers Pointer Handle OpenStandardInput SetOut SetIn SetError Path Module Debugger Trace EventLog PerformanceCounter TextWriterTraceListener Exit FailFast",
		declares: "class struct interface enum record namespace delegate", brings: "using", typed: true,
		modules: "System System.Collections System.Collections.Generic System.Collections.Concurrent System.Collections.Immutable System.Linq System.Text System.Text.RegularExpressions System.Threading System.Threading.Tasks System.Diagnostics System.Numerics System.Globalization",
	}
})

var swift = sync.OnceValue(func() *listedLanguage {
	return &listedLanguage{
		lexis: lexis{line: []string{"//"}, open: "/*", close: "*/", nests: true, triple: true, hole: `\(`, pairs: []string{"->", "==", "!=", "<=", ">=", "&&", "||", "??", "...", "..<", "?."}},
		words: "actor any as associatedtype async await break case catch class continue convenience default defer deinit do else enum extension fallthrough false fileprivate final for func get guard if in indirect infix init inout internal is lazy let mutating nil nonisolated open operator optional override postfix precedencegroup prefix private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet didSet newValue oldValue error _ " +
			"Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Float80 Bool String Substring Character Unicode Scalar Array ArraySlice ContiguousArray Dictionary Set Optional Result Range ClosedRange Sequence Collection IteratorProtocol Equatable Hashable Hasher Comparable Codable Encodable Decodable CustomStringConvertible CaseIterable Identifiable Error Any AnyObject AnyHashable Never Void Task Sendable MainActor TaskGroup withTaskGroup addTask ObjectIdentifier KeyValuePairs " +
			"print debugPrint dump readLine assert precondition fatalError preconditionFailure min max abs zip stride swap type of sequence repeatElement isKnownUniquelyReferenced from to through by at with count first last isEmpty append appending insert remove removeAll removeFirst removeLast removeValue popLast contains map filter reduce into flatMap compactMap forEach sorted sort reversed reverse shuffled enumerated joined separator split prefix suffix dropFirst dropLast firstIndex lastIndex index indices startIndex endIndex after before offset offsetBy " +
			"keys values key value mapValues updateValue forKey grouping uniqueKeysWithValues allSatisfy randomElement random hasPrefix hasSuffix lowercased uppercased capitalized trimmingCharacters replacingOccurrences components utf8 utf16 unicodeScalars isLetter isNumber isWhitespace isUppercase isLowercase wholeNumberValue asciiValue description debugDescription hashValue hash combine rawValue allCases lhs rhs radix repeating isMultiple quotientAndRemainder bitWidth nonzeroBitCount leadingZeroBitCount trailingZeroBitCount magnitude signum rounded squareRoot " +
			"truncatingIfNeeded pi infinity nan isNaN union intersection subtracting symmetricDifference isSubset isSuperset formUnion start end lowerBound upperBound next makeIterator Element Index Key Value localizedDescription terminator sqrt pow sin cos tan atan2 exp log log2 log10 floor ceil round trunc fmod hypot CharacterSet whitespaces whitespacesAndNewlines newlines punctuationCharacters alphanumerics decimalDigits Date timeIntervalSince timeIntervalSince1970 timeIntervalSinceNow TimeInterval UUID uuidString Calendar DateFormatter dateFormat format NumberFormatter " +
			"CommandLine arguments MemoryLayout size alignment DispatchQueue DispatchTime now uptimeNanoseconds Thread sleep forTimeInterval NSLock lock unlock Decimal JSONEncoder JSONDecoder encode decode decoder encoder Data discardableResult escaping autoclosure main available inlinable frozen propertyWrapper resultBuilder success failure none id",
		never:    "FileManager Process NSTask URLSession URL NSURL Bundle FileHandle NSData NSString NSDictionary NSArray InputStream OutputStream UserDefaults ProcessInfo NSAppleScript NSWorkspace NotificationCenter NSClassFromString NSSelectorFromString perform dlopen dlsym system unsafeBitCast withUnsafePointer withUnsafeBytes UnsafePointer UnsafeMutablePointer UnsafeRawPointer UnsafeMutableRawPointer OpaquePointer Unmanaged withUnsafeMutablePointer contentsOf contentsOfFile write toFile import_ canImport Glibc Darwin Musl _silgen_name _cdecl objc dynamicMember dynamicCallable SharedObject",
		declares: "class struct enum protocol actor extension func let var case typealias associatedtype for inout operator", brings: "import", modules: "Foundation Swift Dispatch",
	}
})

// listedComputes reads a program of such a language.
func listedComputes(l *listedLanguage, text string) bool {
	tokens, ok := l.lexis.cut(text, 0)
	if !ok || len(tokens) == 0 {
		return false
	}
	words, never, own := set(l.words), set(l.never, cNever), map[string]bool{}
	if l.typed { // of C#: functions of C are none of its names
		never = set(l.never)
	}
	at := list(tokens)
	for i, t := range tokens {
		if t.kind == 'n' && !words[t.text] && !never[t.text] && l.owns(at, i, words) {
			own[t.text] = true
		}
	}
	for i := 0; i < len(at); i++ {
		t := at[i]
		switch {
		case t.kind == 'o' && (t.text == "#" || t.text == "`"):
			return false
		case t.kind != 'n':
		case t.text == l.brings && (t.head || at.is(i-1, ";")) && at.at(i+1).kind == 'n' && !at.is(i+1, "var"):
			name := ""
			for i++; i < len(at) && !at.is(i, ";") && !at[i].head; i++ {
				name += at[i].text
			}
			if !at.is(i, ";") {
				i--
			}
			if !hasWord(l.modules, name) {
				return false
			}
		case never[t.text], t.text == "Environment" && !(at.is(i+1, ".", "NewLine") || at.is(i+1, ".", "ProcessorCount")), !words[t.text] && !own[t.text]:
			return false
		}
	}
	return true
}

// owns says whether the program declares the name at i.
func (l *listedLanguage) owns(at list, i int, words map[string]bool) bool {
	before := at.at(i - 1)
	switch {
	case before.kind == 'n' && hasWord(l.declares, before.text):
		return true
	case at.is(i+1, "=>") || !l.typed && at.is(i+1, "in") || at.is(i+1, ":") && !at.is(i-1, "?"):
		return true
	case l.typed && (before.kind == 'n' && (!words[before.text] || capital(before.text) || hasWord("bool byte char decimal double float int long object short string uint ulong ushort sbyte var void in out ref from let", before.text)) || before.text == ">" || before.text == "]" || at.is(i-1, "?") && at.at(i-2).kind == 'n'):
		return hasWord("= ; , ) ( { => in [ :", at.at(i+1).text) || at.at(i+1).kind == 0
	case at.is(i-1, ",") || at.is(i-1, "(") || at.is(i-1, "{"):
		return hasWord(", ) } : in =", at.at(i+1).text) && !at.is(i+1, ".")
	}
	return false
}

// withoutHoles is source of C# in which the code in texts stands beside them, in parentheses. Texts in that
// code, and texts of several lines or without escapes, are not read.
func withoutHoles(text string) (string, bool) {
	if strings.Contains(text, `@"`) || strings.Contains(text, `@$`) || strings.Contains(text, `""`+`"`) || strings.Contains(text, `\u`) || strings.Contains(text, `\U`) || strings.Contains(text, `\x`) {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		rest, n := text[i:], 1
		switch {
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest[2:], "*/") + 4; n < 4 {
				return "", false
			}
		case rest[0] == '\'':
			if n = character(rest); n == 0 {
				return "", false
			}
		case rest[0] == '"':
			for n < len(rest) && rest[n] != '"' && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			if n++; n > len(rest) || rest[n-1] != '"' {
				return "", false
			}
		case strings.HasPrefix(rest, `$"`):
			code, k, ok := holes(rest[2:])
			if !ok {
				return "", false
			}
			b.WriteString(code)
			i += 2 + k
			continue
		}
		b.WriteString(rest[:n])
		i += n
	}
	return b.String(), true
}

// holes is the code in a text up to its end; n is how long that is.
func holes(text string) (code string, n int, ok bool) {
	var b strings.Builder
	b.WriteString(`""`)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1, true
		case c == '\n':
			return "", 0, false
		case c == '\\', strings.HasPrefix(text[i:], "{{"), strings.HasPrefix(text[i:], "}}"):
			i++
		case c == '{':
			end := strings.IndexByte(text[i:], '}')
			if end < 0 {
				return "", 0, false
			}
			inner, how, _ := strings.Cut(text[i+1:i+end], ":")
			if strings.ContainsAny(inner, "\"'{\\$\n") || strings.ContainsAny(how, "\"'{\\(\n") {
				return "", 0, false
			}
			b.WriteString("+(" + inner + ")")
			i += end
		}
	}
	return "", 0, false
}
