package shell

// dialects are the languages whose inline code is scanned. The lists hold the
// names, from the languages' own references, that start programs, open files
// or connections, change the file system, load or make code, or reach such
// names by another way. A harmless use of one of them costs a question. Sorted
// by name, with the names in each list sorted.
var dialects = [...]dialect{
	{
		name: "lua", regex: true, comment: "-", quotes: "\"'", format: false, names: false,
		runs: "execute popen", deniedAt: "",
		denied: "_ENV _G char debug dofile dump execute ffi getfenv getmetatable io kpse lfs load loadfile loadstring module os package " +
			"popen rawget rawset require setfenv setmetatable socket tex texio vim",
	},
	{
		name: "node", regex: true, comment: "/", quotes: "\"'`", format: true, names: false,
		runs: "execSync exec spawnSync", deniedAt: "",
		denied: "AsyncFunction Bun Deno Function GeneratorFunction Proxy Reflect WebAssembly WebSocket Worker XMLHttpRequest __proto__ " +
			"atob binding child_process constructor dgram dlopen eval exec execSync fetch fork fromCharCode fromCodePoint fs global " +
			"globalThis http http2 https import mainModule module net process require rmSync spawn spawnSync tls unescape unlinkSync " +
			"vm worker_threads writeFileSync",
	},
	{
		name: "perl", regex: true, comment: "#", quotes: "\"'", format: true, names: true,
		runs: "system exec", deniedAt: "` &$ &{",
		denied: "AUTOLOAD B CORE DATA DESTROY DynaLoader ENV File HTTP INC IO Inline LWP Net POSIX SUPER Socket XSLoader __FILE__ " +
			"__PACKAGE__ accept alarm bind can chmod chown chr chroot connect dbmopen decode_base64 do dump ee eval exec fcntl fork " +
			"getpwent getpwnam glob ioctl kill link listen mkdir open opendir pack pipe qx readdir readlink readpipe recv rename " +
			"require rmdir select send setpwent socket symlink syscall sysopen system truncate unlink unpack use utime wait",
	},
	{
		name: "php", comment: "#/", quotes: "\"'", format: true, names: true,
		runs: "system exec shell_exec passthru popen", deniedAt: "` )( ]( }(",
		denied: "$_cookie $_env $_get $_post $_request $_server $globals apache_setenv array_all array_any array_diff_uassoc " +
			"array_diff_ukey array_filter array_find array_find_key array_intersect_uassoc array_intersect_ukey array_map " +
			"array_reduce array_udiff array_udiff_assoc array_udiff_uassoc array_uintersect array_uintersect_assoc " +
			"array_uintersect_uassoc array_walk array_walk_recursive assert base64_decode call_user_func call_user_func_array " +
			"callbackfilteriterator chgrp chmod chown chroot com convert_uudecode copy create_function curl_exec curl_init " +
			"curl_multi_exec curl_multi_init dir directoryiterator dl domdocument dotnet error_log eval exec extract ffi file " +
			"file_get_contents file_put_contents filter_callback finfo_open fopen forward_static_call fpassthru fputcsv fputs " +
			"fsockopen ftp_connect fwrite getenv glob globiterator gzinflate gzuncompress header_register_callback hex2bin " +
			"highlight_file imagepng imap_open include include_once ini_alter ini_set iterator_apply ldap_connect link mail " +
			"mb_ereg_replace_callback mb_send_mail mkdir move_uploaded_file mysqli ob_start opendir pack parse_ini_file parse_str " +
			"passthru pcntl_exec pcntl_fork pdo pfsockopen phar php_strip_whitespace phpinfo popen posix_kill posix_mkfifo " +
			"posix_setuid preg_replace_callback preg_replace_callback_array proc_nice proc_open putenv readdir readfile " +
			"reflectionfunction reflectionmethod register_shutdown_function register_tick_function rename require require_once rmdir " +
			"scandir set_error_handler set_exception_handler shell_exec show_source simplexml_load_file socket_create sockets " +
			"spl_autoload spl_autoload_register splfileinfo splfileobject sqlite3 sqlite_create_function str_rot13 " +
			"stream_socket_client stream_socket_server stream_wrapper_register strrev symlink system tempnam tmpfile touch uasort " +
			"uksort unlink unserialize usort variant xmlreader ziparchive zipload",
	},
	{
		name: "python", comment: "#", quotes: "\"''", format: true, names: false,
		runs: "system popen getoutput getstatusoutput", deniedAt: "",
		denied: "CDLL CodeType FunctionType ImportString InteractiveConsole InteractiveInterpreter LoadLibrary UnsafeLoader WinDLL " +
			"__bases__ __builtin__ __builtins__ __class__ __code__ __dict__ __getattribute__ __globals__ __import__ __loader__ " +
			"__mro__ __spec__ __subclasses__ _getframe _posixsubprocess a85decode abort addsitedir aiohttp antigravity asyncssh " +
			"attrgetter b16decode b32decode b64decode bdb boto3 breakpoint builtins cPickle cProfile call_command cdll cffi chmod " +
			"chown chr chroot cloudpickle codeop compile copyfile copytree create_subprocess_exec create_subprocess_shell crontab " +
			"ctypes currentframe decompress delattr dictConfig dill dup2 enable_load_extension eval exec exec_ exec_module execfile " +
			"execl execle execlp execlpe execute_from_command_line execv execve execvp execvpe extractall f_builtins f_globals " +
			"f_locals fabric fileConfig fileinput fork forkpty fromhex ftplib get_objects get_referrers getattr globals http httplib " +
			"httpx imaplib import_module import_string importlib interact invoke joblib keyring kill killpg lambdify lchown " +
			"linecache link load load_dynamic load_extension load_inline load_module load_source loads locals make_archive marshal " +
			"methodcaller mkfifo mknod mmap modules move multiprocessing netrc open_connection paramiko parse_expr pdb pexpect " +
			"pickle playwright plumbum popen popen2 popen3 poplib posix_spawn posix_spawnp psutil psycopg2 ptrace pty putenv " +
			"pyautogui pycurl pymongo pymysql read_pickle redis reload remove removedirs rename renames replace requests rmdir " +
			"rmtree runcall runctx runpy scapy selenium setattr setegid seteuid setgid setprofile setreuid settrace setuid shelve " +
			"shutil signal smtplib socket socketpair socketserver spawn spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp " +
			"spawnvpe spec_from_file_location spwd start_server startfile subprocess symlink sympify system tarfile telnetlib timeit " +
			"truncate unhexlify unlink unsafe_load unsetenv urllib urllib2 urllib3 vars webbrowser websocket websockets win32api " +
			"winreg write_bytes write_text xmlrpc zipfile zipimport",
	},
	{
		name: "ruby", regex: true, comment: "#", quotes: "\"'", format: true, names: false,
		runs: "system exec spawn popen", deniedAt: "` %x",
		denied: "DL Dir ENV Etc Fiddle File FileUtils Gem HTTP IO IRB Kernel Marshal Net ObjectSpace Open3 PTY Pathname Process Shell " +
			"Socket TCPServer TCPSocket Tempfile UDPSocket UNIXSocket URI YAML __send__ at_exit autoload binding binread binwrite " +
			"chr class_eval const_get define_method eval exec fork instance_eval instance_exec load method module_eval open pack " +
			"popen popen2 popen3 public_send readlines readpartial require require_relative send spawn syscall system syswrite trap " +
			"unlink unpack write",
	},
}
