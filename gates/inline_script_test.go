package gates

import "testing"

var rubyFamily = family{
	lang: "ruby",
	sinks: []sink{
		{"Kernel", "system", `"touch x"`}, {"Kernel", "exec", `"id"`}, {"Kernel", "spawn", `"id"`}, {"Kernel", "eval", `"1"`}, {"Kernel", "open", `"|id"`}, {"Kernel", "load", `"x"`}, {"Kernel", "fork", ""}, {"Kernel", "test", `"e", "x"`}, {"Kernel", "syscall", "1"},
		{"File", "delete", `"src"`}, {"File", "write", `"a", "b"`}, {"File", "chmod", `0, "a"`}, {"IO", "popen", `"id"`}, {"IO", "copy_stream", `"a", "b"`}, {"Dir", "rmdir", `"src"`}, {"Dir", "chdir", `"/"`}, {"FileUtils", "rm_rf", `"src"`}, {"Process", "kill", `9, 1`},
		{"Object", "const_get", `:File`}, {"ObjectSpace", "each_object", ""}, {"GC", "disable", ""}, {"RubyVM", "stat", ""}, {"TracePoint", "trace", ""}, {"Signal", "trap", `"INT"`}, {"Fiddle", "dlopen", `"x"`},
	},
	ways: []string{
		`«M».«F»(«A»)`, `«M».«F» «A»`, `«M»::«F»(«A»)`, `::«M».«F»(«A»)`, `«M»&.«F»(«A»)`, `«M» . «F»(«A»)`, "«M».\n«F»(«A»)", `«M».send(:«F», 1)`, `«M».send("«1»" + "«2»", 1)`, `«M».public_send(:«F»)`, `«M».__send__("«F»")`, `«M».method(:«F»).call(1)`, `«M».method("«1»" "«2»").to_proc.(1)`,
		`«M».instance_eval { «F»(1) }`, `m = «M»; m.«F»(«A»)`, `[«M»].each { |m| m.«F»(«A») }`, `[«M»].map(&:«F»)`, `["id"].each(&«M».method(:«F»))`, `{k: «M»}[:k].«F»(«A»)`, `->(m) { m.«F»(«A») }.call(«M»)`, `->(m) { m.«F» }.(«M»)`, `Object.const_get("«M»").«F»(«A»)`, `Object.const_get(:"«m1»#{"«m2»"}").«F»(«A»)`,
		`Module.const_get(:«M»)`, `self.class.const_get(:«M»)`, `"#{«M».«F»(«A»)}"`, `puts "a #{"b #{«M».«F»(«A»)}"}"`, `x = "#{"#{«M».«F»}"}"`, `def f; «M».«F»(«A»); end; f`, `class A; «M».«F»(«A»); end`, `module B; def self.f; «M».«F»; end; end; B.f`, `begin; «M».«F»(«A»); rescue; end`, `«M».«F»(«A») if true`,
		`BEGIN { «M».«F»(«A») }`, `END { «M».«F»(«A») }`, `at_exit { «M».«F»(«A») }`, `eval("«M».«F»")`, `instance_eval("«M».«F»")`, `binding.eval("1")`, `Class.new { «M».«F»(«A») }`, `define_method(:x) { }`, `class A; alias_method :x, :«F»; end`, `alias x «F»; x`, "`id #{1}`", `%x(id «F»)`, `puts %x{id «F»}`,
		`puts %x"id"; «M».«F»`, `x = %(#{«M».«F»(«A»)})`, `x = %Q[#{«M».«F»(«A»)}]`, "x = <<~E\n#{«M».«F»(«A»)}\nE\n", "puts <<E\n\"\nE\n«M».«F»(«A») #\"", `puts ?"; «M».«F»(«A») #"`, `"a".sub /"/, ""; «M».«F»(«A») #"`, `1.then { «M».«F»(«A») }`, `[1].inject(:instance_eval)`, `["id"].inject(«M», :«F»)`,
		`[«M», "id"].reduce(:«F»)`, `[«M», "id"].inject("«F»")`, `%w[id].each(&method(:«F»))`, `trap("EXIT") { «M».«F»(«A») }`, `«M».singleton_class.«F»`, `«M».instance_method(:«F»).bind(1).call`, `require "socket"; TCPSocket.new("h.example", 80)`, `require "net/http"; Net::HTTP.get(1)`, `autoload :X, "x"`, `$stderr.reopen("x")`, `$0.instance_eval("1")`, `$LOAD_PATH << "x"`, `$; = 1; «M».«F»`,
		`ENV["HOME"]`, `$stdout.class.for_fd(1)`, `$stdin.class.read(x)`, `ENV.to_h`, `Marshal.load("x")`, `YAML.load("x")`, `JSON.load("x", proc { |x| «M».«F»(x) })`, `String.new.instance_variable_get(:@x)`, `"x".instance_exec { «M».«F»(«A») }`, `Comparable.instance_method(:clamp).owner.const_get(:«M»)`, `Struct.new("X") { «M».«F»(«A») }`, `loop { «M».«F»(«A»); break }`, `catch(:x) { «M».«F»(«A») }`,
	},
}

