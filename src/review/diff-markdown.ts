import { type DiffGroup, groupsOf, summaryText } from './diff-text.ts';
import type { GameDiff } from './game-diff.ts';

/** Maximum length in characters. GitHub refuses comments of more than 65 536. */
const lengthMax = 60_000;

/** A diff for a pull request: a summary, then the details of each kind of thing, folded. */
export function diffMarkdown(diff: GameDiff, plays: readonly string[], title: string): string {
  const groups = groupsOf(diff);
  const summary = diff.isEqual ? 'No difference.' : `**${escaped(summaryText(groups))}**`;
  let text = `### ${escaped(title)}\n\n${summary}\n`;
  if (plays.length > 0) text += `\n\`\`\`text\n${plays.join('\n')}\n\`\`\`\n`;
  const omitted: string[] = [];
  for (const group of groups) {
    const details = detailsOf(group);
    if (text.length + details.length < lengthMax) text += `\n${details}\n`;
    else omitted.push(group.title);
  }
  if (omitted.length > 0) text += `\nToo long to show: ${omitted.join(', ')}. Run \`reenact diff\` to see all.\n`;
  return text;
}

/** GitHub colours the lines of a `diff` block by their first character; `!` is orange. */
function detailsOf({ title, count, things }: DiffGroup) {
  const text = things.flatMap(({ lines }) => lines.map((line) => line.replace(/^~/, '!'))).join('\n');
  const fence = '`'.repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length + 1)));
  return `<details><summary>${escaped(title)}: ${count}</summary>\n\n${fence}diff\n${text}\n${fence}\n\n</details>`;
}

function escaped(text: string) {
  return text.replace(/[\\`*_{}[\]<>#|~@]/g, '\\$&');
}
