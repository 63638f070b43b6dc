import { execFileSync } from 'node:child_process';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** From the start of the process to the first tick of a game, and what it is made of: the command line's own account of itself. */
export function startup(file: string, runs = 9): Report {
  const parts = new Map<string, number[]>();
  for (let i = 0; i < runs; i++) {
    const text = execFileSync(process.execPath, ['dist/cli/main.js', 'run', file, '--ticks', '1', '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    });
    const { startup: account } = JSON.parse(text) as { startup: Record<string, number> };
    for (const [part, ms] of Object.entries(account)) {
      const list = parts.get(part) ?? [];
      list.push(ms);
      parts.set(part, list);
    }
  }
  const rows = [...parts].map(([part, samples]) => {
    const { min, median, max } = spread(samples);
    return [part, rounded(min, 1), rounded(median, 1), rounded(max, 1)];
  });
  return { head: ['part', 'min ms', 'median ms', 'max ms'], rows };
}
