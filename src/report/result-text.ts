import { cached } from '../../engine/core/index.ts';
import { type CaseResult, failureText } from '../scenario/index.ts';
import { shellWord } from '../text/index.ts';

/** The command that runs a case again. */
export function replayCommand({ case: given }: CaseResult): string {
  return `reenact test ${shellWord(given.file)} --filter ${shellWord(given.name)} --seed ${shellWord(given.seed)}`;
}

/** The position of the failed step, or of the scenario. */
export function placeText({ case: given, failedLine }: CaseResult): string {
  const line = failedLine ?? given.line;
  return line === undefined ? given.file : `${given.file}:${line}`;
}

/** The details of a failure as text. */
export function failedText(result: CaseResult): string {
  const { failure } = result;
  if (failure === undefined) return '';
  return `${failureText(failure)}\n  run again: ${replayCommand(result)}`;
}

/** Groups results by the file of their case. */
export function byFile(results: readonly CaseResult[]): [string, CaseResult[]][] {
  const files = new Map<string, CaseResult[]>();
  for (const result of results) cached(files, result.case.file, () => []).push(result);
  return [...files];
}

export type Totals = ReturnType<typeof totalsOf>;

export function totalsOf(results: readonly CaseResult[]) {
  const count = (outcome: CaseResult['outcome']) => results.filter((each) => each.outcome === outcome).length;
  const simulatedSeconds = results.reduce((sum, each) => sum + each.simulatedSeconds, 0);
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), simulatedSeconds };
}

export function totalsText(totals: Totals, wallMs: number): string {
  const { passed, failed, skipped } = totals;
  const parts = [`${passed} passed`];
  if (failed > 0) parts.unshift(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return `${parts.join(', ')}; ${playedText(totals, wallMs)}`;
}

/** The simulated time, and the real time that it took. */
export function playedText({ simulatedSeconds }: Totals, wallMs: number): string {
  const played = `${simulatedSeconds.toFixed(0)} s of play`;
  if (wallMs === 0) return played;
  const speed = Math.round((simulatedSeconds * 1000) / wallMs);
  return `${played} in ${(wallMs / 1000).toFixed(2)} s (${speed}x)`;
}
