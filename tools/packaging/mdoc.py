"""mdoc(7), the language of man pages: escapes text, and converts the Markdown that the documentation uses."""
import re
import textwrap


def text(words):
    """A paragraph with one sentence per line. Nothing in it can be taken for a request."""
    lines = re.split(r"(?<=[.!?]) +(?=[A-Z0-9])", re.sub(r"\s+", " ", words.strip()))
    return "\n".join(line(row) for part in lines for row in textwrap.wrap(
        part, 78, break_long_words=False, break_on_hyphens=False))


def line(words):
    words = words.replace("\\", "\\e").replace("…", "...\\&")
    return "\\&" + words if words[:1] in (".", "'") else words


def word(value):
    """One argument of a macro, even if it looks like a macro's name or is punctuation."""
    value = line(value)
    if re.fullmatch(r"[A-Z][a-z]|[.,:;()\[\]?!|]", value):
        value = "\\&" + value
    return f'"{value}"' if " " in value else value


def paragraphs(words):
    """Text with empty lines between paragraphs; indented lines stay as they are."""
    parts = []
    for part in re.split(r"\n\s*\n", words.strip()):
        if all(row.startswith("  ") for row in part.splitlines()):
            parts.append(literal(part))
        else:
            parts.append(text(part))
    return "\n.Pp\n".join(parts)


def literal(block):
    rows = [line(row) for row in block.splitlines()]
    return "\n".join([".Bd -literal -offset indent", *rows, ".Ed"])


def plain(markdown):
    """A line of Markdown without its syntax."""
    markdown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return re.sub(r"\*\*|`", "", markdown)


def document(markdown, section="Sh"):
    """Headings, paragraphs, lists, tables and code of a page of documentation, without its title."""
    out, index = [], 0
    # Comments are for tests.
    lines = [row for row in markdown.splitlines() if not row.startswith("<!--")]
    while index < len(lines):
        row = lines[index]
        if row.startswith("```"):
            end = next(i for i in range(index + 1, len(lines)) if lines[i].startswith("```"))
            out.append(literal("\n".join(lines[index + 1:end])))
            index = end + 1
        elif row.startswith("#"):
            out.append(heading(row, section))
            index += 1
        elif row.startswith("|"):
            end = next((i for i in range(index, len(lines)) if not lines[i].startswith("|")), len(lines))
            out.append(table(lines[index:end]))
            index = end
        elif row.strip():
            end = next((i for i in range(index + 1, len(lines)) if is_end(lines[i])), len(lines))
            out.append(block(lines[index:end]))
            index = end
        else:
            index += 1
    return join(out)


def sections(markdown, titles):
    """The sections of a page that have these titles, with those below them; headings then begin at the second level."""
    out, level, is_code = [], 0, False
    for row in markdown.splitlines():
        is_code ^= row.startswith("```")
        found = re.match(r"(#+) (.*)", row) if not is_code else None
        if found and (not level or len(found[1]) <= level):
            level = len(found[1]) if found[2] in titles else 0
        if level:
            out.append("#" * (2 + len(found[1]) - level) + " " + found[2] if found else row)
    return "\n".join(out)


def is_end(row):
    """Whether the row ends a paragraph or a list."""
    return not row.strip() or row.startswith(("#", "|", "```"))


def heading(row, section):
    level, title = row.split(" ", 1)
    title = {"Example": "Examples"}.get(title, title)  # as man pages call it
    return "" if level == "#" else f".{section if level == '##' else 'Ss'} {plain(title).upper()}"


def block(rows):
    if not rows[0].startswith("- "):
        return text(plain(" ".join(rows)))
    items = re.split(r"\n- ", "\n" + "\n".join(rows))[1:]
    return "\n".join([".Bl -bullet", *(".It\n" + text(plain(item)) for item in items), ".El"])


def cells(row):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def table(rows):
    """The first column becomes the tag, the second its text; further columns follow in brackets with their heading."""
    head, out = cells(rows[0]), [".Bl -tag -width Ds"]
    for row in rows[2:]:
        name, what, *rest = cells(row)
        more = "".join(f" ({title}: {plain(value)})" for title, value in zip(head[2:], rest))
        names = " , ".join(f"Cm {word(part.strip())}" for part in plain(name).split(", "))
        out.append(f".It {names}\n{text(plain(what) + more)}")
    return "\n".join(out + [".El"])


def join(parts):
    """Separates paragraphs from each other, but not from headings and lists, which separate themselves."""
    out = []
    for part in filter(None, parts):
        if out and not part.startswith(".") and not re.match(r"\.S[hs]", out[-1]):
            out.append(".Pp")
        out.append(part)
    return "\n".join(out)
