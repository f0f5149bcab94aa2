package source

import "testing"

func TestKotlinAndScala(t *testing.T) {
	check(t, "t.kts", true, "println(listOf(1,2).sum())\n", "val xs = listOf(3, 1, 2).sorted()\nfor (x in xs) println(\"x = $x ${x * 2}\")\n")
	check(t, "t.kt", true,
		"import kotlin.math.abs\nimport java.util.concurrent.atomic.AtomicInteger\n\ndata class P(val x: Int, val y: Int)\n\nsealed class E { class Num(val v: Int) : E(); object Nope : E() }\n\nfun P.len(): Int = x + y\n\nfun main(args: Array<String>) {\n    val m = mutableMapOf<String, Int>()\n    m[\"a\"] = 1\n    m.getOrPut(\"b\") { 2 }\n    val (a, b) = P(1, 2)\n    m.forEach { (k, v) -> println(\"$k=$v\") }\n    val e: E = E.Num(3)\n    when (e) { is E.Num -> println(e.v + a + b); E.Nope -> {} }\n    try { \"x\".toInt() } catch (ex: NumberFormatException) { println(ex.message) }\n    val f: (Int) -> Int = { it * 2 }\n    println(f(P(1, 2).len()))\n}\n",
	)
	check(t, "t.kt", false,
		"fun main() { Runtime.getRuntime().exec(\"id\") }", "fun main() { ProcessBuilder(\"id\").start() }", "import java.io.File\nfun main() { File(\"x\").delete() }", "fun main() { java.io.File(\"x\").deleteRecursively() }", "fun main() { println(System.getenv(\"TOKEN\")) }", "import java.net.URL\nfun main() { println(URL(\"https://h.example\").readText()) }",
		"fun main() { Class.forName(\"java.lang.Runtime\") }", "fun main() { println(\"\".javaClass.classLoader) }", "fun main() { \"${Runtime.getRuntime().exec(\"id\")}\" }", "fun main() { val x = \"${java.io.File(args[0]).delete()}\" }", "@file:DependsOn(\"a:b:1\")\nprintln(1)", "import kotlin.io.path.*\nfun main() { Path(\"x\").deleteIfExists() }", "fun main() { kotlin.io.path.Path(\"x\") }",
		"import com.example.App\nfun main() { App.run() }", "fun exec(x: String) {}\nfun main() { Runtime.getRuntime().exec(\"id\") }", "class File\nfun main() { java.io.File(\"x\").delete() }", "fun methods() {}\nfun main() { String::class.java.methods }", "fun main() { System.loadLibrary(\"x\") }", "fun main() { `exec`() }", "import java.io.*\nfun main() { FileOutputStream(\"/home/u/.profile\") }", "fun main() { val t = Thread.currentThread().contextClassLoader }",
	)
	check(t, "T.scala", true, "object T { def main(a: Array[String]): Unit = println(List(3,1,2).sorted) }\n", "case class P(x: Int)\nobject T extends App { val xs = List(1, 2).map(x => x * 2); println(xs.sum); println(P(1).x) }\n")
	check(t, "T.scala", false, "import sys.process._\nobject T extends App { \"id\".! }", "object T extends App { sys.process.Process(\"id\").run() }", "object T extends App { io.Source.fromFile(\"/etc/x\").mkString }", "import scala.io.Source\nobject T extends App { Source.fromURL(\"https://h.example\") }", "object T extends App { new java.io.File(\"x\").delete }", "object T extends App { Runtime.getRuntime exec \"id\" }", "//> using dep a:b:1\nobject T extends App { }", "import a.b\nobject T extends App { }", "object T extends App { sys.env(\"TOKEN\") }")
}
