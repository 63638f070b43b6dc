const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface LineAndColumn {
  /** The number of the line, from 1. Lines end at LF, CR LF or CR, as editors count them. */
  readonly line: number;
  /** The number of the column, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** The line and column of a single offset; use `Lines` for several. */
export function lineAndColumn(text: string, offset: number): LineAndColumn {
  // The slice includes the character at `offset`, so that an offset between CR and LF is recognised as being within one
  // line end.
  return new Lines(text.slice(0, offset + 1)).at(offset);
}

/** Converts offsets of one text to lines and columns: one pass at construction, then a binary search per query. */
export class Lines {
  readonly #starts: number[] = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === lineFeed || (code === carriageReturn && text.charCodeAt(i + 1) !== lineFeed))
        this.#starts.push(i + 1);
    }
  }

  at(offset: number): LineAndColumn {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }

  /** Start and end offsets of a line (from 1), without its line end. */
  range(line: number): { start: number; end: number } {
    const start = this.#starts[line - 1]!;
    let end = this.#starts[line] ?? this.#text.length;
    while (end > start && isLineEnd(this.#text.charCodeAt(end - 1))) end--;
    return { start, end };
  }
}

function isLineEnd(code: number) {
  return code === lineFeed || code === carriageReturn;
}
