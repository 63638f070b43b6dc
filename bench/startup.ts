import { execFileSync } from 'node:child_process';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

const program = 'dist/cli/main.js';

/**
 * Node 20 reads and parses the certificates named by this variable at startup, which doubles the time of an empty
 * process.
 */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/**
 * The time from process start to the first tick of a game, and its parts, as reported by the command line. Interleaved
 * with an empty process, which indicates the speed of the machine, and with those that print the version and the help.
 */
export function startup(file: string, runs = 9): Report {
  const parts = new Map<string, number[]>();
  const add = (part: string, ms: number): void => {
    const list = parts.get(part) ?? [];
    list.push(ms);
    parts.set(part, list);
  };
  const wallOf = (args: readonly string[]): number => {
    const start = performance.now();
    execFileSync(process.execPath, args, { stdio: 'ignore', env });
    return performance.now() - start;
  };
  const toFirstTick: number[] = [];
  const toVersion: number[] = [];
  const toHelp: number[] = [];
  // Two uncounted runs: the first fills Node's compile cache.
  for (let run = -2; run < runs; run++) {
    const bare = wallOf(['-e', '0']);
    const version = wallOf([program, '--version']);
    const help = wallOf([program, '--help']);
    const text = execFileSync(process.execPath, [program, 'run', file, '--ticks', '1', '--json'], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    });
    const { startup: account } = JSON.parse(text) as { startup: Record<string, number> };
    if (run < 0) continue;
    add('an empty process', bare);
    add('--version, to its end', version);
    add('--help, to its end', help);
    for (const [part, ms] of Object.entries(account)) add(part, ms);
    toFirstTick.push(rounded(account['firstTickMs']! / bare));
    toVersion.push(rounded(version / bare));
    toHelp.push(rounded(help / bare));
  }
  const rows = [...parts].map(([part, samples]) => {
    const { min, median, max } = spread(samples);
    return [part, rounded(min, 1), rounded(median, 1), rounded(max, 1)];
  });
  return {
    head: ['part', 'min ms', 'median ms', 'max ms'],
    rows,
    samples: {
      'first tick by an empty process': toFirstTick,
      '--version by an empty process': toVersion,
      '--help by an empty process': toHelp,
    },
    notes: ['without NODE_EXTRA_CA_CERTS, whose certificates Node 20 reads in every start'],
  };
}
