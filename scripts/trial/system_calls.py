"""A process that is followed from one system call to the next, on Linux: so it can be ended at any of them.

Between two calls that change something on the disk a kill is as good as one just before the second. So only those are
counted.
"""

import ctypes
import os
import platform
import signal
import struct
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple, NoReturn

X86 = {
    1: "write", 18: "pwrite64", 20: "writev", 40: "sendfile", 74: "fsync", 75: "fdatasync", 76: "truncate",
    77: "ftruncate", 82: "rename", 83: "mkdir", 86: "link", 87: "unlink", 90: "chmod", 91: "fchmod", 257: "openat",
    258: "mkdirat", 263: "unlinkat", 264: "renameat", 265: "linkat", 268: "fchmodat", 285: "fallocate",
    316: "renameat2", 326: "copy_file_range",
}  # fmt: skip
ARM = {
    34: "mkdirat", 35: "unlinkat", 37: "linkat", 38: "renameat", 45: "truncate", 46: "ftruncate", 47: "fallocate",
    52: "fchmod", 53: "fchmodat", 56: "openat", 64: "write", 66: "writev", 68: "pwrite64", 71: "sendfile",
    82: "fsync", 83: "fdatasync", 276: "renameat2", 285: "copy_file_range",
}  # fmt: skip
CHANGING = {"x86_64": X86, "aarch64": ARM}.get(platform.machine(), {})
"""The system calls of this machine that change what is on the disk, by their numbers."""

TRACE_ME, NEXT_CALL, OPTIONS, CALL_INFO = 0, 24, 0x4200, 0x420E
MARK_CALLS, END_WITH_US = 1, 0x100000
CALL_STOP = signal.SIGTRAP | 0x80
LONGEST_PATH = 4096

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


class Call(NamedTuple):
    """A system call of another process, about to be made or just made."""

    pid: int
    name: str
    arguments: tuple[int, ...]
    result: int | None
    """``None`` before it is made."""

    def text(self, argument: int) -> str:
        """The text that an argument points to."""
        return os.fsdecode(self.data(argument, LONGEST_PATH).partition(b"\0")[0])

    def data(self, argument: int, size: int) -> bytes:
        """The bytes that an argument points to, fewer where the memory ends before."""
        memory = os.open(f"/proc/{self.pid}/mem", os.O_RDONLY)
        try:
            return os.pread(memory, size, self.arguments[argument])
        finally:
            os.close(memory)

    def file(self, argument: int) -> str:
        """Where the file is whose number is an argument."""
        return os.readlink(f"/proc/{self.pid}/fd/{self.arguments[argument]}")


def follow(work: Callable[[], object], folder: Path) -> Generator[Call, None, None]:
    """Do ``work`` in a process of its own; each call by which it changes what is in a folder, before and after it.

    The process is killed where whoever asks stops asking. Raises ``AssertionError`` if the work fails.
    """
    assert CHANGING, f"the system calls of {platform.machine()} are not known here"
    pid = os.fork()
    if pid == 0:
        _be_followed(work)
    try:
        os.waitpid(pid, 0)
        _ask(OPTIONS, pid, 0, MARK_CALLS | END_WITH_US)
        entered: Call | None = None
        deliver = 0
        while True:
            _ask(NEXT_CALL, pid, 0, deliver)
            _, status = os.waitpid(pid, 0)
            if not os.WIFSTOPPED(status):
                pid = 0
                assert status == 0, f"the work ended with {status}"
                return
            deliver = os.WSTOPSIG(status)
            if deliver == CALL_STOP:
                deliver = 0
                result, number, arguments = _info(pid)
                if result is not None:
                    call = entered and entered._replace(result=result)
                else:
                    call = entered = _changing(Call(pid, CHANGING.get(number, ""), arguments, None), folder)
                if call:
                    yield call
    finally:
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _be_followed(work: Callable[[], object]) -> NoReturn:
    """Do ``work`` in the process that is followed."""
    code = 1
    try:
        _libc.ptrace(TRACE_ME, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _ask(what: int, pid: int, place: int, data: int) -> int:
    """Ask the system something about a process that is followed."""
    found: int = _libc.ptrace(what, pid, place, data)
    assert found >= 0, os.strerror(ctypes.get_errno())
    return found


def _info(pid: int) -> tuple[int | None, int, tuple[int, ...]]:
    """Of the call at which a process stopped: its result if it has been made, else its number and arguments."""
    told = ctypes.create_string_buffer(88)
    assert _libc.ptrace(CALL_INFO, pid, len(told), ctypes.addressof(told)) > 0, os.strerror(ctypes.get_errno())
    if told.raw[0] == 1:
        number, *arguments = struct.unpack("=7Q", told.raw[24:80])
        return None, number, tuple(arguments)
    (result,) = struct.unpack("=q", told.raw[24:32])
    return result, 0, ()


def _changing(call: Call, folder: Path) -> Call | None:
    """``call``, if it is one that changes what is in a folder."""
    match call.name:
        case "":
            return None
        case "openat":
            places = [call.text(1)] if call.arguments[2] & (os.O_CREAT | os.O_TRUNC) else []
        case "rename" | "link":
            places = [call.text(0), call.text(1)]
        case "mkdir" | "unlink" | "chmod" | "truncate":
            places = [call.text(0)]
        case "renameat" | "renameat2" | "linkat":
            places = [call.text(1), call.text(3)]
        case "mkdirat" | "unlinkat" | "fchmodat":
            places = [call.text(1)]
        case _:
            places = [call.file(0)]
    return call if any(place.startswith(str(folder)) for place in places) else None
