import type { Counts } from '../statistics/index.ts';
import { printable } from './printable.ts';

const labelWidth = 13;

/** Text for a terminal in two columns: labels on the left, their values on the right. */
export class Page {
  private readonly lines: string[] = [];

  /** `width`: lists of parts are wrapped at this many characters where possible. */
  constructor(private readonly width: number) {}

  line(text: string) {
    this.lines.push(text);
  }

  /** Adds parts separated by commas, on as many lines as needed. A part is never broken. */
  section(label: string, parts: readonly string[]) {
    this.rows(label, flow(parts, this.width - labelWidth));
  }

  rows(label: string, rows: readonly string[]) {
    for (const [i, row] of rows.entries()) this.lines.push((i === 0 ? label : '').padEnd(labelWidth) + row);
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** The first `most` entries, each as `name count`, and the number of the rest. */
export function countParts(counts: Counts, most: number): string[] {
  const entries = Object.entries(counts);
  if (entries.length === 0) return ['none'];
  const parts = entries.slice(0, most).map(([name, count]) => `${printable(name)} ${count}`);
  if (entries.length > most) parts.push(`… ${entries.length - most} more`);
  return parts;
}

function flow(parts: readonly string[], width: number) {
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
