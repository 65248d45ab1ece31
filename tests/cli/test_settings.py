"""The sources of settings, and the messages about invalid ones."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from cardgames.ui.settings import ALLOWED_VALUES, Settings, setting_text
from tests.cli.conftest import Run

EVERY = [*Settings._fields]
NAMES = [name for name in EVERY if ALLOWED_VALUES[name]]
OTHER = {
    "language": ("ja", '"ja"'),
    "width": ("2", "2"),
    "theme": ("night", '"night"'),
    "sort": ("rank", '"rank"'),
    "pause": ("off", '"off"'),
    "moment": ("short", '"short"'),
    "hide_after": ("30", "30"),
    "empty_tables": ("240", "240"),
    "notice": ("bell", '"bell"'),
}
"""A value other than the default, as shown and as in the file, for each setting that is no switch."""


def flag(name: str) -> str:
    """The command-line flag of a setting."""
    return "--" + name.replace("_", "-")


def other(name: str) -> tuple[str, str, list[str]]:
    """A value that is not the default: as shown, as written in the file, and as flags."""
    if name in OTHER:
        return *OTHER[name], [flag(name), OTHER[name][0]]
    on = not getattr(Settings(), name)
    return "on" if on else "off", str(on).lower(), [flag(name) if on else flag(f"no-{name}")]


def default(name: str) -> str:
    """The default value of a setting as ``config`` shows it."""
    value = getattr(Settings(), name)
    return str(value) if name in OTHER else "on" if value else "off"


def shown(run: Run, name: str, *flags: str) -> tuple[str, str]:
    """The value and the source of a setting, as ``config`` shows them in English."""
    said = run("--language", "en", "config", name, *flags) if name != "language" else run("config", name, *flags)
    assert said.code == 0, said.error
    line = said.out.splitlines()[1]
    found = re.fullmatch(rf"{name} += (\w+) +(\S.*)", line)
    assert found, line
    return found[1], found[2]


@pytest.mark.parametrize("name", NAMES)
def test_flag_environment_file_default(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    value, written, flags = other(name)
    usual = default(name)
    assert shown(run, name) == (usual, "by default")
    (home / "config.toml").write_text(f"{name} = {written}\n")
    assert shown(run, name) in ((value, "from the file"), (value, "設定ファイル"))
    monkeypatch.setenv(f"CARDGAMES_{name.upper()}", usual)
    assert shown(run, name) == (usual, "from the environment")
    assert shown(run, name, *flags) in ((value, "from an option"), (value, "オプション"))


def test_a_former_setting_in_an_old_file_is_no_error(run: Run, home: Path) -> None:
    (home / "config.toml").write_text("own_word = true\nplain = true\n")
    assert shown(run, "plain")[0] == "on"


def test_what_the_terminal_says(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert shown(run, "language") == ("ja", "ターミナル")
    monkeypatch.setenv("LC_ALL", "C")
    assert shown(run, "language") == ("en", "by default")
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(run, "colour") == ("off", "from the terminal")
    monkeypatch.setenv("TERM", "dumb")
    assert shown(run, "plain") == ("on", "from the terminal")
    assert shown(run, "plain", "--no-plain") == ("off", "from an option")
    (home / "config.toml").write_text("colour = true\nplain = false\n")
    assert shown(run, "colour") == ("on", "from the file")
    assert shown(run, "plain") == ("off", "from the file")


@pytest.mark.parametrize(("written", "on"), [("1", True), ("on", True), ("YES", True), ("0", False), ("no", False)])
def test_how_a_switch_is_written(run: Run, monkeypatch: pytest.MonkeyPatch, written: str, on: bool) -> None:
    monkeypatch.setenv("CARDGAMES_FAST", written)
    assert shown(run, "fast") == ("on" if on else "off", "from the environment")


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_value_is_refused(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    allowed = [setting_text(name, value) for value in ALLOWED_VALUES[name]]

    def check(said: tuple[int, str, str], *texts: str) -> None:
        code, out, error = said
        assert (code, out) == (2, "")
        assert error.count("\n") == 1
        for text in texts:
            assert text in error
        assert "cannot be" in error

    if name in OTHER:
        check(run("matches", flag(name), "purple"), flag(name), "purple", *allowed)
        check(run("matches", flag(name)), flag(name), *allowed)
    check(run("config", name, "purple"), name, "purple", *allowed)
    monkeypatch.setenv(f"CARDGAMES_{name.upper()}", "purple")
    check(run("matches"), f"CARDGAMES_{name.upper()}", "purple", *allowed)
    monkeypatch.delenv(f"CARDGAMES_{name.upper()}")
    path = home / "config.toml"
    for wrong in ('"purple"', "4", "[1]", "1.5"):
        path.write_text(f"# mine\n\n{name} = {wrong}\n")
        check(run("matches"), f"{path}, line 3: {name}", wrong, *(("true", "false") if name not in OTHER else allowed))
        assert path.read_text() == f"# mine\n\n{name} = {wrong}\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('language = "en"\nfast = \n', 2, "this is not valid TOML"),
        ('language = "en', 1, "this is not valid TOML"),
        ("fast = true\n\nspeed = 3\n", 3, "there is no setting “speed”. The settings are: language,"),
        ("[table]\nfast = true\n", 1, "there is no setting “table”."),
    ],
)
def test_a_broken_file_is_named_with_its_line(run: Run, home: Path, text: str, line: int, words: str) -> None:
    path = home / "config.toml"
    path.write_text(text)
    error = run("matches").refused()
    assert error.startswith(f"{path}, line {line}: ")
    assert words in error
    assert path.read_text() == text


def test_a_file_that_is_no_text_or_a_folder(run: Run, home: Path) -> None:
    path = home / "config.toml"
    path.write_bytes(b"fast = true\n\xff\n")
    assert f"{path}, line 2: this is not valid TOML" in run("matches").error
    path.unlink()
    path.mkdir()
    said = run("matches")
    assert said.code == 73
    assert said.error.startswith(f"{path} cannot be read: it is a folder. Fix that, or ")


def test_what_is_set_stays_and_leaves_the_rest(run: Run, home: Path) -> None:
    path = home / "config.toml"
    path.write_text("# my own\nfast = true\n")
    said = run("config", "four_colours", "on")
    assert said.code == 0
    assert "four_colours  = on      from the file" in said.out
    assert run("config", "fast", "off").code == 0
    assert path.read_text() == "# my own\nfour_colours = true\nfast = false\n"
    assert run("config", "language", "ja").code == 0
    assert "マイ" not in run("matches").out
    assert "まだ対戦がありません" in run("matches").out


def test_a_setting_cannot_be_written_where_nothing_can(run: Run, home: Path) -> None:
    (home / "config.new").mkdir()
    said = run("config", "fast", "on")
    assert said.code == 73
    assert "config.toml cannot be written: it is a folder." in said.error


def test_messages_are_ascii_where_that_is_wanted(run: Run) -> None:
    for arguments in (("foo",), ("play", "durak", "--players", "3"), ("--help",), ("play", "kakeya", "--help"), ()):
        said = run("--ascii", *arguments)
        assert (said.out + said.error).isascii()


ENDLESS = {
    "lists": "fast = " + "[" * 9000 + "]" * 9000,
    "a number": "width = " + "9" * 9000,
    "a number in base 16": "width = 0x" + "f" * 90_000,
    "infinity": "width = 9e999999",
    "tables": "width" + ".a" * 3000 + " = 1",
    "unknown tables": "[" + "a." * 3000 + "b]\nc = 1",
}
"""Lines by kind that Python's TOML reader accepts and that cannot be settings."""


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_file_without_end_is_refused_with_its_line(run: Run, home: Path, kind: str) -> None:
    path = home / "config.toml"
    path.write_text(f"# mine\n{ENDLESS[kind]}\n")
    for command in (("matches",), ("config", "fast", "on")):
        error = run(*command).refused()
        assert error.startswith(f"{path}, line 2: ")
        assert len(error) < 2 * 10_000


