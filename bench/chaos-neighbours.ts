import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantileOf, ServerFigures } from '../src/server/crowd/server-figures.ts';
import { Player, spread } from './chaos-players.ts';
import { end, type Served, serve } from './served.ts';

const quietRooms = 6;
const greedyRooms = 3;
const playersEach = 2;
const seconds = 20;

/**
 * Greedy games by the length of their ticks: a script that uses the whole action budget, where each action adds this
 * many numbers.
 */
const greedy = { short: 1, medium: 30, long: 120 } as const;

/** Ten times the budget of a tick, so that the budget ends it. */
function burning(addends: number): object {
  let value: unknown = 1;
  for (let i = 1; i < addends; i++) value = { function: 'calculate', items: [{ operator: '+' }, 1, value] };
  const work = [{ type: 'setVariable', variableName: 'burnt', value }];
  return {
    key: 'burn',
    name: 'burn',
    triggers: [{ type: 'frameTick' }],
    conditions: [{ operator: '==', operandType: 'boolean' }, true, true],
    actions: [{ type: 'repeat', count: 1000, actions: [{ type: 'repeat', count: 1000, actions: work }] }],
  };
}

interface Document {
  readonly gameJson: {
    readonly data: {
      readonly scripts: Record<string, unknown>;
      readonly variables: Record<string, unknown>;
      defaultData: Record<string, unknown>;
    };
  };
}

/**
 * Measures six quiet rooms, alone and next to three rooms whose scripts use up their budget on every tick; once with
 * worker threads for rooms, and once in the main thread.
 */
export async function neighbours(folder: string, game: string): Promise<object> {
  const results: Record<string, object> = {};
  for (const kind of [undefined, ...(Object.keys(greedy) as (keyof typeof greedy)[])]) {
    const name = kind ?? 'alone';
    const games = join(folder, name);
    mkdirSync(games);
    const write = (slug: string, change: (data: Document['gameJson']['data']) => void): void => {
      const document = JSON.parse(readFileSync(game, 'utf8')) as Document;
      const { data } = document.gameJson;
      data.defaultData = { ...data.defaultData, gameSlug: slug };
      change(data);
      writeFileSync(join(games, `${slug}.json`), JSON.stringify(document));
    };
    write('quiet', () => {});
    if (kind !== undefined) {
      write('greedy', (data) => {
        data.defaultData = { ...data.defaultData, frameRate: 60, engineTickRate: 60 };
        data.scripts['burn'] = burning(greedy[kind]);
        data.variables['burnt'] = { dataType: 'number', default: 0 };
      });
    }
    for (const workers of [1, 0]) results[`${name}, ${workers} threads`] = await measure(folder, games, workers);
  }
  return results;
}

async function measure(folder: string, games: string, workers: number): Promise<object> {
  const data = join(folder, `${basename(games)}-data-${workers}`);
  const places = ['--rooms', String(quietRooms), '--rooms-max', '30'];
  const served = await serve(games, data, '--workers', String(workers), '--trust-address', '127.0.0.1', ...places);
  const players: Player[] = [];
  const greedyPlayers: Player[] = [];
  try {
    const { rooms } = (await (await fetch(`${served.http}/rooms`)).json()) as { rooms: { id: string; slug: string }[] };
    const quiet = rooms.filter(({ slug }) => slug === 'quiet');
    for (const { id } of quiet) {
      for (let i = 0; i < playersEach; i++) {
        const player = new Player();
        await player.connect(served.url, id);
        players.push(player);
      }
    }
    for (const player of players) player.play(15);
    const burning = rooms.filter(({ slug }) => slug === 'greedy').slice(0, greedyRooms);
    for (const { id } of burning) {
      const player = new Player();
      await player.connect(served.url, id);
      greedyPlayers.push(player);
    }
    for (const player of greedyPlayers) player.play(15);
    // Long enough for the server to detect the greedy rooms. Players of a room that is moved are disconnected and come
    // back.
    await wait(15_000);
    for (const player of greedyPlayers) {
      if (player.isOpen) continue;
      player.close();
      await player.connect(served.url);
      player.play(15);
    }
    for (const player of players) player.latenciesMs.length = 0;
    const before = { quiet: await figures(served, quiet), greedy: await figures(served, burning) };
    await wait(seconds * 1000);
    const after = { quiet: await figures(served, quiet), greedy: await figures(served, burning) };
    const late = new ServerFigures();
    for (const { text } of [before.quiet, after.quiet]) late.scrape(text);
    const ticks = after.greedy.ticks - before.greedy.ticks;
    const milliseconds = (quantile: number) => Math.round(quantileOf(late.lateSeconds, quantile) * 1000);
    return {
      quietLateMs: { p50: milliseconds(0.5), p95: milliseconds(0.95), p99: milliseconds(0.99) },
      quietAcknowledgedMs: spread(players.flatMap(({ latenciesMs }) => latenciesMs)),
      quietTicksASecond: round((after.quiet.ticks - before.quiet.ticks) / seconds / quiet.length),
      quietTicksGivenUp: after.quiet.overruns - before.quiet.overruns,
      ...(burning.length > 0 && {
        slow: served.log.filter(({ msg }) => msg === 'room-slow').length,
        moved: served.log.filter(({ msg }) => msg === 'room-moved').length,
        greedyTickMs: round(((after.greedy.busy - before.greedy.busy) / ticks) * 1000),
        greedyTicksASecond: round(ticks / seconds / burning.length),
        /** Percent of one core, for all of them. */
        greedyPercent: Math.round(((after.greedy.busy - before.greedy.busy) / seconds) * 100),
      }),
      stillPlaying: players.filter(({ isOpen }) => isOpen).length,
    };
  } finally {
    for (const player of [...players, ...greedyPlayers]) player.close();
    await end(served);
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;

async function figures({ http }: Served, rooms: readonly { readonly id: string }[]) {
  const text = await (await fetch(`${http}/metrics`)).text();
  const lines = text.split('\n').filter((line) => rooms.some(({ id }) => line.includes(`room="${id}"`)));
  const sum = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}{`)).reduce((total, line) => total + Number(line.split(' ')[1]), 0);
  return {
    ticks: sum('reenact_tick_seconds_count'),
    overruns: sum('reenact_tick_overruns_total'),
    busy: sum('reenact_tick_busy_seconds_total'),
    text: lines.join('\n'),
  };
}
