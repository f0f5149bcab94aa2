package gates

import (
	"encoding/json"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
)

func TestKeysOfPythonCalledLikeAttributes(t *testing.T) {
	var g Guardrail
	holds := func(pass bool, codes ...string) {
		t.Helper()
		for _, code := range codes {
			args, err := json.Marshal(map[string]string{"command": "python3 -c " + quoted(code)})
			if err != nil {
				t.Fatal(err)
			}
			c := NewContext(call.Request{Tool: "Bash", Args: args}, State{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}})
			if d := g.Decide(&c); (d.Disposition == Approved) != pass {
				t.Errorf("%v: %s\n%v", d.Disposition, code, d.Reasons)
			}
		}
	}
	holds(true,
		"d = {}\nd['__class__'] = 'x'\nprint(d['__class__'])", "d = {}\nprint(d.get('__class__', 'none'))", "print('__class__')", "v = 1\nprint(f'  __class__: {v}')",
		"print(type(1).__name__, '__dict__')", "x = {'a': 2, '__globals__': 1}\nprint(x['__globals__'])", "import json\nd = json.loads('{}')\nprint([k for k in d if k not in ('__class__', '__dict__')])",
		"import json\nd = json.loads('{}')\nif '__class__' not in d.keys(): print(d.pop('__code__', None))", "k = 'a'\nprint(1 if k == '__class__' else 2)",
	)
	holds(false,
		"print(getattr(1, '__class__'))", "print('{0.__class__}'.format(1))", "x = 1\nprint(x.__class__)", "print(print.__self__.__dict__['__import__'])", "print(vars(print)['__self__'])",
		"print(globals()['__builtins__'])", "d = {'__class__': 1}\nfor k in d: print(('{0.' + k + '}').format(1))", "d = {'__class__': 1}\nk = list(d)[0]\ns = '{0.' + k + '}'\nprint(s.format(1))",
		"k = '__class__'\nprint(k)", "print('{0.' '__class__' '}'.format(1))", "print('{0.' f'__class__' '}'.format(1))", "X = type('X', (), {'__reduce__': 1})", "t = type\nX = t('X', (), {'__reduce__': 1})",
		"class M(type): pass\nX = M('X', (), {'__reduce__': 1})", "import pandas as pd\nd = pd.DataFrame()\nprint(d['__class__'])", "import pandas as pd\nprint(pd.DataFrame().agg('__class__'))", "import operator\nprint(operator.attrgetter('__class__')(1))",
		"import functools\nfunctools.update_wrapper(print, len, assigned=('__class__',))", "import logging\nprint(logging.Formatter({'a': 1}.get('__class__'), style='{'))", "print = getattr\nprint('__class__')",
		"def print(x): return x\nk = print('__class__')", "print('{0.a.__class__}')", "print('%s' % '__class__')", "from mine import get\nprint(get('__class__'))", "__builtins__['__import__']('os')", "x = ['__class__']",
		"locals()['__builtins__']['eval']('1')", "from x import *\nprint(d['__class__'])",
	)
}
