import { type CaseResult, failureText, type MutantResult, type MutationReport } from '../scenario/index.ts';
import { amount, type Paint, wrapped } from '../text/index.ts';
import { placeText, replayCommand } from './result-text.ts';

/** Maximum number of lines for a failure, including its title and the paths below it. */
const failureLinesMax = 12;

interface ShownAs {
  /** The paths of the picture and the replay page of a failure. */
  readonly picture: string | undefined;
  readonly page: string | undefined;
  /** The number of columns of the terminal. Undefined: lines are not wrapped. */
  readonly width?: number | undefined;
  /** Whether to show all that is known about a failure. */
  readonly isLong?: boolean | undefined;
}

/** One line for a result; for a failure, the most important details follow. */
export function resultText(
  result: CaseResult,
  paint: Paint,
  { picture, page, width = Infinity, isLong = false }: ShownAs,
): string {
  const { outcome, case: given, note, wallMs, simulatedSeconds, failure } = result;
  if (outcome === 'skipped')
    return `${paint('yellow', '-')} ${given.title}  ${paint('dim', `skipped: ${note ?? ''}`)}\n`;
  const time = paint('dim', `${simulatedSeconds.toFixed(1)} s in ${wallMs.toFixed(0)} ms`);
  const noted = note === undefined ? '' : `  ${paint('yellow', note)}`;
  if (outcome === 'passed') return `${paint('green', '✓')} ${given.title}${noted}  ${time}\n`;
  const head = [
    `${paint('red', '✗')} ${paint('bold', given.title)}  ${time}`,
    paint('dim', `    ${placeText(result)}`),
  ];
  const end = [`      run again: ${replayCommand(result)}`];
  if (picture !== undefined) end.push(`      picture: ${picture}`);
  if (page !== undefined) end.push(`      watch: ${page}`);
  const text = failure === undefined ? '' : failureText(failure, '    ');
  const lines = text.split('\n').flatMap((line) => wrapped(line, width));
  const most = failureLinesMax - head.length - end.length;
  if (!isLong && lines.length > most) {
    const more = lines.splice(most - 1).length;
    lines.push(paint('dim', `      … ${amount(more, 'more line')} (--long prints all)`));
  }
  return `${[...head, ...lines, ...end].join('\n')}\n`;
}

const unnoticedMax = 40;

/** How the reports describe undetected mutants, by the scenarios that ran the changed code. */
export const unnoticedWords = {
  passing: 'undetected',
  failing: 'run only by failing scenarios',
  none: 'never run',
} as const satisfies Record<MutantResult['ranBy'], string>;

/**
 * The result of mutation testing in one line, such as `12 of 15 changes detected (80 %)`, and the number of excluded
 * scenarios.
 */
export function mutationHead({ total, noticed, leftOut }: MutationReport): string[] {
  const share = total === 0 ? 0 : Math.floor((noticed * 1000) / total) / 10;
  const head = `${noticed} of ${amount(total, 'change')} detected (${share} %)`;
  if (leftOut === 0) return [head];
  return [head, `excluded, because they fail without any change: ${amount(leftOut, 'scenario')}`];
}

export function mutationText(report: MutationReport, paint: Paint): string {
  const { game, unnoticed } = report;
  const lines = [`mutation of ${game}: ${mutationHead(report).join('\n  ')}`];
  for (const { script, location, text, ranBy } of unnoticed.slice(0, unnoticedMax))
    lines.push(`  ${paint('red', unnoticedWords[ranBy])}  ${script}: ${text}  ${paint('dim', location)}`);
  if (unnoticed.length > unnoticedMax)
    lines.push(`  … ${unnoticed.length - unnoticedMax} more; --reporter json lists them all`);
  return `${lines.join('\n')}\n`;
}
