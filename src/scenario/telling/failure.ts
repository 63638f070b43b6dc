import { stackOf } from '../../../engine/core/index.ts';
import type { FailureReport } from '../../run/index.ts';

const scriptsShown = 8;

/** A failed expectation. Test runners show its message. */
export class ScenarioFailure extends Error {
  constructor(readonly report: FailureReport) {
    super(failureText(report));
    this.name = 'ScenarioFailure';
  }
}

/** An error as lines: its message, then where it was thrown. */
export function errorLines(error: unknown): readonly string[] {
  return stackOf(error).split('\n');
}

const framesShown = 4;

/**
 * The lines to print if the explanation of a failure throws an error. Such a bug must not change the result, so callers
 * catch all errors of explanations.
 */
export function explanationFailed([message, ...frames]: readonly string[]): readonly string[] {
  const shown = frames.slice(0, framesShown).map((line) => `  ${line.trim()}`);
  return [`explanation-failed: ${message} (a bug in Reenact; the result of the scenario is still valid)`, ...shown];
}

/** An error in the scenario itself, such as a name that the game does not have. */
export class ScenarioError extends Error {}

export function failureText(report: FailureReport, indent = ''): string {
  const lines = [report.expected, ...report.found.map((each) => `  ${each}`)];
  if (report.because !== undefined) lines.push(`  because ${report.because}`);
  lines.push(...report.why.map((line) => (line.startsWith(' ') ? `       ${line.slice(2)}` : `  why: ${line}`)));
  lines.push(`  at ${report.seconds.toFixed(2)} s (tick ${report.tick})`);
  if (report.differences.length > 0) {
    lines.push('  changes since the last passed expectation');
    const width = Math.min(40, Math.max(...report.differences.map(({ what }) => what.length)));
    for (const { what, before, after } of report.differences)
      lines.push(`    ${what.padEnd(width)}  ${before} → ${after}`);
  }
  if (report.scripts.length > 0) {
    const shown = report.scripts.slice(0, scriptsShown).map(({ script, count }) => `"${script}" ${count}x`);
    const more = report.scripts.length - shown.length;
    lines.push(`  scripts that ran: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
  }
  if (report.falseConditions.length > 0) {
    lines.push('  conditions that were false');
    for (const { seconds, script, text, sides, count } of report.falseConditions) {
      const values = sides.length === 0 ? '' : `  (${sides.join(', ')})`;
      lines.push(
        `    ${seconds.toFixed(2).padStart(8)} s  "${script}": ${text}${values}${count > 1 ? `, ${count}x` : ''}`,
      );
    }
  }
  if (report.events.length > 0) {
    lines.push('  last events');
    for (const { seconds, text, from } of report.events) {
      lines.push(`    ${seconds.toFixed(2).padStart(8)} s  ${text}${from === undefined ? '' : `  ← ${from}`}`);
    }
  }
  return lines.flatMap((line) => line.split('\n').map((part) => `${indent}${part}`)).join('\n');
}
