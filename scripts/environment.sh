# Makes .venv beside this folder's parent and keeps it as pyproject.toml and constraints.txt say. Sourced by the others.
# $1: the extras to install, such as "[test]"; nothing for a player.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv

find_python() {
    local name
    for name in "${PYTHON:-python3}" python3.11 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "cardgames needs Python 3.11 or later; PYTHON=/path/to/python3.11 names one." >&2
    return 1
}

# What the environment was made from; it is made again when any of this changes.
made_from() {
    cat "$root/pyproject.toml" "$root/scripts/constraints.txt" | cksum
    echo "$root $1"
}

make_environment() {
    local python made stamp=$venv/made-from
    made=$(made_from "$1")
    if [ -e "$stamp" ]; then
        case $(cat "$stamp") in "$made" | "${made% *} [test]") return ;; esac
    fi
    python=$(find_python) || exit 1
    echo "Making the environment in $venv …" >&2
    rm -f "$stamp"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --constraint "$root/scripts/constraints.txt" --editable "$root$1" >&2
    echo "$made" >"$stamp"
}