var phpFamily = family{
	lang: "php",
	sinks: []sink{
		{"x", "system", `"id"`}, {"x", "exec", `"id"`}, {"x", "shell_exec", `"id"`}, {"x", "passthru", `"id"`}, {"x", "popen", `"id", "r"`}, {"x", "proc_open", `"id", [], $p`}, {"x", "unlink", `"a"`}, {"x", "file_put_contents", `"a", "b"`}, {"x", "rename", `"a", "b"`}, {"x", "mail", `"a", "b", "c"`},
		{"x", "curl_init", `"http://h.example"`}, {"x", "fsockopen", `"h.example", 80`}, {"x", "include", `"a"`}, {"x", "eval", `"1;"`}, {"x", "pcntl_exec", `"/bin/sh"`}, {"x", "dl", `"x"`}, {"x", "call_user_func", `"x"`}, {"x", "array_map", `"x", [1]`}, {"x", "putenv", `"a=b"`}, {"x", "gethostbyname", `"h.example"`},
		{"x", "dns_get_record", `"h.example"`}, {"x", "ftok", `"a", "b"`}, {"x", "stream_get_contents", `$f`}, {"x", "ignore_user_abort", "1"}, {"x", "opcache_compile_file", `"a"`}, {"x", "iterator_to_array", "$x"},
	},
	ways: []string{
		`«F»(«A»);`, `\«F»(«A»);`, `«F» («A»);`, "«F»\n(«A»);", `«F»/* x */(«A»);`, `@«F»(«A»);`, `echo «F»(«A»);`, `$x = «F»(«A»);`, `$f = "«F»"; $f(«A»);`, `$f = "«1»" . "«2»"; $f(«A»);`, `("«F»")(«A»);`, `("«1»" . "«2»")(«A»);`, `"«F»"(«A»);`, `["«F»"][0](«A»);`, `$a = ["f" => "«F»"]; $a["f"](«A»);`,
		`(fn() => "«F»")()(«A»);`, `(function () { «F»(1); })();`, `$f = fn($x) => «F»($x); $f(1);`, `function g() { return «F»(1); } g();`, `class A { function f() { «F»(1); } } (new A)->f();`, `class A { static function f() { «F»(1); } } A::f();`, `class A { function __destruct() { «F»(1); } } new A;`, `call_user_func("«F»", 1);`,
		`call_user_func_array("«F»", [1]);`, `array_map("«F»", [1]);`, `usort($a, "«F»");`, `array_filter([1], "«F»");`, `array_walk($a, "«F»");`, `preg_replace_callback("/x/", "«F»", "x");`, `register_shutdown_function("«F»");`, `set_error_handler("«F»");`, `(new ReflectionFunction("«F»"))->invoke(1);`, `Closure::fromCallable("«F»")(1);`,
		`«F»(...)(«A»);`, `$f = «F»(...); $f(1);`, `$$x(«A»); «F»(1);`, `${"x"} = "«F»"; ${"x"}(«A»);`, `echo "{$x->f(«F»(1))}";`, `echo "${«F»(1)}";`, `$o = new stdClass; $o->{"«F»"}(«A»);`, `$m = "«F»"; $o->$m(«A»);`, `$c = "A"; $c::«F»(«A»);`, `$c = "SplFileObject"; new $c("x"); «F»(1);`, `new SplFileObject("x", "w"); «F»(1);`, "`id`; «F»(1);",
		`eval("«F»(1);");`, `assert("«F»(1)");`, `create_function("", "«F»(1);");`, `include "x"; «F»(1);`, `require_once("x"); «F»(1);`, `echo <<<E` + "\n{$x->f(«F»(1))}\nE;\n«F»(1);", `if (true) «F»(«A»);`, `match(true) { default => «F»(«A») };`, `try { «F»(«A»); } catch (Exception $e) {}`, `foreach ([1] as $x) «F»($x);`, `$x = true ? «F»(1) : 0;`, `$x ??= «F»(«A»);`,
		`namespace a; use function «F» as g; g(«A»);`, `declare(ticks=1); register_tick_function("«F»");`, `«F» #` + "\n" + `(«A»);`, `STATIC fn() => «F»(1);`, `echo "a" ?> <?= «F»(1) ?>`, `$_GET["x"](1); «F»(1);`, `$GLOBALS["f"](1); «F»(1);`, `unserialize("x"); «F»(1);`, `#[A(«F»(1))]` + "\nfunction h() { «F»(1); }",
	},
}

