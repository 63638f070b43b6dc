import type { CaseResult, MutantResult, MutationReport } from '../scenario/index.ts';
import { amount, type Paint } from '../text/index.ts';
import { failedText, placeText } from './result-text.ts';

/** One line per result, with details for failures. `saved` are the paths of its picture and replay page. */
export function resultText(
  result: CaseResult,
  paint: Paint,
  { picture, page }: { readonly picture: string | undefined; readonly page: string | undefined },
): string {
  const { outcome, case: given, note, wallMs, simulatedSeconds } = result;
  if (outcome === 'skipped')
    return `${paint('yellow', '-')} ${given.title}  ${paint('dim', `skipped: ${note ?? ''}`)}\n`;
  const time = paint('dim', `${simulatedSeconds.toFixed(1)} s in ${wallMs.toFixed(0)} ms`);
  const noted = note === undefined ? '' : `  ${paint('yellow', note)}`;
  if (outcome === 'passed') return `${paint('green', '✓')} ${given.title}${noted}  ${time}\n`;
  const lines = [
    `${paint('red', '✗')} ${paint('bold', given.title)}  ${time}`,
    paint('dim', `    ${placeText(result)}`),
    failedText(result, '    '),
  ];
  if (picture !== undefined) lines.push(`      picture: ${picture}`);
  if (page !== undefined) lines.push(`      watch: ${page}`);
  return `${lines.join('\n')}\n`;
}

const unnoticedMax = 40;

/** Descriptions of undetected mutants. */
export const unnoticedWords = {
  passing: 'undetected',
  failing: 'run only by failing scenarios',
  none: 'never run',
} as const satisfies Record<MutantResult['ranBy'], string>;

/** `12 of 15 changes detected (80 %)`, and how many scenarios were excluded. */
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
