import { Lines, severityCounts } from '../../../engine/core/index.ts';
import type { Issue, Severity } from '../../../engine/index.ts';
import { locateIssues } from '../../load/index.ts';
import {
  amount,
  type Color,
  excerpt,
  type Paint,
  painter,
  printable,
  type Terminal,
  type TextPosition,
} from '../../text/index.ts';
import type { FileIssues } from './file-issues.ts';
import { PointerNames } from './pointer-names.ts';

/** How many issues of one code are shown per file; the rest is only counted. */
const shownOfCodeMax = 20;
const severities = ['error', 'warning', 'info'] as const satisfies readonly Severity[];

const colorOf = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<Severity, Color>;

/** A report for people, sorted by file, severity and position. Issues without a position come first. */
export function prettyIssues(files: readonly FileIssues[], color: boolean, all = false): string {
  const paint = painter(color);
  const blocks: string[] = [];
  for (const file of files) if (file.issues.length > 0) blocks.push(fileBlock(file, all, paint));
  blocks.push(summary(files, paint));
  return blocks.join('\n');
}

/** Colour is used on a terminal unless `NO_COLOR` is set and not empty (https://no-color.org). */
export function wantsColor(terminal: Pick<Terminal, 'stdout' | 'env'>, stream = terminal.stdout): boolean {
  return stream.isTTY === true && (terminal.env['NO_COLOR'] ?? '') === '';
}

function fileBlock({ file, text, issues }: FileIssues, all: boolean, paint: Paint) {
  const groups = groupByCode(issues).map((group) => ({ group, shown: all ? group : group.slice(0, shownOfCodeMax) }));
  const shown = groups.flatMap((each) => each.shown);
  const places = locateIssues(text, shown);
  const placed = shown.map((issue, i) => ({ issue, place: places[i] }));
  const rankOf = ({ severity }: Issue) => severities.indexOf(severity);
  placed.sort((a, b) => rankOf(a.issue) - rankOf(b.issue) || (a.place?.offset ?? -1) - (b.place?.offset ?? -1));
  const positionOf = (place: TextPosition | undefined) => (place === undefined ? '-' : `${place.line}:${place.column}`);
  const width = placed.reduce((widest, { place }) => Math.max(widest, positionOf(place).length), 0);
  const names = new PointerNames(text);
  const lines = new Lines(text);

  const out = [paint('bold', printable(file))];
  let excerpted = -1;
  for (const { issue, place } of placed) {
    out.push(...issueLines(issue, positionOf(place).padStart(width), names, paint));
    // Several issues at one position share an excerpt; issues about the whole document have none.
    if (place === undefined || place.offset === excerpted || (issue.pointer === '' && issue.offset === undefined))
      continue;
    excerpted = place.offset;
    out.push(...excerptLines(text, lines, place, paint));
  }
  for (const { group, shown: some } of groups) {
    const hidden = group.length - some.length;
    if (hidden > 0)
      out.push(paint('dim', `  ${' '.repeat(width)}  … and ${hidden} more ${group[0]!.code} (use --all)`));
  }
  return `${out.join('\n')}\n`;
}

function groupByCode(issues: readonly Issue[]) {
  const ranked = severities.flatMap((severity) => issues.filter((issue) => issue.severity === severity));
  return [...new Set(ranked.map(({ code }) => code))].map((code) => ranked.filter((issue) => issue.code === code));
}

function issueLines(issue: Issue, position: string, names: PointerNames, paint: Paint) {
  const { severity, code, message, expected, found, suggestion, count, pointer } = issue;
  const indent = `  ${' '.repeat(position.length)}  `;
  // The message of `more-issues` already contains the count.
  const times = count === undefined || code === 'more-issues' ? '' : paint('dim', ` (${count} times)`);
  const out = [
    `  ${position}  ${paint(colorOf[severity], severity.padEnd(7))}  ${paint('bold', code)}  ${printable(message)}${times}`,
  ];
  const details: string[] = [];
  if (expected !== undefined) details.push(`expected ${expected}`);
  if (found !== undefined) details.push(`found ${found}`);
  if (details.length > 0) out.push(indent + printable(details.join(', ')));
  if (suggestion !== undefined && !message.includes(suggestion)) {
    out.push(`${indent}did you mean "${printable(suggestion)}"?`);
  }
  if (pointer !== '') out.push(indent + paint('dim', printable(names.shown(pointer))));
  return out;
}

function excerptLines(text: string, lines: Lines, place: TextPosition, paint: Paint) {
  const { line, caret } = excerpt(text, lines, place);
  const number = String(place.line);
  return [
    `    ${paint('dim', `${number} |`)} ${line}`,
    `    ${paint('dim', `${' '.repeat(number.length)} |`)} ${paint('red', caret)}`,
  ];
}

function summary(files: readonly FileIssues[], paint: Paint) {
  const counts = severityCounts(files.flatMap(({ issues }) => issues));
  const inFiles = `in ${amount(files.length, 'file')}`;
  const named = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) =>
      paint(colorOf[severity], severity === 'info' ? `${counts.info} info` : amount(counts[severity], severity)),
    );
  return named.length === 0 ? `No issues ${inFiles}.\n` : `${named.join(', ')} ${inFiles}.\n`;
}
