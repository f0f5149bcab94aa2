package shell

// This file lists what inline JavaScript may name, from ECMA-262 and Node.js's
// documentation (Global objects). What is not listed asks.

const nodeKeywords = "async await break case catch class const continue debugger default delete do else export extends finally for function if import in instanceof let new of return static super switch this throw try typeof var void while with yield get set as null true false undefined"

// nodeGlobals are globals that compute, tell or print.
const nodeGlobals = "JSON Math Number String Boolean Array Object Map Set WeakMap WeakSet Date RegExp Promise Symbol BigInt Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError parseInt parseFloat isNaN isFinite NaN Infinity " +
	"console Buffer URL URLSearchParams TextEncoder TextDecoder Intl structuredClone setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask encodeURIComponent decodeURIComponent encodeURI decodeURI atob btoa performance __dirname __filename arguments " +
	"ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array AbortController AbortSignal Headers Atomics Blob CustomEvent DOMException Event EventTarget FinalizationRegistry Iterator SharedArrayBuffer TextDecoderStream TextEncoderStream WeakRef Response Request FormData ReadableStream WritableStream TransformStream CompressionStream DecompressionStream MessageChannel DisposableStack SuppressedError number string boolean any never unknown"

// nodeBuiltins are the modules that node -e and -p give the code as globals (Node.js
// documentation, Command-line API, -e), but for those that the scan denies anyway
// and those that only compute.
const nodeBuiltins = "async_hooks cluster constants diagnostics_channel dns domain inspector os perf_hooks punycode readline repl sea sqlite stream sys test timers trace_events tty v8 wasi zlib"

// nodeHidden are properties that lead from a value to what makes functions, or to
// the code around a function (ECMA-262; MDN, Object and Function).
const nodeHidden = "constructor __proto__ mainModule binding _linkedBinding caller callee __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ _load _compile Module dlopen env getBuiltinModule"

// nodeCallers are methods that call a function that they are given.
const nodeCallers = "map filter forEach reduce reduceRight find findIndex findLast some every sort flatMap replace replaceAll then catch finally from apply call bind setTimeout setInterval setImmediate queueMicrotask on once addEventListener nextTick parse stringify toSorted groupBy Promise"

// nodeMethods are methods of the language's own types, of the globals above and of
// the modules that only compute.
const nodeMethods = "log error warn info debug table dir trace time timeEnd group groupEnd count assert " +
	"map filter forEach reduce reduceRight find findIndex findLast findLastIndex some every sort reverse slice splice concat join push pop shift unshift includes indexOf lastIndexOf flat flatMap fill keys values entries at toSorted toReversed toSpliced with isArray from of copyWithin " +
	"split trim trimStart trimEnd padStart padEnd repeat replace replaceAll match matchAll search substring substr charAt charCodeAt codePointAt toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase startsWith endsWith normalize localeCompare raw toString valueOf toLocaleString toFixed toPrecision toExponential " +
	"test exec parse stringify assign freeze fromEntries fromCharCode fromCodePoint hasOwn hasOwnProperty is isFrozen seal groupBy create isInteger isSafeInteger isFinite isNaN parseInt parseFloat " +
	"abs ceil floor round max min pow sqrt cbrt random sin cos tan asin acos atan atan2 log2 log10 log1p exp hypot sign trunc imul clz32 fround " +
	"get set has delete add clear size then catch finally all allSettled race any resolve reject call apply bind next return throw " +
	"now toISOString toJSON toDateString toTimeString toLocaleDateString toLocaleTimeString toUTCString getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear getUTCMonth getUTCDate getUTCHours getTimezoneOffset setDate setMonth setFullYear setHours setMinutes UTC " +
	"NumberFormat DateTimeFormat format formatToParts resolvedOptions encode decode byteLength alloc allocUnsafe equals compare isBuffer readUInt8 readUInt32LE writeUInt8 subarray append getAll " +
	"basename dirname extname relative isAbsolute inspect isDeepStrictEqual promisify createHash createHmac update digest randomBytes randomUUID getHashes timingSafeEqual equal strictEqual deepEqual deepStrictEqual notStrictEqual ok throws doesNotThrow on once emit off cwd exit uptime memoryUsage hrtime bigint write valid satisfies major minor coerce asIntN" +
	" json text arrayBuffer blob formData clone take drop toArray union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom isWellFormed toWellFormed trimLeft trimRight sinh cosh tanh asinh acosh atanh f16round sumPrecise getOwnPropertyNames getOwnPropertySymbols isSealed isExtensible preventExtensions " +
	"setHours setMinutes setSeconds setMilliseconds setTime getUTCHours getUTCMinutes getUTCSeconds getUTCMilliseconds getUTCDay setUTCDate setUTCMonth setUTCFullYear setUTCHours setUTCMinutes setUTCSeconds setUTCMilliseconds toGMTString formatRange formatRangeToParts select PluralRules Collator RelativeTimeFormat ListFormat Segmenter segment " +
	"DisplayNames Locale supportedLocalesOf supportedValuesOf getCanonicalLocales maximize minimize getInt8 getUint8 getInt16 getUint16 getInt32 getUint32 getFloat32 getFloat64 getBigInt64 getBigUint64 setInt8 setUint8 setInt16 setUint16 setInt32 setUint32 setFloat32 setFloat64 setBigInt64 setBigUint64 " +
	"readInt8 readUInt16LE readUInt16BE readInt16LE readInt16BE readUInt32BE readInt32LE readInt32BE readFloatLE readFloatBE readDoubleLE readDoubleBE readBigInt64LE readBigUInt64LE readBigInt64BE readBigUInt64BE readUIntBE readUIntLE readIntBE readIntLE writeInt8 writeUInt16LE writeUInt16BE writeInt16LE writeInt16BE writeUInt32LE writeUInt32BE " +
	"writeInt32LE writeInt32BE writeFloatLE writeFloatBE writeDoubleLE writeDoubleBE writeBigInt64LE writeBigUInt64LE writeBigInt64BE writeBigUInt64BE swap16 swap32 swap64 isEncoding canParse encodeInto mark measure timeOrigin getEntries getEntriesByName getEntriesByType clearMarks clearMeasures timerify createHistogram timeLog groupCollapsed " +
	"countReset dirxml withResolvers asUintN keyFor randomInt pbkdf2Sync scryptSync hkdfSync createCipheriv createDecipheriv setAuthTag getAuthTag setAAD final getCiphers getCurves generateKeyPairSync generateKeySync getRandomValues types isDate isRegExp isPromise isMap isSet isProxy styleText stripVTControlCharacters parseArgs " +
	"fileURLToPath pathToFileURL domainToASCII domainToUnicode urlToHttpOptions listenerCount removeListener addListener removeAllListeners prependListener eventNames listeners rejects ifError doesNotMatch doesNotReject notDeepEqual notEqual fail partialDeepStrictEqual getStore " +
	"gzipSync gunzipSync deflateSync inflateSync deflateRawSync inflateRawSync unzipSync brotliCompressSync brotliDecompressSync zstdCompressSync zstdDecompressSync crc32"
