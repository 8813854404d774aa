"""Packages of npm that a test needs, from a folder with a lock file."""

import shutil
import subprocess


def installed(source, folder):
    """Installs what the lock file in `source` says into `folder`, once. False where the registry cannot be reached."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = source / "package-lock.json"
    stamp = folder / "node_modules/installed"
    for path in source.iterdir():
        shutil.copy(path, folder)
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes():
        return True
    npm = ["npm", "--fetch-retries=1", "--fetch-timeout=30000"]
    if subprocess.run([*npm, "ping"], cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        return False
    subprocess.run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
    stamp.write_bytes(lock.read_bytes())
    return True
