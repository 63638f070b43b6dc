import type { Dictionary } from '../../../engine/core/index.ts';
import { amount, inColumns } from '../../text/index.ts';
import type { CrowdResult } from './crowd.ts';

/** The results as a table of text. */
export function crowdText(result: CrowdResult): string {
  const { url, slug, rate, players, seconds, playing, latencyMs, server } = result;
  const lines: string[][] = [
    ['players', `${players}, ${playing.toFixed(1)} of them in the room on average`],
    [
      'each client',
      `${bytes(result.receivedPerSecond)} received and ${bytes(result.sentPerSecond)} sent per second, ${result.framesPerSecond.toFixed(1)} frames per second`,
    ],
    ['inputs', `${result.inputs}${list(result.refused, ', refused: ')}`],
    ...(latencyMs === undefined
      ? []
      : [
          ['latency', `${ms(latencyMs.p50)} at the median, ${ms(latencyMs.p95)} at 95 %, ${ms(latencyMs.p99)} at 99 %`],
        ]),
    ['lost', lostText(result)],
  ];
  if (server === undefined) lines.push(['server', 'does not provide metrics at this address; a proxy may block them']);
  else {
    const budget = 1000 / rate;
    const within = server.tickMs.p99 <= budget ? 'within' : 'beyond';
    lines.push(
      [
        'ticks',
        `${ms(server.tickMs.p50)} at the median, ${ms(server.tickMs.p99)} at 99 %, ${within} the budget of ${ms(budget)}`,
      ],
      ['encoding', `${ms(server.encodeMs.p50)} at the median, ${ms(server.encodeMs.p99)} at 99 %`],
      ['late', `${ms(server.lateMs.p99)} at 99 %, ${amount(server.overruns, 'tick')} skipped`],
      ...(server.restarts === 0 ? [] : [['restarts', restartText(server.restarts)]]),
      ['process', `${(server.cpuShare * 100).toFixed(1)} % of a core, ${server.memoryMb.toFixed(0)} MB`],
    );
  }
  const head = `${slug} at ${url}, ${rate} ticks per second, ${seconds.toFixed(0)} s\n`;
  return `${head}\n${inColumns(lines).join('\n')}\n`;
}

function lostText({ lost, resumed }: CrowdResult) {
  const all = list(lost);
  return all === '' ? 'no connections' : `${all}; ${amount(resumed, 'player')} resumed`;
}

function restartText(restarts: number) {
  return `${restarts}; the server's metrics cover all of its processes, except the last second before a crash`;
}

function ms(value: number): string {
  return Number.isNaN(value) ? 'unknown' : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

function bytes(value: number) {
  return value < 1000 ? `${value.toFixed(0)} B` : `${(value / 1000).toFixed(2)} kB`;
}

function list(counts: Dictionary<number>, before = '') {
  const all = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return all.length === 0 ? '' : before + all.map(([name, count]) => `${count} ${name}`).join(', ');
}
