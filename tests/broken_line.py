"""A connection to a server that a test can break."""

import select
import socket
import threading
from typing import Self


class BrokenLine:
    """A proxy that passes bytes on to another port, and cuts the connection at a word; a context manager."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._word = b""
        self._pass_on = False
        self._hang = False
        self.cuts = 0
        self._was_cut = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends = threading.Event()
        self._threads = [threading.Thread(target=self._listen)]

    @property
    def port(self) -> int:
        """The port at which the proxy listens."""
        port: int = self._listening.getsockname()[1]
        return port

    def cut(self, word: bytes, pass_on: bool, hang: bool = False) -> None:
        """Cut the connection the next time that a client sends ``word``.

        With ``pass_on`` the server still receives the word, and only its answer is lost. With ``hang`` the client's
        connection stays open without an answer."""
        self._was_cut.clear()
        self._word, self._pass_on, self._hang = word, pass_on, hang

    def wait_for_cut(self) -> None:
        """Wait until the connection has been cut."""
        assert self._was_cut.wait(90)

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def _listen(self) -> None:
        while not self._ends.is_set():
            if select.select([self._listening], [], [], 0.05)[0]:
                client, _ = self._listening.accept()
                thread = threading.Thread(target=self._serve, args=(client,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._to)) as server:
            while not self._ends.is_set():
                for one in select.select([client, server], [], [], 0.05)[0]:
                    said = one.recv(1 << 16)
                    if not said:
                        return
                    if one is client and self._word and self._word in said:
                        self._word = b""
                        if self._pass_on:
                            server.sendall(said)
                            assert server.recv(1 << 16), "the server has done it"
                        self.cuts += 1
                        self._was_cut.set()
                        while self._hang and not self._ends.is_set():
                            if select.select([client], [], [], 0.05)[0]:
                                break
                        return
                    (server if one is client else client).sendall(said)
