/** A number with its noun, such as `1 tick` or `2 ticks`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number of times in words: `never`, `once`, `14 times`. */
export function times(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}

/** Truncates a text to `lengthMax` characters, with a `…` if something was cut off. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

/**
 * Wraps a text at spaces into lines of at most `width` characters; a longer word gets its own line. Keeps the text's
 * indent; continuation lines are indented by two more.
 */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  const indent = /^ */.exec(text)![0];
  let line = indent;
  for (const word of text.slice(indent.length).split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line.trimEnd());
      line = `${indent}  `;
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Quotes a word for a POSIX shell if needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A field of a line of CSV (RFC 4180). */
export function csvField(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The file name without folders and extension, such as `outbreak` for `/games/outbreak.json.gz`. */
export function fileTitle(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.json(?:\.gz)?$/i, '') || path;
}
