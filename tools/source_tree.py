"""What check_style and check_layers both need: the project's files, and C++ text without comments.

Files are what git tracks or would track; outside a git work tree (the tests' small trees) every
file under the root counts, build folders apart.
"""
import pathlib
import subprocess

CPP_SUFFIXES = (".cc", ".h")


def project_files(root: pathlib.Path) -> list[str]:
    """Paths relative to root, sorted; deleted files and testdata are left out by the callers."""
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"], check=True, capture_output=True).stdout.decode()
        names = [name for name in listed.split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return sorted({name for name in names
                   if (root / name).is_file() and not name.startswith("build/")})


def is_test(name: str) -> bool:
    """Tests, benchmarks and fuzz harnesses: code that ships to nobody."""
    stem = pathlib.PurePath(name).stem
    return (name.split("/")[0] in ("tests", "bench", "fuzz")
            or stem.endswith(("_test", "_bench", "_fuzz")))


def read_text(path: pathlib.Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def strip_cpp(text: str) -> str:
    """The text with comments, string contents and character literals blanked; lines are kept."""
    out = []
    position, length = 0, len(text)
    while position < length:
        end = _end_of_blank(text, position)
        if end is None:
            out.append(text[position])
            position += 1
        else:
            blanked = text[position:end]
            out.append("".join("\n" if char == "\n" else " " for char in blanked))
            position = end
    return "".join(out)


def _end_of_blank(text: str, position: int) -> int | None:
    """Where the comment or literal that begins at position ends; None if none begins there."""
    if text.startswith("//", position):
        end = text.find("\n", position)
        return len(text) if end < 0 else end
    if text.startswith("/*", position):
        end = text.find("*/", position + 2)
        return len(text) if end < 0 else end + 2
    if text.startswith('R"', position) and not _continues_word(text, position):
        opening = text.find("(", position)
        delimiter = text[position + 2:opening]
        end = text.find(")" + delimiter + '"', opening)
        return len(text) if end < 0 else end + len(delimiter) + 2
    if text[position] == '"':
        return _end_of_quoted(text, position)
    # 1'000'000 is a number; a quote after a digit or letter begins no literal.
    if text[position] == "'" and not _continues_word(text, position):
        return _end_of_quoted(text, position)
    return None


def _continues_word(text: str, position: int) -> bool:
    return position > 0 and (text[position - 1].isalnum() or text[position - 1] == "_")


def _end_of_quoted(text: str, position: int) -> int:
    quote = text[position]
    end = position + 1
    while end < len(text) and text[end] != quote and text[end] != "\n":
        end += 2 if text[end] == "\\" else 1
    return min(end + 1, len(text))