@pytest.mark.parametrize("text", ["speed = 3\n", "fast = \n", None])
@pytest.mark.parametrize("asked", [("play", "durak", "-h"), ("--version",)])
def test_help_is_given_whatever_the_file(run: Run, home: Path, text: str | None, asked: tuple[str, ...]) -> None:
    path = home / "config.toml"
    expected = run("--language", "ja", *asked)
    if text is None:
        path.mkdir()
    else:
        path.write_text(text)
    assert run("matches").code == (2 if text else 73)
    assert run("--language", "ja", *asked) == expected
    assert expected.code == 0


def test_a_link_to_the_file_stays_a_link(run: Run, home: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "cards.toml"
    (home / "config.toml").symlink_to(kept)
    assert run("config", "fast", "on").code == 0  # where it leads to nothing yet, too
    assert kept.read_text() == "fast = true\n"
    kept.chmod(0o600)
    assert run("config", "sort", "rank").code == 0
    assert run("config", "sort", "rank fipsen=low").code == 2
    assert run("config", "sort", "rank fipsen=suit").code == 0
    assert run("config", "sort", "rank").code == 0
    assert (home / "config.toml").is_symlink()
    assert kept.read_text() == 'fast = true\nsort = "rank"\n'
    assert kept.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in kept.parent.iterdir()) == ["cards.toml"]


