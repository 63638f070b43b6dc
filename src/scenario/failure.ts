import type { FalseCondition } from '../run/script-log.ts';

const scriptsShown = 8;

/** Something that happened before a failure. */
export interface LastEvent {
  readonly tick: number;
  readonly seconds: number;
  readonly text: string;
  /** The script and action that caused it; undefined for what no script did. */
  readonly from: string | undefined;
}

/** A script that ran. */
export interface ScriptRuns {
  readonly script: string;
  readonly count: number;
}

/** The facts that explain a failure to a person. All of it is text. */
export interface FailureReport {
  /** `fault`: the game did something wrong of its own; `budget`: too long or too much; `mistake`: of the scenario itself. */
  readonly kind: 'expectation' | 'fault' | 'budget' | 'mistake' | 'internal';
  readonly expected: string;
  /** The values that are there instead, one a line. */
  readonly found: readonly string[];
  readonly because: string | undefined;
  readonly tick: number;
  readonly seconds: number;
  /** The last events, oldest first. */
  readonly events: readonly LastEvent[];
  /** Scripts that ran since the last time all was well, most often first. */
  readonly scripts: readonly ScriptRuns[];
  /** Conditions of scripts that were false since then; those of scripts about the expectation first. */
  readonly falseConditions: readonly (FalseCondition & { readonly seconds: number })[];
  /** The differences from the last time that all held; those of the expectation's subject first. */
  readonly differences: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** An SVG of map and entities at that tick; `''` where there is nothing to draw. */
  readonly picture: string;
}

/** An expectation that does not hold. Its message is what a test runner shows. */
export class ScenarioFailure extends Error {
  readonly report: FailureReport;
  constructor(report: FailureReport) {
    super(failureText(report));
    this.name = 'ScenarioFailure';
    this.report = report;
  }
}

/** The scenario asks for what the game does not have. */
export class Mistake extends Error {}

export function failureText(report: FailureReport, indent = ''): string {
  const lines = [report.expected, ...report.found.map((each) => `  ${each}`)];
  if (report.because !== undefined) lines.push(`  because ${report.because}`);
  lines.push(`  at ${report.seconds.toFixed(2)} s (tick ${report.tick})`);
  if (report.differences.length > 0) {
    lines.push('  since all was well');
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
    lines.push('  what happened last');
    for (const { seconds, text, from } of report.events) {
      lines.push(`    ${seconds.toFixed(2).padStart(8)} s  ${text}${from === undefined ? '' : `  ← ${from}`}`);
    }
  }
  return lines.flatMap((line) => line.split('\n').map((part) => `${indent}${part}`)).join('\n');
}
