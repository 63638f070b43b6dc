/** `1 tick`, `2 ticks`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** At most `lengthMax` characters; what is cut off is said by a `…`. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

/** Lines of at most `width` characters, broken at spaces; a word that is longer has a line of its own. The second line on is indented by two. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '  ';
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** The name of a definition's file, without its folders and its ending: `outbreak` of `/games/outbreak.json.gz`. */
export function fileTitle(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.json(?:\.gz)?$/i, '') || path;
}
