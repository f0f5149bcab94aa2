package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// inertAsks are modules whose lines only seem to make something that does nothing until it is used, and what calls
// them: by what is behind a name, by what it is told, and by what uses it later.
var inertAsks = []struct {
	name, code string
	files      map[string]string
}{
	{"own redis src", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n", "src/redis.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nRedis = evil\n"}},
	{"rebind star", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nfrom app.e import *\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nclass redis:\n    Redis = evil\n"}},
	{"rebind global in fn", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nimport app.e\ndef s():\n    global redis\n    redis = app.e\ns()\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nRedis = evil\n"}},
	{"patch attr", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nfrom app.e import evil\nredis.Redis = evil\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"arg call own", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nfrom app.e import evil\nclient = redis.Redis(host=evil())\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"arg property", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nfrom app.e import k\nclient = redis.Redis(host=k.h)\n\ndef f(x):\n    return x\n", "app/e.py": "class K:\n    @property\n    def h(self):\n        import os\n        return os.system(\"rm -rf /srv\")\nk = K()\n"}},
	{"arg module getattr", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nimport app.e\nclient = redis.Redis(host=app.e.zz)\n\ndef f(x):\n    return x\n", "app/e.py": "def __getattr__(n):\n    import os\n    return os.system(\"rm -rf /srv\")\n"}},
	{"kw unknown", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x', single_connection_client=True)\n\ndef f(x):\n    return x\n"}},
	{"kw star", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nK = {'single_connection_client': True}\nclient = redis.Redis(**K)\n\ndef f(x):\n    return x\n"}},
	{"driver own", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import sqlalchemy\nengine = sqlalchemy.create_engine('postgresql://')\n\ndef f(x):\n    return x\n", "psycopg2.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nevil()\n"}},
	{"used later", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\nclient.flushall()\n\ndef f(x):\n    return x\n"}},
	{"used in f", "from app.m import g; g(1)", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\ndef g(x):\n    return client.flushall()\n\ndef f(x):\n    return x\n"}},
	{"used by getattr str", "import app.m; getattr(app.m, \"client\").flushall()", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n"}},
	{"used by vars", "import app.m; [v for v in vars(app.m).values()][-1].flushall()", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n"}},
	{"used by star", "from app.m import *; client.flushall()", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n"}},
	{"used by alias", "from app.m import client as c; c.flushall()", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\n\ndef f(x):\n    return x\n"}},
	{"alias table", "from app.m import T; T[\"a\"].flushall()", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x')\nT = {'a': client}\n\ndef f(x):\n    return x\n"}},
	{"chained method", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x').flushall()\n\ndef f(x):\n    return x\n"}},
	{"second stmt on line", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import redis\nclient = redis.Redis(host='x'); client.flushall()\n\ndef f(x):\n    return x\n"}},
	{"own int", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from app.e import int\nimport os\nX = int(os.getenv('A'))\n\ndef f(x):\n    return x\n", "app/e.py": "def int(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"own int def", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import os\ndef int(x):\n    return os.system('rm -rf /srv')\nX = int(os.getenv('A'))\n\ndef f(x):\n    return x\n"}},
	{"secret env printed", "from app.m import KEY; print(KEY)", map[string]string{"app/m.py": "import os\nKEY = os.environ.get('API_SECRET')\n\ndef f(x):\n    return x\n"}},
	{"secret env in fn", "from app.m import g; print(g(1))", map[string]string{"app/m.py": "import os\nKEY = os.environ.get('API_SECRET')\ndef g(x):\n    return KEY\n\ndef f(x):\n    return x\n"}},
	{"environ item own key", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "import os\nfrom app.e import k\nKEY = os.environ[k()]\n\ndef f(x):\n    return x\n", "app/e.py": "def k(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings printed", "from app.m import s; print(s)", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    model_config = SettingsConfigDict(env_file='.env')\n    a: str = ''\ns = S()\n\ndef f(x):\n    return x\n"}},
	{"settings printed through fn", "from app.m import g; print(g())", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    model_config = SettingsConfigDict(env_file='.env')\n    a: str = ''\ns = S()\ndef g():\n    return s.a\n\ndef f(x):\n    return x\n"}},
	{"settings validators", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nimport os\nclass S(BaseSettings):\n    a: str = ''\n    def model_post_init(self, c):\n        os.system('rm -rf /srv')\ns = S()\n\ndef f(x):\n    return x\n"}},
	{"settings init", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nimport os\nclass S(BaseSettings):\n    a: str = ''\n    def __init__(self):\n        os.system('rm -rf /srv')\ns = S()\n\ndef f(x):\n    return x\n"}},
	{"settings decorated validator", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nimport os\nfrom pydantic import field_validator\nclass S(BaseSettings):\n    a: str = ''\n    @field_validator('a')\n    def v(cls, x):\n        os.system('rm -rf /srv')\ns = S()\n\ndef f(x):\n    return x\n"}},
	{"settings default own", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import evil\nclass S(BaseSettings):\n    a: str = evil()\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings default_factory", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import evil\nfrom pydantic import Field\nclass S(BaseSettings):\n    a: str = Field(default_factory=evil)\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings annotation evil", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import T\nclass S(BaseSettings):\n    a: T = 1\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "import os\nclass T:\n    @classmethod\n    def __get_pydantic_core_schema__(cls, a, b):\n        os.system(\"rm -rf /srv\")\n"}},
	{"settings annotation Annotated alias", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import A\nclass S(BaseSettings):\n    a: A = ''\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nfrom typing import Annotated\nfrom pydantic import BeforeValidator\nA = Annotated[str, BeforeValidator(evil)]\n"}},
	{"settings own base", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from app.e import BaseSettings\nclass S(BaseSettings):\n    a: str = ''\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\nclass BaseSettings:\n    def __init__(self):\n        evil()\n"}},
	{"settings redefined", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import evil\nclass S(BaseSettings):\n    a: str = ''\nS = evil\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings redefined import", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    a: str = ''\nfrom app.e import evil as S\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings getter redefined", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    a: str = ''\ndef g(): return S()\nfrom app.e import evil as g\ns = g()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings getter in if", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    a: str = ''\ndef g(): return S()\nif True:\n    def g():\n        import os\n        os.system('rm -rf /srv')\ns = g()\n\ndef f(x):\n    return x\n"}},
	{"settings class in if", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nclass S(BaseSettings):\n    a: str = ''\nif True:\n    from app.e import evil as S\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "def evil(*a, **k):\n    import os\n    os.system('rm -rf /srv')\n    return 1\n"}},
	{"settings class body value chain", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nfrom app.e import k\nclass S(BaseSettings):\n    a: str = k.h\ns = S()\n\ndef f(x):\n    return x\n", "app/e.py": "class K:\n    @property\n    def h(self):\n        import os\n        return os.system(\"rm -rf /srv\")\nk = K()\n"}},
	{"Config class evil", "from app.m import f; print(f(1))", map[string]string{"app/m.py": "from pydantic_settings import BaseSettings, SettingsConfigDict\nimport os\nclass S(BaseSettings):\n    class Config:\n        env_file = '.env'\n        @classmethod\n        def customise_sources(cls, *a):\n            os.system('rm -rf /srv')\ns = S()\n\ndef f(x):\n    return x\n"}},
	{"v1 config schema_extra", "from app.m import S; print(S.schema())", map[string]string{"app/m.py": "import os\nfrom pydantic import BaseModel\nclass S(BaseModel):\n    a: str = \"\"\n    class Config:\n        @staticmethod\n        def schema_extra(s, c):\n            os.system(\"rm -rf /srv\")\n\n\ndef f(x):\n    return x\n"}},
}

func TestInertLines(t *testing.T) {
	judge := func(code string, files map[string]string) gates.Decision {
		all := map[string]string{"app/__init__.py": ""}
		for f, text := range files {
			all[f] = text
		}
		p := inProject(t, all)
		p.st.FollowPython, p.st.UID = gates.FollowPython, 1000
		return p.call("Bash", map[string]string{"command": "python - <<'E'\n" + code + "\nE"})
	}
	for _, tt := range inertAsks {
		if d := judge(tt.code, tt.files); d.Disposition == gates.Approved {
			t.Errorf("%s passes", tt.name)
		}
	}
	const settings = "import os\nfrom functools import lru_cache\nfrom pydantic import Field\nfrom pydantic_settings import BaseSettings, SettingsConfigDict\n\nclass Settings(BaseSettings):\n    model_config = SettingsConfigDict(env_file='.env', extra='ignore')\n    url: str = Field(default='sqlite:///./app.db')\n    key: str = os.environ.get('SECRET_KEY', 'dev')\n    debug: bool = os.getenv('DEBUG', '0') == '1'\n\n@lru_cache\ndef get_settings() -> Settings:\n    return Settings()\n\nsettings = get_settings()\n"
	for _, text := range []string{
		"import os\nimport redis\nURL = os.environ.get('REDIS_URL', 'redis://localhost')\nclient = redis.Redis.from_url(URL, decode_responses=True)\n",
		"import os, boto3\ns3 = boto3.client('s3', region_name=os.environ['AWS_REGION'])\n",
		"from openai import OpenAI\nimport os\nclient = OpenAI(api_key=os.environ.get('OPENAI_API_KEY'))\n",
		"from celery import Celery\ncelery = Celery('x', broker='redis://localhost')\n",
		"import httpx\nclient = httpx.AsyncClient(base_url='https://h.example', timeout=httpx.Timeout(3))\n",
		"from sqlalchemy import create_engine\nfrom sqlalchemy.orm import sessionmaker\nfrom app.config import settings\nengine = create_engine(settings.url, pool_pre_ping=True)\nSession = sessionmaker(autocommit=False, autoflush=False, bind=engine)\n\ndef db():\n    return Session()\n",
		"from app.config import settings\n\ndef key():\n    return settings\n",
	} {
		if d := judge("from app.m import f; print(f(1))", map[string]string{"app/config.py": settings, "app/m.py": text + "\ndef f(x):\n    return x\n"}); d.Disposition != gates.Approved {
			t.Errorf("%q: %v", text, d.Reasons)
		}
	}
}
