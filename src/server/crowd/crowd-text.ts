import { amount } from '../../text/index.ts';
import type { CrowdResult } from './crowd.ts';
import type { PictureResult } from './pictures.ts';

/** The results as a table of text. */
export function crowdText(result: CrowdResult): string {
  const { url, slug, rate, players, seconds, playing, latencyMs, server } = result;
  const lines: [string, string][] = [
    ['players', `${players}, ${playing.toFixed(1)} of them in the room on average`],
    [
      'a client',
      `${bytes(result.receivedPerSecond)} received and ${bytes(result.sentPerSecond)} sent per second, ${result.framesPerSecond.toFixed(1)} frames per second`,
    ],
    ['inputs', `${result.inputs}${list(result.refused, ', refused: ')}`],
    ...(latencyMs === undefined
      ? []
      : [
          [
            'latency',
            `${ms(latencyMs.p50)} at the median, ${ms(latencyMs.p95)} at 95 %, ${ms(latencyMs.p99)} at 99 %`,
          ] as [string, string],
        ]),
    ['lost', lostText(result)],
    ...(result.pictures === undefined ? [] : pictureLines(result.pictures)),
  ];
  if (server === undefined) lines.push(['server', 'provides no metrics at this address; a proxy may close them']);
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
      ...(server.restarts === 0 ? [] : [['restarts', restartText(server.restarts)] as [string, string]]),
      ['process', `${(server.cpuShare * 100).toFixed(1)} % of a core, ${server.memoryMb.toFixed(0)} MB`],
    );
  }
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  const head = `${slug} at ${url}, ${rate} ticks per second, ${seconds.toFixed(0)} s\n`;
  return `${head}\n${lines.map(([name, text]) => `${name.padEnd(width)}${text}\n`).join('')}`;
}

function pictureLines(pictures: PictureResult): [string, string][] {
  const { keys, answerMs, plainAnswerMs, errorPx, jumpsPerMinute, serverJumpsPerMinute } = pictures;
  const { lateShare, leadMs, worldMs, receivedShare, sentShare } = pictures;
  const answers = `${ms(answerMs.p50)} at the median, ${ms(answerMs.p95)} at 95 %; without prediction ${ms(plainAnswerMs.p50)} and ${ms(plainAnswerMs.p95)}`;
  return [
    ['key to picture', keys === 0 ? 'no key changed a steady movement' : `${answers} (${amount(keys, 'key')})`],
    [
      'own unit',
      `${px(errorPx.p50)} from the truth at the median, ${px(errorPx.p95)} at 95 %; ${jumpsPerMinute.toFixed(1)} jumps per minute, and ${serverJumpsPerMinute.toFixed(1)} that the server made`,
    ],
    [
      'prediction',
      `${ms(leadMs)} ahead, ${share(lateShare)} of the inputs late, ${share(receivedShare)} of the bytes received and ${share(sentShare)} of those sent`,
    ],
    ['own world', `${ms(worldMs.p50)} per picture at the median, ${ms(worldMs.p95)} at 95 %`],
  ];
}

function px(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} px`;
}

function share(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

function lostText({ lost, resumed }: CrowdResult): string {
  const all = list(lost);
  return all === '' ? 'no connection' : `${all}; ${amount(resumed, 'player')} resumed`;
}

function restartText(restarts: number): string {
  return `${restarts}; the server's metrics cover all of its processes, except the last second before a crash`;
}

function ms(value: number): string {
  return Number.isNaN(value) ? 'unknown' : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

function bytes(value: number): string {
  return value < 1000 ? `${value.toFixed(0)} B` : `${(value / 1000).toFixed(2)} kB`;
}

function list(counts: Readonly<Record<string, number>>, before = ''): string {
  const all = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return all.length === 0 ? '' : before + all.map(([name, count]) => `${count} ${name}`).join(', ');
}
