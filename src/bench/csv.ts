import { csvField } from '../text/index.ts';
import type { BenchResult } from './result.ts';

/** A CSV file with one line per measured tick. */
export function benchCsv({ games }: BenchResult): string {
  const lines = ['game,bots,run,tick,ms'];
  for (const { file, scales } of games) {
    for (const { bots, runs } of scales) {
      runs.forEach(({ timesMs }, run) => {
        timesMs.forEach((ms, tick) => {
          lines.push(`${csvField(file)},${bots},${run + 1},${tick + 1},${ms.toFixed(4)}`);
        });
      });
    }
  }
  return `${lines.join('\n')}\n`;
}