def test_a_link_that_leads_to_itself_is_refused(run: Run, home: Path) -> None:
    (home / "config.toml").symlink_to(home / "config.toml")
    assert "config.toml cannot be read: " in run("config", "fast", "on").refused(73)


URL = "postgresql://ann:kept%20secret@cards.example:5433/evening?sslpassword=also"
SHOWN = "postgresql://ann@cards.example:5433/evening"


def test_where_the_store_is_comes_from_the_environment(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("config", "store").out.splitlines()[1] == "store         = sqlite  by default"
    said = run("config", "store", URL)
    assert (said.code, said.out.splitlines()[1]) == (0, f"store         = {SHOWN} from the file")
    path = home / "config.toml"
    assert path.read_text() == f'store = "{URL}"\n'
    assert path.stat().st_mode & 0o777 == 0o600
    assert f"store         = {SHOWN} from the file" in run("config").out.splitlines()
    monkeypatch.setenv("CARDGAMES_STORE", "sqlite")
    assert run("config", "store").out.splitlines()[1] == "store         = sqlite  from the environment"
    assert run("matches").code == 0


def test_readable_file_is_closed_for_a_password(run: Run, home: Path) -> None:
    path = home / "config.toml"
    path.write_text("fast = true\n")
    path.chmod(0o644)
    assert run("config", "fast", "off").code == 0
    assert path.stat().st_mode & 0o777 == 0o644
    assert run("config", "store", URL).code == 0
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("wrong", ["mysql://ann:secret@host/cards", "ann:secret@host", "postgresql:/ann:secret@host"])
def test_what_is_no_store_is_not_said_again(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    def refused(*arguments: str) -> None:
        said = run(*arguments)
        assert said.code == 2
        assert "secret" not in said.out + said.error
        assert "postgresql://…" in said.error

    refused("config", "store", wrong)
    for written in (f'"{wrong}"', f'["{wrong}"]', f'{{ url = "{wrong}" }}', "4", "true"):
        (home / "config.toml").write_text(f"store = {written}\n")
        refused("matches")
    (home / "config.toml").unlink()
    monkeypatch.setenv("CARDGAMES_STORE", wrong)
    refused("matches")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:se/cret@host/cards", "postgresql://ann:sec@ret@host/cards", "postgresql://ann:sec:ret@host/x",
        "postgresql://ann:secret@host:port/cards?password=secret", "postgresql://host/cards#secret",
        "postgres://ann@host/cards?password=secret", "postgresql:///cards?password=secret", "postgresql://secret@/x@y",
    ],
)  # fmt: skip
def test_no_password_is_shown_wherever_it_stands(run: Run, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("CARDGAMES_STORE", url)
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "1")
    monkeypatch.setenv("PGHOST", "127.0.0.1")
    for command in (("config",), ("config", "store"), ("matches",), ("export", "1")):
        said = run(*command)
        assert not re.search("secret|cret@|ret@", said.out + said.error)
        assert "Traceback" not in said.error


def test_suits_take_two_cells_only_as_symbols_and_as_long_as_the_setting_says_so(run: Run) -> None:
    for flags, cells in ((("--width", "2"), 2), (("--width", "2", "--ascii"), 1), (("--width", "2"), 2), ((), 1)):
        run("config", *flags)
        assert cell_len("♠") == cells
