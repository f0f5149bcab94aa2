# Finds a browser for tests of pages: . ../browser.sh sets chrome to the one in
# CHROME, or to Chromium or Chrome where there is one; root on Debian gets Chromium
# installed, with what apt says in $out. chrome is empty if there is none.

browser() {
	for b in "${CHROME:-}" chromium chromium-browser google-chrome google-chrome-stable; do
		if [ -n "$b" ] && "$b" --version >/dev/null 2>&1; then
			command -v "$b"
			return
		fi
	done
	return 1
}
if ! chrome=$(browser) && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	{ apt-get update && apt-get install -y --no-install-recommends chromium; } >"$out/apt.log" 2>&1 || tail -3 "$out/apt.log"
	chrome=$(browser) || true
fi
