package gates

import "testing"

// TestVariablesOfFiles: where a client connects that goes by a variable of a file that the line takes
// in, nobody knows, unless git holds the file and it has constants alone.
func TestVariablesOfFiles(t *testing.T) {
	const root = "/srv/code/p"
	there := map[string]string{
		root + "/dev/local.env":     "# dev\nexport DATABASE_URL=postgres://dev:dev@localhost:5432/app\nPGHOST=localhost\nAPI_URL=\"http://localhost:8080\"\nX='a b'\n",
		root + "/dev/team.env":      "DATABASE_URL=postgres://db.acme.example/app\nPGHOST=db.acme.example\n",
		root + "/dev/computed.env":  "A=$(date)\nPGHOST=localhost\n",
		root + "/.env":              "DATABASE_URL=postgres://localhost/app\n",
		root + "/venv/bin/activate": "deactivate () { :; }\n",
		root + "/bin/rails":         "x\n",
	}
	s := State{Cwd: root, Roots: []string{root}, Home: "/home/me", UID: 1000, GID: 1000}
	s.Exists = func(path string) bool { _, ok := there[path]; return ok || path == root }
	s.Text = func(path string) (string, bool) { text, ok := there[path]; return text, ok }
	s.Tracked = func(path string) bool { return path != root+"/.env" }
	for line, asks := range map[string]bool{
		`source .env && psql "$PROD_URL" -c 'select 1'`:                         true,
		`set -a; . ./.env; set +a; psql -c 'select 1'`:                          true,
		`source .env; U="$PROD_URL?sslmode=require"; psql "$U" -c 'select 1'`:   true,
		`source .env; psql --dbname="$PROD_URL" -c 'select 1'`:                  true,
		`source .env; psql "postgres://$DB/x" -c 'select 1'`:                    true,
		`source .env; pg_dump -s app`:                                           true,
		`source .env; mysql "$DSN" -e 'select 1'`:                               true,
		`source .env; mongosh "$MONGO_URL" --eval 'db.a.countDocuments()'`:      true,
		`bash -c 'source .env; psql "$PROD_URL" -c "select 1"'`:                 true,
		`source .env; docker compose exec db psql "$PROD_URL" -c 'select 1'`:    true,
		`npx dotenv -e .env -- psql "$PROD_URL" -c 'select 1'`:                  true,
		`dotenv -- psql -c 'select 1'`:                                          true,
		`uv run --env-file .env psql -c 'select 1'`:                             true,
		`source dev/team.env; psql "$DATABASE_URL" -c 'select 1'`:               true,
		`source dev/team.env; psql -c 'select 1'`:                               true,
		`source dev/computed.env; psql -c 'select 1'`:                           true,
		`echo PGHOST=a.example >> dev/local.env; . dev/local.env; psql -c '\d'`: true,
		`. "$ENVFILE"; psql "$DATABASE_URL" -c 'select 1'`:                      true,
		`source prod.env; bin/rails db:migrate`:                                 true,
		`. ./.env.staging; npx prisma migrate deploy`:                           true,
		`dotenv -e .env.production -- bin/rails db:migrate`:                     true,
		`source dev/local.env; psql "$DATABASE_URL" -c 'select 1'`:              false,
		`source dev/local.env; psql -c 'select 1'`:                              false,
		`source dev/local.env; curl -s $API_URL/health`:                         false,
		`set -a; . dev/local.env; set +a; bin/rails db:migrate`:                 false,
		`source venv/bin/activate && psql "$DATABASE_URL" -c 'select 1'`:        false,
		`source .env; psql -h localhost -c 'select 1'`:                          false,
		`source .env; psql postgres://localhost/x -c 'select 1'`:                false,
		`source .env; bin/rails db:migrate`:                                     false,
		`source .env.test; bin/rails db:migrate`:                                false,
		`. scripts/lib.sh; bin/rails db:migrate`:                                false,
		`source .env; redis-cli ping`:                                           false,
		`dotenv -e .env -- node -e 1; psql "$DATABASE_URL" -c 'select 1'`:       false,
		`psql "$DATABASE_URL" -c 'select 1'`:                                    false,
	} {
		c := ShellContext(line, s)
		if d := (&Guardrail{}).Decide(&c); (d.Disposition != Approved) != asks {
			t.Errorf("%s: %v %v", line, d.Disposition, d.Reasons)
		}
	}
}
