package gates_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestBroughtIn: a dependency that the session puts into a manifest by hand asks at the run that
// brings it in, once, and every other change of a manifest asks nothing.
func TestBroughtIn(t *testing.T) {
	const cargo = "[package]\nname = \"p\"\n\n[dependencies]\nserde = \"1\"\n"
	const project = "[project]\nname = \"p\"\ndependencies = [\"flask>=2\", \"rich\"]\n\n[tool.ruff.lint]\nselect = [\"E\"]\n"
	const pom = "<project><artifactId>p</artifactId><dependencies></dependencies></project>\n"
	for _, row := range []struct{ file, before, after, run string }{
		{"package.json", `{"version": "1", "dependencies": {"a": "^1"}}`, `{"version": "1", "dependencies": {"a": "^1", "b": "^1"}}`, "npm install"},
		{"package.json", `{"dependencies": {"a": "^1"}}`, `{"dependencies": {"a": "github:acme/a"}}`, "npm ci"},
		{"package.json", "", `{"devDependencies": {"b": "^1"}}`, "yarn"},
		{"package.json", `{"dependencies": {"a": "^1"}}`, `{"dependencies": {"a": "^1"}, "overrides": {"c": "npm:b@1"}}`, "pnpm i"},
		{"Cargo.toml", cargo, cargo + "rand = \"0.8\"\n", "cargo build"},
		{"Cargo.toml", cargo, cargo + "\n[build-dependencies.cc]\nversion = \"1\"\n", "cargo test"},
		{"pyproject.toml", project, "[project]\nname = \"p\"\ndependencies = [\"flask>=2\", \"rich\", \"toolz ~= 1\"]\n", "uv run pytest"},
		{"pyproject.toml", project, project + "\n[build-system]\nrequires = [\n  \"hatchling\",\n]\n", "pip install -e ."},
		{"requirements.txt", "flask\n", "flask\ntoolz\n", "pip install -r requirements.txt"},
		{"pom.xml", pom, "<project><artifactId>p</artifactId><dependencies><dependency><artifactId>b</artifactId></dependency></dependencies></project>\n", "mvn -q compile"},
		{"build.gradle", "plugins { id 'java' }\n", "plugins { id 'java' }\ndependencies { implementation 'org.acme:b:1.0' }\n", "./gradlew test"},
		{"Gemfile", "gem 'rails'\n", "gem 'rails'\ngem 'b'\n", "bundle install"},
		{"go.mod", "module p\n\ngo 1.22\n", "module p\n\ngo 1.22\n\nrequire acme.example/b v1.0.0\n", "go mod download"},
		{"p.csproj", "<Project></Project>", "<Project><ItemGroup><PackageReference Include=\"B\" Version=\"1\"/></ItemGroup></Project>", "dotnet build"},
	} {
		disk := map[string]string{"package-lock.json": "{}", "Gemfile.lock": "GEM\n"}
		if row.before != "" {
			disk[row.file] = row.before
		}
		p := inProject(t, disk)
		p.write(row.file, row.after)
		p.write(row.file, row.after)
		if d := p.call("Bash", map[string]string{"command": row.run}); d.Disposition != gates.ApprovedWithConstraints {
			t.Errorf("%s, then %s: %v %v", row.file, row.run, d.Disposition, d.Reasons)
		}
		if d := p.call("Bash", map[string]string{"command": row.run}); d.Disposition != gates.Approved {
			t.Errorf("%s, then %s again: %v %v", row.file, row.run, d.Disposition, d.Reasons)
		}
	}
	for _, row := range []struct{ file, before, after, run string }{
		{"package.json", `{"version": "1", "dependencies": {"a": "^1"}}`, `{"version": "2", "scripts": {"lint": "eslint ."}, "dependencies": {"a": "^2"}}`, "npm install"},
		{"package.json", `{"dependencies": {"a": "^1"}}`, `{"dependencies": {"a": "^1", "b": "^1"}}`, "npm run lint"},
		{"package.json", `{"dependencies": {"a": "^1"}}`, `{"dependencies": {"a": "^1", "b": "^1"}}`, "cargo build"},
		{"Cargo.toml", cargo, "[package]\nname = \"p\"\nversion = \"2\"\n\n[features]\nx = []\n\n[dependencies]\nserde = \"1.1\"\n", "cargo build"},
		{"Cargo.toml", cargo, cargo + "rand = \"0.8\"\n", "cargo fmt"},
		{"pyproject.toml", project, "[project]\nname = \"p\"\ndependencies = [\"rich\"]\n\n[tool.ruff.lint]\nselect = [\"E\", \"F\"]\n", "uv run pytest"},
		{"pom.xml", pom, "<project><artifactId>p</artifactId><version>2</version><dependencies></dependencies></project>\n", "mvn -q test"},
		{"build.gradle", "version = '1'\n", "version = '2'\nsourceCompatibility = '17'\n", "./gradlew test"},
		{"go.mod", "module p\n\ngo 1.22\n", "module p\n\ngo 1.23\n", "go mod tidy"},
	} {
		p := inProject(t, map[string]string{row.file: row.before, "package-lock.json": "{}"})
		p.write(row.file, row.after)
		if d := p.call("Bash", map[string]string{"command": row.run}); d.Disposition != gates.Approved {
			t.Errorf("%s changed otherwise, then %s: %v %v", row.file, row.run, d.Disposition, d.Reasons)
		}
	}
}
