"""Finds the function bodies of a C++ file by its braces: where each begins, ends and is named.

No parser: a brace that opens at namespace or class level after a parameter list is a body. Lambdas
belong to the function they stand in.
"""
import dataclasses
import re

from source_tree import strip_cpp

TYPE_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
NAME_BEFORE_PARENTHESIS = re.compile(r"([~\w:]+|operator\s*\S+?)\s*$")
TEST_MACRO = re.compile(r"\b(TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(\s*(\w+)\s*,\s*(\w+)")


@dataclasses.dataclass
class Function:
    name: str
    first_line: int  # of the signature
    last_line: int   # of the closing brace

    @property
    def lines(self) -> int:
        return self.last_line - self.first_line + 1


def find_functions(text: str) -> list[Function]:
    code = _without_preprocessor(strip_cpp(text))
    functions = []
    statement_start = position = 0
    while position < len(code):
        char = code[position]
        if char in ";}":
            statement_start = position + 1
        elif char == "{":
            statement = code[statement_start:position]
            if _is_member_initialiser(statement):
                position = _matching_brace(code, position)
            elif _opens_body(statement):
                end = _matching_brace(code, position)
                lead = len(statement) - len(statement.lstrip())
                functions.append(Function(_name(statement),
                                          _line(code, statement_start + lead), _line(code, end)))
                position, statement_start = end, end + 1
            elif _opens_scope(statement):
                statement_start = position + 1
            else:  # a braced initialiser of a variable
                position = _matching_brace(code, position)
        position += 1
    return functions


def _without_preprocessor(code: str) -> str:
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", code, flags=re.M)


def _opens_scope(statement: str) -> bool:
    return bool(TYPE_SCOPE.search(statement)) or not statement.strip()


def _outside_brackets(statement: str) -> str:
    """The statement without what stands in () and <>, so that defaults and casts do not count."""
    previous = None
    while previous != statement:
        previous = statement
        statement = re.sub(r"\([^()]*\)", "\x01", statement)
    return re.sub(r"<[^<>;]*>", "", statement)


def _opens_body(statement: str) -> bool:
    flat = _outside_brackets(statement)
    if "\x01" not in flat or re.search(r"(?<![=!<>])=(?!=)", flat.replace("operator=", "")):
        return "operator" in flat and "\x01" in flat
    return not re.search(r"\b(namespace|enum)\b", flat)


def _is_member_initialiser(statement: str) -> bool:
    """`Name::Name(...) : first_` before its brace: the body comes later."""
    flat = _outside_brackets(statement).rstrip()
    colon = re.search(r"\x01[^:]*(?<!:):(?!:)", flat)
    return bool(colon) and bool(re.search(r"[:,]\s*[\w:]+$", flat))


def _matching_brace(code: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(code)):
        if code[position] == "{":
            depth += 1
        elif code[position] == "}":
            depth -= 1
            if depth == 0:
                return position
    return len(code) - 1


def _line(code: str, position: int) -> int:
    return code.count("\n", 0, position) + 1


def _name(statement: str) -> str:
    test = TEST_MACRO.search(statement)
    if test:
        return f"{test.group(2)}.{test.group(3)}"
    before = statement.split("(")[0]
    match = NAME_BEFORE_PARENTHESIS.search(before)
    return match.group(1) if match else "?"
