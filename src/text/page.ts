import type { Counts } from './counts.ts';
import { printable } from './printable.ts';

const labelWidth = 13;

/** Text for a terminal: labels on the left, what belongs to them on the right. */
export class Page {
  private readonly width: number;
  private readonly lines: string[] = [];

  /** Lines of parts are broken at `width` characters where they can be. */
  constructor(width: number) {
    this.width = width;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** Parts with commas between them, on as many lines as it takes; a part is never broken. */
  section(label: string, parts: readonly string[]): void {
    this.rows(label, flow(parts, this.width - labelWidth));
  }

  rows(label: string, rows: readonly string[]): void {
    for (const [i, row] of rows.entries()) this.lines.push((i === 0 ? label : '').padEnd(labelWidth) + row);
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** `name count` for each, the first `most` of them; what is left out is said. */
export function countParts(counts: Counts, most: number): string[] {
  const entries = Object.entries(counts);
  if (entries.length === 0) return ['none'];
  const parts = entries.slice(0, most).map(([name, count]) => `${printable(name)} ${count}`);
  if (entries.length > most) parts.push(`… ${entries.length - most} more`);
  return parts;
}

function flow(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  parts.forEach((part, i) => {
    const text = i < parts.length - 1 && !part.endsWith(':') ? `${part},` : part;
    if (line !== '' && line.length + 1 + text.length > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? text : ` ${text}`;
  });
  lines.push(line);
  return lines;
}
