import asyncio
import socket
import threading
import time
from contextlib import contextmanager

import uvicorn

from lighthouse import host, visitor


@contextmanager
def served():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(host.application(), host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


def test_both_servers_answer():
    with served() as url:
        ledger = asyncio.run(visitor.visit(f"{url}/ledger/"))
        keeper = asyncio.run(visitor.visit(f"{url}/keeper/"))
    assert ledger["server"] == "ledger"
    assert ledger["answer"] == {"pages": 1}
    assert ledger["page"] == [{"uri": "ledger://page/2", "mimeType": "text/plain", "text": "fog until noon"}]
    assert keeper == {"server": "keeper", "tools": ["light", "burning", "heard"]}
