import type { Color, Paint } from '../text/index.ts';
import { type ShownLine, type ShownSection, shownSections } from './change-lines.ts';
import type { GameDiff } from './game-diff.ts';

const colors: Readonly<Record<ShownLine['mark'], Color | undefined>> = {
  '+': 'green',
  '-': 'red',
  '~': 'yellow',
  '>': 'cyan',
  '…': 'dim',
  ' ': undefined,
};

/** A diff for the terminal; `plays` are the lines about how the games play. */
export function diffText(diff: GameDiff, plays: readonly string[], paint: Paint): string {
  if (diff.isEqual) return `${['no difference', ...plays].join('\n')}\n`;
  const sections = shownSections(diff);
  const line = ({ mark, text }: ShownLine, indent: string): string => {
    const color = colors[mark];
    const whole = `${indent}${mark} ${text}`.trimEnd();
    return color === undefined ? whole : paint(color, whole);
  };
  const lines = [paint('bold', summaryText(sections, diff)), ...plays];
  for (const { title, changes } of sections) {
    lines.push('', paint('bold', title));
    for (const { head, lines: inside } of changes) {
      lines.push(line(head, ''));
      for (const each of inside) lines.push(line(each, '    '));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** `unit types: 1 changed; scripts: 2 changed, 1 added; map: 40 cells` */
export function summaryText(sections: readonly ShownSection[], { followed }: GameDiff): string {
  const parts = sections.map(({ title, count }) => `${title}: ${count}`);
  if (followed > 0) parts.push(`${followed} references follow a new name`);
  return parts.join('; ');
}
