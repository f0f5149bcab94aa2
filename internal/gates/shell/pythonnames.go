package shell

// This file lists what inline Python may name, from Python's library reference
// (docs.python.org/3.13/library). What is not listed asks.

// pythonReaches are built-in functions that make code, look names up or reach
// the person at the terminal (Built-in Functions; IPython's own are there too).
const pythonReaches = "breakpoint compile copyright credits delattr eval exec execfile get_ipython getattr globals help license locals raw_input reload run_line_magic setattr vars"

// pythonDunders are names with underscores that say something about a module or are
// methods that Python calls (Data model), and none that leads from an object to the
// code or the names behind it.
const pythonDunders = "__all__ __table__ __table_args__ __tablename__ __mapper_args__ __main__ __name__ __file__ __doc__ __version__ __package__ __author__ __init__ __new__ __str__ __repr__ __len__ __iter__ __next__ __getitem__ __setitem__ __contains__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ " +
	"__bool__ __add__ __radd__ __iadd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __floordiv__ __mod__ __pow__ __neg__ __abs__ __int__ __float__ __enter__ __exit__ __call__ __post_init__ __slots__ __format__ __and__ __or__ __xor__ __invert__ " +
	"__missing__ __qualname__ __annotations__ __future__ __pycache__ __tests__ __module__ __path__"

// pythonSpecial are the other names with underscores that Python gives a meaning (Data
// model; dir of the types in types and builtins, 3.11). What else is written so is an
// attribute that somebody's class has.
const pythonSpecial = "__abstractmethods__ __aiter__ __anext__ __annotate__ __await__ __base__ __bases__ __basicsize__ __breakpointhook__ __buffer__ __build_class__ " +
	"__builtin__ __builtins__ __bytes__ __cached__ __cause__ __ceil__ __class__ __class_getitem__ __classcell__ __classdict__ __closure__ __code__ " +
	"__complex__ __conditional_annotations__ __context__ __copy__ __debug__ __deepcopy__ __defaults__ __del__ __delattr__ __delete__ __delitem__ __dict__ " +
	"__dictoffset__ __dir__ __displayhook__ __divmod__ __excepthook__ __flags__ __floor__ __forward_code__ __forward_value__ __func__ __get__ __getattr__ " +
	"__getattribute__ __getformat__ __getnewargs__ __getnewargs_ex__ __getstate__ __globals__ __iand__ __import__ __imul__ __index__ __init_subclass__ " +
	"__instancecheck__ __interactivehook__ __ior__ __isabstractmethod__ __isub__ __itemsize__ __ixor__ __kwdefaults__ __loader__ __lshift__ __mro__ " +
	"__mro_entries__ __objclass__ __pos__ __prepare__ __rand__ __rdivmod__ __reduce__ __reduce_ex__ __release_buffer__ __reversed__ __rfloordiv__ " +
	"__rlshift__ __rmod__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rtruediv__ __rxor__ __self__ __self_class__ __set__ __set_name__ __setattr__ " +
	"__setstate__ __signature__ __sizeof__ __spec__ __static_attributes__ __stderr__ __stdin__ __stdout__ __subclasscheck__ __subclasses__ __subclasshook__ " +
	"__suppress_context__ __text_signature__ __thisclass__ __traceback__ __trunc__ __type_params__ __typing_unpacked_tuple_args__ __unpacked__ " +
	"__unraisablehook__ __weakref__ __weakrefoffset__ __wrapped__"

// pythonFrames are attributes that lead from a function, a generator or an error to
// the names around it (inspect, Types and members).
const pythonFrames = "ag_code ag_frame cr_code cr_frame f_back f_builtins f_code f_globals f_locals f_trace func_code func_globals gi_code gi_frame gi_yieldfrom im_func im_self tb_frame tb_next"

// sharedNames are attributes of packages that are called like a module of the
// library and are none.
const sharedNames = "array copy code select random string time types calendar test statistics numbers html signal platform profile stat parser operator queue email resource token struct inspect json math"

