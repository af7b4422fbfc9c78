"""The program itself: where it is, and one call of it.

A call feeds data through a pipe and reads the answer from a pipe. Nothing stays
behind, however it ends: the program cleans up what it began, and folders are
temporary ones of the caller.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

from ._errors import MoietyError

_NAME = "moiety.exe" if os.name == "nt" else "moiety"


def program():
    """Path of the program: $MOIETY_PROGRAM, that of this package, or one on the path."""
    given = os.environ.get("MOIETY_PROGRAM")
    if given:
        return given
    inside = Path(__file__).parent / "bin" / _NAME
    if inside.exists():
        return str(inside)
    found = shutil.which(_NAME)
    if found:
        return found
    raise MoietyError(
        "the program moiety is not here: install a wheel for this system, "
        "put moiety on the path, or set MOIETY_PROGRAM"
    )


def version():
    """The version of the program."""
    return call(["version"]).decode().strip()


def call(args, feed=None, progress=None):
    """Run the program and return what it wrote.

    feed writes the data to a binary file, which is a pipe. progress is called with
    the dictionary of every event. Wrong data and settings are a ValueError with the
    program's words; a program that was killed is a MoietyError.
    """
    words = [program(), *args, *(("--progress", "json") if progress else ("--progress", "none", "--quiet"))]
    started = subprocess.Popen(
        words, stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # A terminal sends Ctrl-C to all; here one of us passes it on, once.
        **({"start_new_session": True} if os.name == "posix" else {}),
    )
    feeder = _Feeder(started.stdin, feed) if feed else None
    listener = _Listener(started.stderr, progress)
    try:
        out = started.stdout.read()
        code = started.wait()
    except BaseException:
        _stop(started)
        raise
    finally:
        listener.join()
        if feeder:
            feeder.join()
        started.stdout.close()
    if code == 0:
        if feeder and feeder.error:
            raise feeder.error
        return out
    raise _failure(code, listener.text(), out)


class _Feeder(threading.Thread):
    """Writes data to the pipe. A program that stops reading says why by itself."""

    def __init__(self, pipe, feed):
        super().__init__(daemon=True)
        self.pipe, self.feed, self.error = pipe, feed, None
        self.start()

    def run(self):
        try:
            with self.pipe:
                self.feed(_Stream(self.pipe))
        except (BrokenPipeError, ConnectionResetError):
            pass
        except OSError as e:
            if os.name != "nt":  # there a closed pipe is an OSError
                self.error = e
        except Exception as e:  # noqa: BLE001: told by call
            self.error = e


class _Stream:
    """A pipe as those writers want it that would like to know where they are."""

    def __init__(self, pipe):
        self._pipe = pipe

    def write(self, data):
        return self._pipe.write(data)

    def flush(self):
        self._pipe.flush()


class _Listener(threading.Thread):
    """Reads messages and progress."""

    def __init__(self, pipe, progress):
        super().__init__(daemon=True)
        self.pipe, self.progress, self.lines = pipe, progress, []
        self.start()

    def run(self):
        with self.pipe:
            for raw in self.pipe:
                line = raw.decode("utf-8", "replace").rstrip("\n")
                event = self._event(line)
                if event is None:
                    self.lines.append(line)
                elif self.progress:
                    try:
                        self.progress(event)
                    except Exception:  # noqa: BLE001: a display never stops a fit
                        self.progress = None

    @staticmethod
    def _event(line):
        if not line.startswith("{"):
            return None
        try:
            return json.loads(line)
        except ValueError:
            return None

    def text(self):
        said = [i for i, line in enumerate(self.lines) if line.startswith("moiety: ")]
        lines = self.lines[said[-1]:] if said else self.lines[-3:]
        return "\n".join(lines).removeprefix("moiety: ").strip()


def _stop(started):
    """End the program as Ctrl-C does; it cleans up within a second."""
    if started.poll() is not None:
        return
    started.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        started.wait(3)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()


def _failure(code, said, out):
    if code < 0 or code in (137, 143):
        number = -code if code < 0 else code - 128
        try:
            number = signal.Signals(number).name
        except ValueError:
            pass
        return MoietyError(f"the program was stopped from outside ({number}); nothing was kept")
    if code == 130:
        return KeyboardInterrupt()
    if not said:
        said = out.decode("utf-8", "replace")[-500:] or f"exit code {code}"
    if sys.version_info >= (3, 11) and code not in (1, 2, 3, 4):
        return MoietyError(said)
    return ValueError(said)


def main():
    """The command ``moiety`` of an environment: the program itself."""
    words = [program(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(words[0], words)
    sys.exit(subprocess.call(words))
