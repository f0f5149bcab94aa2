"""Opens pages of gbt view in a real browser and works in them: search, folding, keys, parts, paper. They must ask the network for nothing and complain of nothing.

With SHOTS=folder it leaves pictures there, for people to look at.
"""

import os
import pathlib
import sys
import tempfile

import browser

LIMIT = 300 if os.environ.get("SHOTS") else 60  # seconds for everything
MOST_MADE = 500  # elements in a frame: a screen of rows, each of a few
MOST_BUSY = 100  # times what an empty page takes; it was 30
SIZES = {"desktop": (1280, 800, "light"), "dark": (1280, 800, "dark"), "phone": (390, 844, "light")}


def size(b, width, height, scheme):
    b.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
    b.ask("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
    b.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def load(b, file):
    b.events.clear()
    b.ask("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
    b.until("document.readyState === 'complete' && performance.getEntriesByName('first-contentful-paint').length > 0 && document.querySelectorAll('.row').length > 0")


def quiet(b, file):
    """Nothing was complained of, and nothing but the page itself was asked for."""
    b.eval("1")
    asked = [e["params"]["request"]["url"] for e in b.events if e["method"] == "Network.requestWillBeSent"]
    asked = [u for u in asked if not u.startswith("data:")]
    assert len(asked) == 1 and asked[0].startswith("file:"), asked
    said = [e for e in b.events if e["method"] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")]
    assert not said, (file, said)


# Scrolls for 40 frames. Answers how many elements a frame made at most, and how long
# the middle one and the longest took, in milliseconds.
FRAMES = """new Promise((done) => {
  const list = document.getElementById('list'), times = [];
  let last = performance.now(), n = 0, most = 0;
  const made = new MutationObserver((all) => { most = Math.max(most, all.reduce((sum, m) => sum + m.addedNodes.length, 0)); });
  made.observe(list, { childList: true, subtree: true });
  const next = () => {
    const now = performance.now();
    if (n++ > 1) times.push(now - last);
    last = now;
    list.scrollTop += 900;
    if (n < 42) requestAnimationFrame(next);
    else { made.disconnect(); times.sort((a, b) => a - b); list.scrollTop = 0; done([most, times[20], times[times.length - 1]]); }
  };
  requestAnimationFrame(next);
})"""


# A page that scrolls and does nothing else: what frames cost this browser at least.
EMPTY = "<!doctype html><title>empty</title><div id=list style='height:600px;overflow:auto'><div style='height:300000px'></div></div>"


def spent(b):
    """The seconds of processor time of the page's thread: no matter how busy the machine is with others."""
    return next(m["value"] for m in b.ask("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")


def scrolled(b):
    """The most elements made in a frame, the processor time of 40 frames in milliseconds, and how long the middle and the longest took; the best of three."""
    best = None
    for _ in range(3):
        before = spent(b)
        made, typical, worst = b.eval(FRAMES)
        one = made, 1000 * (spent(b) - before), typical, worst
        best = min(best or one, one, key=lambda r: r[1])
    return best


# The median time of 20 answers, in milliseconds, from the input to rows that are laid out.
ANSWERS = """(() => {
  const times = [];
  for (let i = 0; i < 20; i++) {
    const from = performance.now();
    %s;
    rows.getBoundingClientRect();
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b)[10];
})()"""


def works(b, file):
    nodes = b.eval("data.id.length")
    row = "document.querySelectorAll('.row').length"
    # All of it opens, and only the rows in sight are elements.
    b.press("e", "e")
    assert b.eval("shown.length") == nodes
    assert b.eval(row) < 100
    made, busy, typical, worst = scrolled(b)
    paint = b.eval("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    ready = b.eval("performance.getEntriesByType('navigation')[0].loadEventEnd")
    # What a key and a letter of a search take to answer, all rows open.
    b.press("Home")
    key = b.eval(ANSWERS % "go(i % 2 ? -1 : page())")
    letter = b.eval(ANSWERS % "search('send'.slice(0, 1 + i % 4))")
    fold = b.eval(ANSWERS % "toggle(tops[0])")
    b.eval("search('')")
    # Folding by key: nothing but families is left; the first opens again.
    b.press("c", "c")
    tops = b.eval("tops.length")
    assert b.eval("shown.length") == tops
    b.press("Home")
    b.press("ArrowRight")
    assert b.eval("shown.length") > tops
    b.press("ArrowRight")
    assert b.eval("data.parent[picked] === tops[0]")
    b.press("ArrowLeft")
    b.press("ArrowLeft")
    assert b.eval("picked === tops[0]"), b.eval("picked")
    # By mouse.
    before = b.eval("shown.length")
    b.eval("document.querySelector('.row .fold').click()")
    assert b.eval("shown.length") != before
    # Search finds a step that is folded away, and opens the way to it.
    word = b.eval("stateOf(data.id.length - 1).key")
    b.press("/", "/")
    b.ask("Input.insertText", text=word)
    b.press("Enter")
    assert b.eval("found.length > 0 && picked === found[0] && placeOf[picked] >= 0"), word
    assert word in b.eval("document.querySelector('.row.on').textContent")
    b.press("Escape")
    assert b.eval("document.activeElement.id") == "list"
    # The keys are told.
    b.press("?", "?")
    assert b.eval("document.getElementById('help').open")
    b.eval("document.getElementById('help').close()")
    b.press("2", "2")
    assert b.eval("document.getElementById('gates').classList.contains('on')")
    b.press("1", "1")
    # A run is led along the tree by keys.
    if calls := b.eval("run ? run.steps.length : 0"):
        b.press("1", "1")
        b.eval("toCall(0)")
        b.press(".", ".")
        assert b.eval("atCall") == 1 and f"2 of {calls}" in b.eval("document.getElementById('call').textContent")
        b.press(",", ",")
        assert b.eval("atCall") == 0 and b.eval("run.steps[0].n < 0 || picked === run.steps[0].n")
    # Unsafe calls are gone through by keys, forwards and back, from window to window, and into the tree.
    if steps := b.eval("calls.length"):
        b.eval("tab('windows')")
        b.press("ArrowDown")
        assert b.eval("atStep") == 0 and b.eval("document.activeElement === calls[0]")
        b.press("ArrowDown")
        b.press("ArrowUp")
        assert b.eval("atStep") == 0
        b.press("n", "n")
        assert b.eval("calls[atStep].parentElement === document.querySelectorAll('.steps')[1]")
        b.press("N", "N")
        assert b.eval("atStep") == 0
        b.eval("toStep(calls.length - 1)")
        b.press("ArrowDown")
        assert b.eval("atStep") == steps - 1
        b.eval("toStep(calls.findIndex((c) => c.dataset.node))")
        b.press("Enter")
        assert b.eval("document.getElementById('tree').classList.contains('on') && data.id[picked] === calls[atStep].dataset.node")
        b.eval("tab('windows'); document.querySelector('#windows [data-gate]').click()")
        assert b.eval("document.querySelector('#gates article.on') !== null")
        b.press("1", "1")
    # On paper the rows are there beyond those in sight.
    b.eval("dispatchEvent(new Event('beforeprint'))")
    assert b.eval(row) == min(b.eval("shown.length"), 3000)
    b.eval("dispatchEvent(new Event('afterprint'))")
    assert b.eval(row) < 100
    print(f"view: {nodes} nodes, {os.path.getsize(file) >> 10} KiB: first paint {paint:.0f} ms, loaded {ready:.0f} ms; 40 frames of scrolling take {busy:.0f} ms of processor time and make at most {made} elements each; "
          f"a frame takes {typical:.1f} ms, the longest {worst:.1f} ms; a key is answered in {key:.1f} ms, a letter of a search in {letter:.1f} ms, folding in {fold:.1f} ms")
    return made, busy


def smooth(empty, work):
    """Scrolling makes a screen of rows, however many there are. Times are printed and held to nothing: they are the machine's. Work is
    counted, and processor time is held beside that of an empty page in the same run."""
    assert all(0 < made < MOST_MADE for made, _ in work), work
    assert all(busy < MOST_BUSY * empty for _, busy in work), (empty, work)


def pictures(b, file, folder):
    name = pathlib.Path(file).stem
    for kind, (width, height, scheme) in SIZES.items():
        size(b, width, height, scheme)
        load(b, file)
        b.shot(f"{folder}/{name}-{kind}.png")
        if kind == "desktop":  # as it goes on paper
            b.ask("Emulation.setEmulatedMedia", media="print")
            b.eval("dispatchEvent(new Event('beforeprint'))")
            b.shot(f"{folder}/{name}-print.png")
            b.eval("dispatchEvent(new Event('afterprint'))")
            size(b, width, height, scheme)
        b.eval("pick(shown[Math.min(8, shown.length - 1)])")
        b.shot(f"{folder}/{name}-{kind}-picked.png")
        for i, part in enumerate(b.eval("tabs.map((b) => b.dataset.tab)")):
            if part != "tree":
                b.eval(f"tab('{part}')")
                b.shot(f"{folder}/{name}-{kind}-{part}.png")


def main(program, *files):
    browser.limit(LIMIT)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        b = browser.Browser(program, home)
        try:
            b.attach("about:blank")
            for domain in ("Page", "Runtime", "Log", "Network"):
                b.ask(domain + ".enable")
            b.ask("Performance.enable", timeDomain="threadTicks")
            size(b, *SIZES["desktop"])
            b.ask("Page.setDocumentContent", frameId=b.ask("Page.getFrameTree")["frameTree"]["frame"]["id"], html=EMPTY)
            _, empty, _, _ = scrolled(b)
            print(f"view: 40 frames of scrolling in an empty page take {empty:.0f} ms of processor time")
            work = []
            for file in files:
                size(b, *SIZES["desktop"])
                load(b, file)
                work.append(works(b, file))
                quiet(b, file)
                if folder := os.environ.get("SHOTS"):
                    pictures(b, file, folder)
            smooth(empty, work)
        finally:
            b.end()
    assert files, "no pages"


main(*sys.argv[1:])