// pythonLists are the modules of which inline code may use something, with their
// members; a star stands for all that are no module. Sorted.
var pythonLists = [...]struct{ module, members string }{
	{"__future__", "*"},
	{"abc", "*"},
	{"argparse", "ArgumentParser Namespace ArgumentTypeError SUPPRESS REMAINDER"},
	{"array", "*"},
	{"ast", "literal_eval parse dump walk unparse get_docstring NodeVisitor iter_child_nodes iter_fields Module Expr Call Name Constant FunctionDef AsyncFunctionDef ClassDef Import ImportFrom Assign Attribute AST Return If For While"},
	{"asyncio", "run sleep gather wait_for Queue Event Lock Semaphore TaskGroup TimeoutError create_task iscoroutinefunction CancelledError Task Future ensure_future shield timeout timeout_at as_completed wait FIRST_COMPLETED ALL_COMPLETED PriorityQueue LifoQueue BoundedSemaphore Barrier Condition current_task all_tasks to_thread iscoroutine isfuture QueueEmpty QueueFull InvalidStateError"},
	{"base64", "b64encode b32encode b16encode urlsafe_b64encode standard_b64encode a85encode b85encode"},
	{"binascii", "hexlify b2a_hex crc32 b2a_base64"},
	{"bisect", "*"},
	{"bz2", "compress"},
	{"calendar", "*"},
	{"cmath", "*"},
	{"codecs", "BOM_UTF8 BOM_UTF16 lookup"},
	{"collections", "*"},
	{"collections.abc", "*"},
	{"colorsys", "*"},
	{"concurrent.futures", "ThreadPoolExecutor as_completed wait Future FIRST_COMPLETED ALL_COMPLETED TimeoutError CancelledError"},
	{"configparser", "ConfigParser RawConfigParser NoSectionError NoOptionError Error ParsingError"},
	{"contextlib", "contextmanager suppress closing nullcontext ExitStack redirect_stdout asynccontextmanager AsyncExitStack aclosing redirect_stderr AbstractContextManager AbstractAsyncContextManager ContextDecorator"},
	{"contextvars", "ContextVar copy_context Token Context"},
	{"copy", "copy deepcopy replace"},
	{"csv", "*"},
	{"dataclasses", "dataclass field fields asdict astuple replace is_dataclass KW_ONLY MISSING InitVar FrozenInstanceError Field"},
	{"datetime", "*"},
	{"decimal", "*"},
	{"difflib", "*"},
	{"dis", "dis"},
	{"enum", "Enum IntEnum Flag IntFlag StrEnum auto unique EnumMeta EnumType ReprEnum verify nonmember member CONTINUOUS NAMED_FLAGS UNIQUE"},
	{"errno", "*"},
	{"fnmatch", "*"},
	{"fractions", "*"},
	{"functools", "reduce partial wraps lru_cache cache cmp_to_key total_ordering cached_property singledispatch singledispatchmethod partialmethod update_wrapper"},
	{"gc", "collect get_count get_stats isenabled disable enable freeze"},
	{"glob", "glob iglob escape"},
	{"graphlib", "*"},
	{"gzip", "compress BadGzipFile"},
	{"hashlib", "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new algorithms_available algorithms_guaranteed sha3_224 sha3_384 shake_128 shake_256 pbkdf2_hmac scrypt"},
	{"heapq", "*"},
	{"hmac", "new digest compare_digest"},
	{"html", "escape unescape"},
	{"html.entities", "*"},
	{"html.parser", "HTMLParser"},
	{"importlib", "metadata"},
	{"importlib.metadata", "version requires metadata packages_distributions PackageNotFoundError"},
	{"inspect", "signature getdoc isfunction isclass ismethod getsource getfile cleandoc Parameter getsourcelines iscoroutinefunction isgenerator isgeneratorfunction isbuiltin isabstract getmro getfullargspec ismodule isasyncgenfunction iscoroutine Signature"},
	{"io", "StringIO BytesIO TextIOWrapper UnsupportedOperation SEEK_SET SEEK_CUR SEEK_END DEFAULT_BUFFER_SIZE"},
	{"ipaddress", "*"},
	{"itertools", "*"},
	{"json", "dumps loads dump load JSONDecodeError JSONEncoder JSONDecoder"},
	{"keyword", "*"},
	{"locale", "getlocale getpreferredencoding getdefaultlocale localeconv setlocale currency format_string delocalize strcoll strxfrm LC_ALL LC_NUMERIC LC_TIME LC_MONETARY LC_COLLATE LC_CTYPE"},
	{"logging", "getLogger info warning error debug DEBUG INFO WARNING ERROR CRITICAL NOTSET critical exception log getLevelName NullHandler Formatter LoggerAdapter Filter disable captureWarnings"},
	{"lzma", "compress LZMAError"},
	{"math", "*"},
	{"mimetypes", "guess_type guess_extension"},
	{"numbers", "*"},
	{"operator", "itemgetter add sub mul truediv floordiv mod neg eq ne lt le gt ge and_ or_ xor not_ contains index concat pow matmul lshift rshift invert pos abs truth is_ is_not countOf indexOf getitem length_hint iadd isub imul"},
	{"os", "path getcwd listdir walk scandir environ getenv getpid cpu_count name linesep stat uname getuid times getloadavg"},
	{"os.path", "join exists isfile isdir islink basename dirname splitext split getsize getmtime abspath relpath normpath commonpath realpath isabs samefile"},
	{"pathlib", "Path PurePath PosixPath PurePosixPath PureWindowsPath"},
	{"pkgutil", "iter_modules"},
	{"platform", "system machine node release version python_version platform processor python_implementation architecture uname mac_ver python_version_tuple python_compiler python_build libc_ver win32_ver freedesktop_os_release python_revision python_branch"},
	{"plistlib", "load loads dump dumps FMT_XML FMT_BINARY UID InvalidFileException"},
	{"posixpath", "join basename dirname splitext split normpath"},
	{"pprint", "*"},
	{"py_compile", "PyCompileError"},
	{"queue", "*"},
	{"random", "*"},
	{"re", "*"},
	{"reprlib", "*"},
	{"resource", "getrusage RUSAGE_SELF RUSAGE_CHILDREN getpagesize getrlimit RLIMIT_NOFILE RLIMIT_AS RLIMIT_STACK"},
	{"sched", "scheduler"},
	{"secrets", "*"},
	{"shlex", "quote split join"},
	{"shutil", "which get_terminal_size disk_usage"},
	{"site", "getsitepackages getusersitepackages"},
	{"sqlite3", "sqlite_version sqlite_version_info version Row Error OperationalError IntegrityError DatabaseError"},
	{"ssl", "OPENSSL_VERSION OPENSSL_VERSION_INFO"},
	{"statistics", "*"},
	{"string", "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation whitespace Template capwords Formatter"},
	{"stringprep", "*"},
	{"struct", "*"},
	{"subprocess", pyStartNames},
	{"sys", "argv exit stdin stdout stderr version version_info path platform executable maxsize byteorder getsizeof getrecursionlimit setrecursionlimit implementation flags float_info hash_info prefix base_prefix getdefaultencoding getfilesystemencoding int_info maxunicode hexversion builtin_module_names stdlib_module_names exc_info intern thread_info api_version copyright platlibdir exec_prefix base_exec_prefix orig_argv getrefcount getswitchinterval get_int_max_str_digits set_int_max_str_digits getallocatedblocks is_finalizing abiflags float_repr_style"},
	{"sysconfig", "get_path get_paths get_config_var get_config_vars get_platform get_python_version"},
	{"tarfile", "TarError ReadError is_tarfile"},
	{"tempfile", "gettempdir"},
	{"textwrap", "*"},
	{"threading", "Thread Lock RLock Event current_thread active_count Timer local Condition Semaphore BoundedSemaphore Barrier enumerate get_ident main_thread BrokenBarrierError"},
	{"time", "*"},
	{"timeit", "default_timer"},
	{"token", "*"},
	{"tokenize", "generate_tokens untokenize TokenError NAME OP STRING NUMBER COMMENT NEWLINE NL INDENT DEDENT"},
	{"tomllib", "load loads TOMLDecodeError"},
	{"traceback", "print_exc format_exc print_stack format_exception print_exception format_tb print_tb extract_tb TracebackException"},
	{"tracemalloc", "start stop get_traced_memory take_snapshot reset_peak is_tracing clear_traces get_tracemalloc_memory"},
	{"types", "SimpleNamespace MappingProxyType"},
	{"typing", "Any Callable Dict Generic Iterable Iterator List Literal NamedTuple Optional Protocol Sequence Set Tuple TypeVar TypedDict Union Mapping Final ClassVar Annotated NewType NoReturn Never ParamSpec Concatenate TypeAlias TypeGuard Type Text FrozenSet Deque DefaultDict Counter OrderedDict ChainMap AsyncIterator AsyncIterable Awaitable Coroutine Generator AsyncGenerator Hashable Sized Collection Container Reversible SupportsInt SupportsFloat SupportsAbs SupportsRound SupportsIndex IO TextIO BinaryIO Pattern Match MutableMapping MutableSequence MutableSet AbstractSet Self LiteralString Required NotRequired ReadOnly Unpack TypeVarTuple cast overload override runtime_checkable TYPE_CHECKING get_origin get_args assert_never assert_type reveal_type is_typeddict AnyStr KeysView ValuesView ItemsView ContextManager"},
	{"unicodedata", "*"},
	{"unittest", "TestCase IsolatedAsyncioTestCase SkipTest expectedFailure skip skipIf skipUnless"},
	{"urllib", "parse"},
	{"urllib.parse", "quote unquote quote_plus unquote_plus urlencode urlparse urlsplit parse_qs parse_qsl urljoin urlunparse urlunsplit urldefrag unquote_to_bytes quote_from_bytes SplitResult ParseResult"},
	{"uuid", "uuid1 uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL uuid6 uuid7 uuid8 NAMESPACE_OID NAMESPACE_X500 NIL MAX"},
	{"warnings", "simplefilter filterwarnings catch_warnings warn resetwarnings formatwarning"},
	{"weakref", "ref WeakValueDictionary WeakKeyDictionary WeakSet proxy WeakMethod"},
	{"xml", "etree"},
	{"xml.etree", "ElementTree"},
	{"xml.etree.ElementTree", "fromstring tostring Element SubElement ParseError iselement indent dump"},
	{"zipfile", "BadZipFile is_zipfile ZIP_DEFLATED ZIP_STORED"},
	{"zlib", "crc32 adler32 compress"},
	{"zoneinfo", "ZoneInfo available_timezones"},
}

