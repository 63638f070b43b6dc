import { extname } from 'node:path';
import { loadSweepPage } from '../../report/index.ts';
import { type Result, type Setting, type SweepPlan, summarise, sweepCsv, sweepText } from '../../sweep/index.ts';
import type { Terminal } from '../../text/index.ts';
import { Failure } from '../failure.ts';
import { writeText } from '../write-text.ts';

const endings: readonly string[] = ['.html', '.csv', '.json'];

interface SweepOutputs {
  readonly output: readonly string[];
  readonly json?: boolean;
}

interface PlayedSweep {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  /** In the order of the runs. */
  readonly results: readonly Result[];
  /** The title of the game; unknown if only the results are available. */
  readonly title?: string | undefined;
}

/** Rejects file names with an unknown extension. */
export function checkOutputs(output: readonly string[]): void {
  for (const each of output) {
    if (!endings.includes(extname(each)))
      throw new Failure('bad-output', `The name of ${each} must end in one of ${endings.join(', ')}.`);
  }
}

/** Prints the results, and writes the requested files. */
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
    else writeText(each, (await loadSweepPage()).sweepHtml(summary, plan, title));
  }
  stdout.write(json ? whole : sweepText(summary, plan));
}
