"""Places in Swift source where one operator or constant can be another one, and the source that can be either."""
from __future__ import annotations

import re
from dataclasses import dataclass

# The replacement of each operator, and the required operands.
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
EQUALITIES = {"==": "!=", "!=": "=="}
SUMS = {"+": "-", "-": "+"}
WRAPPING = {"&+": "&-", "&-": "&+", "&*": "&+"}
BITS = {"&": "|", "|": "&", "^": "&", "%": "/"}
SHIFTS = {"<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<"}
PRODUCTS = {"*": "/", "/": "*"}
LOGIC = {"&&": "||", "||": "&&"}
RANGES = {"..<": "one more", "...": "one less"}

# A character for each digit, all of them fit for operators.
DIGITS = "←↑→↓↔↕↖↗↘↙"

MASKED = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\\([^()"]*(?:\([^()"]*\)[^()"]*)*\)|\\.|[^"\\\n])*"', re.S)
OPERATOR = re.compile(r"(?<=\s)([-+*/%<>=!&|^.]{1,4})(?=\s)")
NOT = re.compile(r"(?<=[\s(\[,{])!(?=[\w(.$])")
NUMBER = re.compile(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e-?\d+)?)(?![\w]|\.\d)")
TRUTH = re.compile(r"(?<![\w.])(true|false)(?!\w)")
EXTREME = re.compile(r"(?<![\w.])(?<!func )(min|max)(?=\()")
# Lines that are not expressions.
DECLARATION = re.compile(r"^\s*(?:import|package import|internal import|@available|#|(?:\w+ )*(?:func|operator|precedencegroup|typealias|associatedtype)\b[^{]*$)")
OPERATOR_FUNCTION = re.compile(r"\bfunc\s+$")


@dataclass(frozen=True)
class Place:
    number: int
    file: str
    line: int
    """From 1 on."""
    start: int
    end: int
    text: str
    kind: str
    """operator, not, integer, fraction, truth or extreme."""
    becomes: str


def masked(source: str) -> str:
    """The source with comments and strings blanked, of the same length."""
    return MASKED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), source)


def operators() -> dict[str, str]:
    return {**COMPARISONS, **EQUALITIES, **SUMS, **WRAPPING, **BITS, **SHIFTS, **PRODUCTS, **LOGIC, **RANGES}


def find(file: str, source: str, first: int) -> list[Place]:
    """The places of a file, numbered from `first` on."""
    text = masked(source)
    found: list[tuple[int, int, str, str]] = []
    known = operators()
    for match in OPERATOR.finditer(text):
        name = match.group(1)
        plain = name[:-1] if name.endswith("=") and name not in known else name
        if plain in known and plain not in RANGES or name in RANGES:
            if not OPERATOR_FUNCTION.search(text[: match.start()]):
                becomes = known[plain] + ("=" if plain != name else "")
                found.append((match.start(), match.end(), "operator", becomes))
    # Ranges are often written without spaces.
    for match in re.finditer(r"(?<=[\w)\]])(\.\.<|\.\.\.)(?=[\w($])", text):
        found.append((match.start(), match.end(), "operator", RANGES[match.group()]))
    for match in NOT.finditer(text):
        found.append((match.start(), match.end(), "not", "nothing"))
    for match in NUMBER.finditer(text):
        kind = "fraction" if re.search(r"[.]|\de", match.group()) and not match.group().startswith("0x") else "integer"
        found.append((match.start(), match.end(), kind, "its double" if kind == "fraction" else "one more"))
    for match in TRUTH.finditer(text):
        found.append((match.start(), match.end(), "truth", {"true": "false", "false": "true"}[match.group()]))
    for match in EXTREME.finditer(text):
        found.append((match.start(), match.end(), "extreme", {"min": "max", "max": "min"}[match.group()]))
    lines = text.split("\n")
    places = []
    for start, end, kind, becomes in sorted(found):
        line = text.count("\n", 0, start) + 1
        if not DECLARATION.match(lines[line - 1]):
            places.append(Place(first + len(places), file, line, start, end, source[start:end], kind, becomes))
    return places


def suffix(number: int) -> str:
    return "".join(DIGITS[int(digit)] for digit in str(number))


def rewritten(source: str, places: list[Place]) -> str:
    """The source in which each place asks whether its mutant runs. Lines stay where they are."""
    # The body of an inlinable function may not use what is declared for the places.
    for place in sorted(places, key=lambda each: -each.start):
        text = {
            "operator": f"{place.text}{suffix(place.number)}",
            "not": f"!{suffix(place.number)}",
            "extreme": f"{place.text}{place.number}",
        }.get(place.kind, f"{place.kind}({place.text}, {place.number})")
        source = source[: place.start] + text + source[place.end :]
    return re.sub(r"@inlinable|@usableFromInline", "", source)