// pythonMembers returns what inline code may use of a module of the library, and
// nothing for any other module. Not inlined, for the size of programs.
//
//go:noinline
func pythonMembers(module string) string {
	lo, hi := 0, len(pythonLists)
	for lo < hi {
		mid := (lo + hi) / 2
		switch e := &pythonLists[mid]; {
		case e.module == module:
			return e.members
		case e.module < module:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return ""
}

// pythonMethods are attributes and methods of Python's own types and of what the
// modules above return. None takes a path that is not judged elsewhere, runs a
// program, or leads to the names around a function.
const pythonMethods = "append extend insert pop remove clear index count sort reverse copy keys values items get setdefault update popitem fromkeys add discard union intersection difference symmetric_difference issubset issuperset isdisjoint " +
	"intersection_update difference_update " +
	"upper lower title capitalize casefold swapcase strip lstrip rstrip split rsplit splitlines join replace find rfind startswith endswith removeprefix removesuffix partition rpartition center ljust rjust zfill expandtabs translate maketrans encode decode format format_map " +
	"isalpha isdigit isalnum isspace isupper islower istitle isnumeric isdecimal isidentifier isascii isprintable hex to_bytes from_bytes bit_length bit_count is_integer as_integer_ratio real imag conjugate numerator denominator limit_denominator " +
	"stdout stderr returncode communicate poll check_returncode " +
	"read readline readlines write close flush seek tell closed name mode buffer readable writable getvalue encoding isatty fileno " +
	"group groups groupdict start end span match search fullmatch findall finditer sub subn pattern lastgroup lastindex string pos endpos expand " +
	"now today utcnow date time isoformat strftime strptime timestamp fromtimestamp fromisoformat utcfromtimestamp year month day hour minute second microsecond weekday isoweekday isocalendar timetuple total_seconds days seconds microseconds astimezone tzinfo utc combine toordinal fromordinal min max resolution utcoffset tzname tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday " +
	"most_common elements subtract total move_to_end appendleft popleft extendleft rotate maxlen new_child maps " +
	"exists is_file is_dir is_symlink stem suffix suffixes parent parts read_text read_bytes glob rglob iterdir stat as_posix with_suffix with_name relative_to is_absolute st_size st_mtime st_mode is_relative_to path " +
	"hexdigest digest digest_size block_size update node id body names targets value func args keywords lineno col_offset attr asname module elts arg lower " +
	"add_argument parse_args parse_known_args add_subparsers add_parser error set_defaults writerow writeheader writerows fieldnames line_num reader " +
	"quantize sqrt ln log10 exp to_integral_value normalize as_tuple prec is_nan is_infinite default decode raw_decode encode iterencode indent " +
	"code msg errno strerror filename reason doc colno args with_traceback major minor micro releaselevel serial sysname nodename release machine version " +
	"submit result done shutdown map cancel start join is_alive daemon acquire release locked set wait is_set put get put_nowait get_nowait qsize empty full task_done " +
	"accumulate chain from_iterable cache_info cache_clear register __name__ safe_substitute substitute fill wrap dedent shuffle choice choices sample seed randint random uniform gauss " +
	"parameters annotation return_annotation kind throw send name value members network_address broadcast_address num_addresses hosts prefixlen netmask is_private version ip compressed exploded subnets " +
	"utctimetuple cell format_exc warn basicConfig info warning debug bytes fields int version_info hex urn variant ratio get_matching_blocks get_opcodes quick_ratio tolist itemsize typecode frombytes tobytes " +
	"getvalue tb_lineno implementation cache_tag used free lines columns intersection_update symmetric_difference_update pprint pformat itermonthdates monthdayscalendar formatmonth prmonth astuple asdict " +
	"writelines fetchall fetchone fetchmany commit rollback cursor row_factory rowcount description lastrowid namelist infolist getinfo testzip getmembers getnames getmember extractfile file_size compress_size isfile isdir cleanup " +
	"netloc scheme query hostname fragment geturl getroot iter itertext findtext attrib tag tail text size mtime " +
	"traceback statistics compare_to count_diff size_diff ru_maxrss ru_utime ru_stime tok_name feed handle_starttag handle_endtag handle_data unescape sections options has_section has_option getint getfloat getboolean read_string"
