import { extname } from 'node:path';
import type { Setting, SweepPlan } from '../sweep/plan.ts';
import type { Result } from '../sweep/results.ts';
import { summarise } from '../sweep/summary.ts';
import { sweepCsv, sweepText } from '../sweep/texts.ts';
import type { Terminal } from '../text/terminal.ts';
import { Failure } from './failure.ts';
import { writeText } from './write-text.ts';

const endings: readonly string[] = ['.html', '.csv', '.json'];

interface SweepOutputs {
  readonly output: readonly string[];
  readonly json?: boolean;
}

interface PlayedSweep {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  /** In the order of the plays. */
  readonly results: readonly Result[];
  /** Of the game; unknown where only the results are at hand. */
  readonly title?: string | undefined;
}

/** Refuses files whose name does not say what to write. */
export function checkOutputs(output: readonly string[]): void {
  for (const each of output) {
    if (!endings.includes(extname(each)))
      throw new Failure('bad-output', `${each} should end in ${endings.join(', ')}.`);
  }
}

/** Prints what plays came to, and writes the files that were asked for. */
export async function publishSweep(
  { plan, settings, results, title }: PlayedSweep,
  { output, json }: SweepOutputs,
  { stdout }: Terminal,
): Promise<void> {
  const summary = summarise(settings, plan.measures, results);
  const whole = `${JSON.stringify({ game: plan.game, plan, ...summary, plays: results }, null, 1)}\n`;
  for (const each of output) {
    if (extname(each) === '.csv') writeText(each, sweepCsv(settings, plan.measures, results));
    else if (extname(each) === '.json') writeText(each, whole);
    else writeText(each, (await import('../report/sweep-html.ts')).sweepHtml(summary, plan, title));
  }
  stdout.write(json ? whole : sweepText(summary, plan));
}
