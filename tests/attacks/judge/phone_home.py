import json
import socket
from pathlib import Path

target = json.loads((Path(__file__).parent / "target.json").read_text())
reached = []
for family, address in (
    (socket.AF_INET, ("127.0.0.1", target["port"])),
    (socket.AF_UNIX, target["socket"]),
    (socket.AF_UNIX, "\0" + target["abstract"]),
):
    try:
        with socket.socket(family) as line:
            line.connect(address)
            reached.append(str(address))
    except OSError:
        continue
raise RuntimeError(f"reached={len(reached)}")
