"""Runs a command as someone else: `python -m support.users WHO COMMAND...`

me              as it is
nobody          root becomes a user without any power; a user stays who they are
no-namespaces   on a machine that allows no namespaces at all

It needs `unshare`, `mount` and `setpriv`, which every Linux has in util-linux.
"""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
_NO_MORE = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'


def open_python() -> None:
    """Let everyone read this Python and this checkout, even where they lie in root's own folder."""
    places: dict[str, list[tuple[str, int]]] = {}
    for folder in dict.fromkeys([str(CHECKOUT), sys.prefix, sys.base_prefix]):
        if folder != str(CHECKOUT) and Path(folder).is_relative_to(CHECKOUT):
            continue
        parts = folder.split("/")
        above = ["/".join(parts[:n]) for n in range(2, len(parts))]
        closed = [place for place in above if not os.stat(place).st_mode & 0o001]
        if closed:
            places.setdefault(closed[0], []).append((folder, os.open(folder, os.O_PATH)))
    for place, folders in places.items():  # what is mounted hides all that is below it
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", place], check=True)
        for folder, handle in folders:
            os.makedirs(folder)
            source = f"/proc/{os.getpid()}/fd/{handle}"
            subprocess.run(["mount", "-c", "--bind", source, folder], check=True)
            os.close(handle)


if __name__ == "__main__":
    who, *command = sys.argv[1:]
    if who == "nobody" and os.getuid() == 0:
        again = [sys.executable, "-m", "support.users", "root-in-mounts", *command]
        command = ["unshare", "--mount", *again]
    elif who == "root-in-mounts":
        open_python()
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    elif who == "no-namespaces":
        command = ["unshare", "--user", "--map-root-user", "sh", "-c", _NO_MORE, "sh", *command]
    os.execvp(command[0], command)
