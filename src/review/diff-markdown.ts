import { type ShownChange, type ShownLine, type ShownSection, shownSections } from './change-lines.ts';
import { summaryText } from './diff-text.ts';
import type { GameDiff } from './game-diff.ts';

/** GitHub refuses comments of more than 65 536 characters. */
const lengthMax = 60_000;

/** A diff for a pull request: a summary, then the details of each section, folded. */
export function diffMarkdown(diff: GameDiff, plays: readonly string[], title: string): string {
  const head = `### ${escaped(title)}`;
  const about = plays.length === 0 ? [] : ['', '```text', ...plays, '```'];
  if (diff.isEqual) return `${[head, '', 'No difference.', ...about].join('\n')}\n`;
  const sections = shownSections(diff);
  const lines = [head, '', `**${escaped(summaryText(sections, diff))}**`, ...about];
  let length = lines.join('\n').length;
  const left: string[] = [];
  for (const section of sections) {
    const text = sectionText(section);
    if (length + text.length > lengthMax) {
      left.push(section.title);
      continue;
    }
    length += text.length;
    lines.push('', text);
  }
  if (left.length > 0) lines.push('', `Too long to show: ${left.join(', ')}. Run \`reenact diff\` to see all.`);
  return `${lines.join('\n')}\n`;
}

function sectionText({ title, count, changes }: ShownSection): string {
  return [
    `<details><summary>${escaped(title)}: ${count}</summary>`,
    '',
    ...changes.map(changeText),
    '',
    '</details>',
  ].join('\n');
}

/** GitHub colours lines of a `diff` block by their first character; `!` is orange. */
function changeText({ head, lines }: ShownChange): string {
  const text = [head, ...lines.map((line) => ({ ...line, text: `  ${line.text}` }))].map(markdownLine).join('\n');
  const fence = '`'.repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return `${fence}diff\n${text}\n${fence}`;
}

function markdownLine({ mark, text }: ShownLine): string {
  const first = mark === '~' ? '!' : mark === '>' ? '#' : mark === '…' ? ' ' : mark;
  return `${first} ${mark === '…' ? '  … ' : mark === '>' ? '  moved here: ' : ''}${text.trimEnd()}`.trimEnd();
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~@]/g, '\\$&');
}