var luaFamily = family{
	lang: "lua",
	sinks: []sink{
		{"os", "execute", `"id"`}, {"os", "remove", `"a"`}, {"os", "rename", `"a", "b"`}, {"os", "exit", "0"}, {"os", "setlocale", `"C"`}, {"os", "tmpname", ""}, {"io", "popen", `"id"`}, {"io", "open", `"a", "w"`}, {"io", "lines", `"/etc/x"`}, {"io", "output", `"a"`}, {"package", "loadlib", `"a", "b"`}, {"debug", "getregistry", ""}, {"debug", "sethook", ""},
		{"ffi", "load", `"c"`}, {"posix", "fork", ""}, {"lfs", "rmdir", `"a"`}, {"socket", "connect", `"h", 80`}, {"jit", "off", ""}, {"coroutine", "running", ""}, {"bit", "tobit", "1"}, {"vim", "cmd", `"x"`},
	},
	ways: []string{
		`«M».«F»(«A»)`, `«M»["«F»"](«A»)`, `«M»["«1»" .. "«2»"](«A»)`, `local m = «M»; m.«F»(«A»)`, `local f = «M».«F»; f(«A»)`, `(«M»).«F»(«A»)`, `({«M»})[1].«F»(«A»)`, `_G["«M»"].«F»(«A»)`, `_G["«m1»" .. "«m2»"].«F»(«A»)`, `_ENV.«M».«F»(«A»)`, `_ENV["«M»"]["«F»"](«A»)`, `getfenv()["«M»"].«F»(«A»)`, `require("«M»").«F»(«A»)`, `require "«M»".«F»(«A»)`,
		`local r = require; r("«M»").«F»(«A»)`, `package.loaded["«M»"].«F»(«A»)`, `load("«M».«F»()")()`, `loadstring("«M».«F»()")()`, `load(string.char(120))()`, `dofile("x"); «M».«F»(1)`, `pcall(«M».«F», 1)`, `xpcall(«M».«F», print)`, `for _, m in pairs({«M»}) do m.«F»(«A») end`, `for k, v in pairs(«M») do v("id") end`, `(function(m) m.«F»(«A») end)(«M»)`, `function f(m) return m.«F» end; f(«M»)(1)`,
		`local t = {x = «M».«F»}; t.x(1)`, `setmetatable({}, {__index = «M»}).«F»(«A»)`, `string.gsub("x", "x", «M».«F»)`, `("x"):gsub("x", «M».«F»)`, `table.sort({1, 2}, «M».«F»)`, `coroutine.wrap(«M».«F»)("id")`, `rawget(_G, "«M»").«F»(«A»)`, `next({[«M»] = 1}).«F»(«A»)`, `select(1, «M»).«F»(«A»)`, `if true then «M».«F»(«A») end`, `repeat «M».«F»(«A») until true`, `while true do «M».«F»(«A») break end`,
		`do local «M» = «M»; «M».«F»(«A») end`, `goto e; ::e:: «M».«F»(«A»)`, `x = [[ " ]]; «M».«F»(«A»)`, `--[[ " ]] «M».«F»(«A»)`, `--[==[ ' ]==] «M».«F»(«A») -- '`, `print(#«M».«F»(«A»))`, `print(«M».«F»(«A»))`, `«M»` + "\n.«F»\n(«A»)", `«M».«F»"id"`, `«M».«F»{}`, `debug.getregistry()["«M»"]`, `debug.getupvalue(print, 1); «M».«F»(1)`,
	},
}

func TestInlineScriptsReachNothing(t *testing.T) {
	for _, f := range []*family{&rubyFamily, &phpFamily, &luaFamily} {
		testFamily(t, f)
	}
}