def declarations(places: list[Place]) -> str:
    """The operators and functions of a module's places."""
    lines = ["import Mutation"]
    for place in places:
        if place.kind == "operator":
            lines += operator_declaration(place)
        elif place.kind == "not":
            name = f"!{suffix(place.number)}"
            lines += [
                f"prefix operator {name}",
                f"prefix func {name}(value: Bool) -> Bool {{ isMutated({place.number}) ? value : !value }}",
            ]
        elif place.kind == "extreme":
            lines.append(
                f"func {place.text}{place.number}<T: Comparable>(_ a: T, _ b: T) -> T "
                f"{{ isMutated({place.number}) ? Swift.{place.becomes}(a, b) : Swift.{place.text}(a, b) }}")
    return "\n".join(lines) + "\n"


def operator_declaration(place: Place) -> list[str]:
    number, name = place.number, f"{place.text}{suffix(place.number)}"
    this, other = place.text, place.becomes
    choice = f"isMutated({number}) ? l {other} r : l {this} r"

    def function(generics: str, left: str, right: str, result: str, body: str = choice) -> str:
        return f"func {name}{generics}(l: {left}, r: {right}) -> {result} {{ {body} }}"

    if this in COMPARISONS:
        return [f"infix operator {name}: ComparisonPrecedence", function("<T: Comparable>", "T", "T", "Bool")]
    if this in EQUALITIES:
        return [
            f"infix operator {name}: ComparisonPrecedence", function("<T: Equatable>", "T", "T", "Bool"),
            function("<T>", "T?", "_OptionalNilComparisonType", "Bool"),
        ]
    if this in SUMS:
        return [f"infix operator {name}: AdditionPrecedence", function("<T: AdditiveArithmetic>", "T", "T", "T")]
    if this in WRAPPING:
        group = "Multiplication" if this == "&*" else "Addition"
        return [f"infix operator {name}: {group}Precedence", function("<T: FixedWidthInteger>", "T", "T", "T")]
    if this in BITS:
        group = "Addition" if this in "|^" else "Multiplication"
        return [f"infix operator {name}: {group}Precedence", function("<T: BinaryInteger>", "T", "T", "T")]
    if this in SHIFTS:
        kind = "FixedWidthInteger" if this.startswith("&") else "BinaryInteger"
        return [
            f"infix operator {name}: BitwiseShiftPrecedence",
            function(f"<T: {kind}, R: {kind}>", "T", "R", "T"),
        ]
    if this in PRODUCTS:
        return [
            f"infix operator {name}: MultiplicationPrecedence",
            function("<T: BinaryInteger>", "T", "T", "T"), function("<T: FloatingPoint>", "T", "T", "T"),
        ]
    if this in LOGIC:
        group = "Conjunction" if this == "&&" else "Disjunction"
        return [
            f"infix operator {name}: Logical{group}Precedence",
            f"func {name}(l: Bool, r: @autoclosure () throws -> Bool) rethrows -> Bool "
            f"{{ isMutated({number}) ? try l {other} r() : try l {this} r() }}",
        ]
    if this in RANGES:
        kind = "Range" if this == "..<" else "ClosedRange"
        step = 1 if this == "..<" else -1
        return [
            f"infix operator {name}: RangeFormationPrecedence",
            function(
                "<T: Strideable>", "T", "T", f"{kind}<T>",
                f"isMutated({number}) ? l{this}r.advanced(by: {step}) : l{this}r") + " // integers only",
        ]
    return [
        f"infix operator {name}: AssignmentPrecedence",
        *(
            f"func {name}<T: {kind}>(l: inout T, r: {right}) {{ if isMutated({number}) {{ l {other} r }} else {{ l {this} r }} }}"
            for kind, right in assignment_operands(this[:-1])
        ),
    ]


def assignment_operands(operator: str) -> list[tuple[str, str]]:
    if operator in SUMS:
        return [("AdditiveArithmetic", "T")]
    if operator in PRODUCTS:
        return [("BinaryInteger", "T"), ("FloatingPoint", "T")]
    if operator in SHIFTS:
        return [("BinaryInteger", "some BinaryInteger")]
    return [("FixedWidthInteger" if operator in WRAPPING else "BinaryInteger", "T")]
