"""Reads programs, one JSON string a line, and answers each with what Python's own parser
says of it: null for a syntax error, else the modules of its import statements and whether it
uses a name by which modules are brought in that no statement names."""
import ast, json, sys, warnings

warnings.simplefilter("ignore")
LOADING = {"__import__", "import_module", "exec", "eval", "compile", "globals", "vars", "__globals__", "__builtins__", "__dict__", "__subclasses__", "getattr"}


def loads(node, parent):
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in LOADING:
        call = isinstance(parent, ast.Call) and parent.func is node
        n = 1 if node.id == "getattr" else 0
        constant = call and len(parent.args) > n and isinstance(parent.args[n], ast.Constant) and isinstance(parent.args[n].value, str)
        if constant and node.id == "getattr":
            return parent.args[1].value in LOADING
        return not (constant and node.id == "__import__")
    if isinstance(node, ast.Attribute) and node.attr in {"__globals__", "__builtins__", "__dict__", "__subclasses__", "exec"}:
        return True
    return False


def read(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    modules, hidden = set(), False
    for parent in ast.walk(tree):
        if isinstance(parent, ast.Import):
            modules.update(a.name for a in parent.names)
        if isinstance(parent, ast.ImportFrom) and parent.module != "__future__":
            base = "." * parent.level + (parent.module or "")
            for a in parent.names:
                modules.add(base if a.name == "*" else base.removesuffix(".") + "." + a.name)
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "__import__" and parent.args and isinstance(parent.args[0], ast.Constant):
            modules.add(str(parent.args[0].value))
        for child in ast.iter_child_nodes(parent):
            hidden = hidden or loads(child, parent)
    return [sorted(modules), hidden]


for line in sys.stdin:
    print(json.dumps(read(json.loads(line))), flush=True)