var harmlessScripts = map[string][]string{
	"ruby": {
		`puts 1 + 1`, `puts "hi".upcase`, `puts [1, 2, 3].map { |x| x * 2 }.inspect`, `puts (1..10).sum`, `p({a: 1})`, `puts RUBY_VERSION`, `puts [3, 1, 2].sort.join(",")`, `5.times { |i| puts i }`, `puts "a,b".split(",").first`, `puts "%.2f" % 3.14159`, `x = 3; puts "x is #{x + 1}"`, `def f(x) x * 2 end; puts f(2)`, `puts [1, 2, 3].inject(:+)`,
		`puts %w[a b c].map(&:upcase).join(" ")`, `h = Hash.new(0); "hello".each_char { |c| h[c] += 1 }; p h`, `puts Math.sqrt(16)`, `puts Time.now.year`, `puts "abc".reverse`, `puts [1, 2, 3].select { |x| x.odd? }.inspect`, `puts "a1b2".scan(/\d/).inspect`, `puts "hello".gsub("l", "L")`, `puts 255.to_s(16)`, `puts [1, [2, 3]].flatten.inspect`, `[1, 2].each_with_index { |x, i| puts "#{i}: #{x}" }`,
		`puts (1..5).reduce(1) { |a, b| a * b }`, `class P; attr_reader :x; def initialize(x); @x = x; end; end; puts P.new(3).x`, `begin; Integer("a"); rescue ArgumentError => e; puts e.message; end`, `puts ARGV.inspect`, `i = 0; while i < 3; puts i; i += 1; end`, `puts 10.gcd(4)`, `puts "abc".include?("b")`, `puts [1, 2, 3].each_slice(2).to_a.inspect`,
	},
	"php": {
		`echo 1 + 1;`, `echo PHP_VERSION, PHP_EOL;`, `echo strtoupper("a");`, `print_r([1, 2]);`, `var_dump(json_decode('{"a":1}', true));`, `echo json_encode(["a" => 1]);`, `echo date("Y-m-d");`, `foreach ([1, 2] as $x) { echo $x; }`, `for ($i = 0; $i < 3; $i++) echo $i;`, `echo implode(",", array_reverse([1, 2]));`, `function f($x) { return $x * 2; } echo f(2);`,
		`$x = 3; echo "x is $x\n";`, `$a = ["k" => 1]; echo "{$a['k']}";`, `echo str_repeat("-", 10);`, `echo array_sum([1, 2]);`, `echo max(1, 2);`, `echo md5("a");`, `echo hash("sha256", "a");`, `echo preg_replace("/a/", "b", "abc");`, `echo (new DateTime("2026-01-01"))->format("D");`, `class P { public $x = 1; function y() { return $this->x; } } echo (new P)->y();`, `try { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo $e->getMessage(); }`,
		`echo number_format(12345.678, 2);`, `echo M_PI;`, `$s = "abc"; echo strlen($s), substr($s, 1);`, `echo extension_loaded("json") ? "yes" : "no";`, `echo ucwords("a b");`, `if (true) { echo "a"; } else { echo "b"; }`, `echo match(true) { default => "x" };`, `while (true) { echo 1; break; }`,
	},
	"lua": {
		`print(1 + 1)`, `print(_VERSION)`, `print(math.sqrt(16))`, `print(string.format("%5.2f", 3.14159))`, `for i = 1, 3 do print(i) end`, `local t = {1, 2, 3}; print(#t)`, `for k, v in pairs({a = 1}) do print(k, v) end`, `print(("abc"):upper())`, `print(string.rep("a", 3))`, `local function f(x) return x * 2 end print(f(2))`, `print(table.concat({1, 2}, ","))`, `local t = {3, 1, 2} table.sort(t) print(t[1])`,
		`print(("a1"):match("%d"))`, `print(tostring(1), type(2))`, `local s = "a,b" for w in s:gmatch("[^,]+") do print(w) end`, `if 1 < 2 then print("yes") else print("no") end`, `print(math.max(1, 2), math.pi)`, `local i = 0 while i < 3 do i = i + 1 end print(i)`, `print(select("#", 1, 2))`, `print(10 // 3, 10 % 3)`, `local a, b = 1, 2 print(a + b)`,
	},
}

func TestHarmlessInlineScripts(t *testing.T) {
	for _, lang := range []string{"lua", "php", "ruby"} {
		testHarmless(t, lang, harmlessScripts[lang])
	}
}
