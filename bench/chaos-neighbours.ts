import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { quantileOf, ServerFigures } from '../src/server/index.ts';
import { Player, spread } from './chaos-players.ts';
import { cpuSeconds, end, type Served, serve } from './served.ts';

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

/** How long the crowd settles and is measured. */
const crowdSettleSeconds = 15;
const crowdSeconds = 20;
/**
 * Ticks per second of the rooms that are measured, and inputs of their players: together they leave more than half of
 * two cores to the hostile rooms.
 */
const crowdRate = 5;
const crowdInputs = 2;
/**
 * Rooms that each do something else to their neighbours: use up their budget, in short and in long ticks, and hoard
 * texts.
 */
const hostiles: readonly object[] = [burning(greedy.short), burning(greedy.medium), burning(greedy.long), hoarding()];

/** As many items on one spot as a room may have, in one tick. */
function piling(): object {
  const position = { x: 300, y: 300 };
  return {
    ...burning(1),
    actions: [{ type: 'repeat', count: 1_000_000, actions: [{ type: 'spawnItem', itemType: 'antidote', position }] }],
  };
}

/** Keeps 20 more texts of half a million letters in each tick. */
function hoarding(): object {
  const get = (variableName: string) => ({ function: 'getVariable', variableName });
  const joined = (textA: unknown, textB: unknown) => ({ function: 'concat', textA, textB });
  const sum = { function: 'calculate', items: [{ operator: '+' }, get('burnt'), 1] };
  const long = { function: 'substringOf', string: get('long'), fromIndex: 1, toIndex: 500_000 };
  const kept = { type: 'addStringElement', key: joined('k', get('burnt')), value: joined(get('long'), get('burnt')) };
  return {
    ...burning(1),
    actions: [
      { type: 'setVariable', variableName: 'long', value: joined(get('long'), get('long')) },
      { type: 'setVariable', variableName: 'long', value: long },
      {
        type: 'repeat',
        count: 20,
        actions: [
          { type: 'setVariable', variableName: 'burnt', value: sum },
          { ...kept, object: get('bag') },
        ],
      },
    ],
  };
}

/** Five rooms that pile up items among others, from their second second on; see `crowd`. */
export async function frozen(folder: string, samples: string, rooms: number): Promise<object> {
  const results: Record<string, object> = {};
  for (const workers of [1, 2]) {
    for (const isBusy of [false, true]) {
      const name = `${workers} threads${isBusy ? ', half of the processor taken' : ''}`;
      const scene = { hostiles: [piling()], workers, isBusy, settleSeconds: 1 };
      results[name] = await crowd(join(folder, name), samples, rooms, 5, scene);
    }
  }
  return results;
}

interface CrowdScene {
  /** Scripts of the hostile rooms, in turn. */
  readonly hostiles: readonly object[];
  readonly workers: number;
  /** Whether other processes use half of the processor. */
  readonly isBusy: boolean;
  /** How long the hostile rooms are played before the measurement. */
  readonly settleSeconds: number;
}

const mixed: CrowdScene = { hostiles, workers: 1, isBusy: false, settleSeconds: crowdSettleSeconds };

/**
 * The lateness of ticks and the acknowledgement of inputs in many rooms of the sample games, with and without hostile
 * rooms among them.
 */
export async function crowd(
  folder: string,
  samples: string,
  rooms: number,
  hostile = 5,
  scene: CrowdScene = mixed,
): Promise<object> {
  const games = join(folder, 'crowd');
  mkdirSync(games, { recursive: true });
  const slugs: string[] = [];
  const write = (name: string, change: (data: Document['gameJson']['data']) => void): string => {
    const slug = `game-${slugs.length}`;
    const document = JSON.parse(readFileSync(join(samples, name), 'utf8')) as Document;
    const { data } = document.gameJson;
    data.defaultData = { ...data.defaultData, gameSlug: slug };
    change(data);
    writeFileSync(join(games, `${slug}.json`), JSON.stringify(document));
    slugs.push(slug);
    return slug;
  };
  const real = readdirSync(samples)
    .filter((name) => name.endsWith('.json'))
    .map((name) =>
      write(name, (data) => {
        data.defaultData = { ...data.defaultData, frameRate: crowdRate, engineTickRate: crowdRate };
      }),
    );
  const bad = scene.hostiles.map((script) =>
    write('infection.json', (data) => {
      Object.assign(data.scripts, { burn: script });
      Object.assign(data.variables, {
        burnt: { dataType: 'number', default: 0 },
        long: { dataType: 'string', default: 'x'.repeat(1000) },
        bag: { dataType: 'object', default: {} },
      });
    }),
  );
  const wanted = Array.from({ length: rooms - hostile }, (_, i) => real[i % real.length]!);
  const many = Array.from({ length: hostile }, (_, i) => bad[i % bad.length]!);
  const others = Array.from({ length: scene.isBusy ? Math.ceil(availableParallelism() / 2) : 0 }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  let without: Awaited<ReturnType<typeof measureCrowd>>;
  let among: typeof without;
  try {
    without = await measureCrowd(folder, games, wanted, [], scene);
    among = await measureCrowd(folder, games, wanted, many, scene);
  } finally {
    for (const other of others) other.kill('SIGKILL');
  }
  const ratio = (a: number, b: number) => round(a / Math.max(1, b));
  const late = { p95: ratio(among.lateMs.p95, without.lateMs.p95) };
  const acknowledged = { p95: ratio(among.acknowledgedMs.p95, without.acknowledgedMs.p95) };
  return { rooms: rooms - hostile, hostile, without, among, ratios: { late, acknowledged } };
}

async function measureCrowd(
  folder: string,
  games: string,
  quiet: readonly string[],
  hostile: readonly string[],
  { workers, settleSeconds }: CrowdScene,
) {
  const token = join(folder, 'admin-token');
  writeFileSync(token, 'the operator of the benchmark', { mode: 0o600 });
  const data = join(folder, `crowd-${hostile.length}`);
  const options = ['--rooms', '0', '--trust-address', '127.0.0.1', '--admin-token-file', token];
  const served = await serve(games, data, ...options, '--workers', String(workers), '--memory-max', '16');
  const players: Player[] = [];
  const open = async (slug: string): Promise<{ readonly id: string }> => {
    const headers = { authorization: 'Bearer the operator of the benchmark', 'content-type': 'application/json' };
    const answer = await fetch(`${served.http}/rooms`, { method: 'POST', headers, body: JSON.stringify({ slug }) });
    if (!answer.ok) throw new Error(`A room was not opened: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const enter = async (id: string): Promise<Player> => {
    const player = new Player();
    players.push(player);
    await player.connect(served.url, id);
    player.play(crowdInputs);
    return player;
  };
  try {
    const rooms: { readonly id: string }[] = [];
    for (const slug of quiet) rooms.push(await open(slug));
    const bad: string[] = [];
    for (const slug of hostile) bad.push((await open(slug)).id);
    const measured: Player[] = [];
    for (const { id } of rooms) measured.push(await enter(id));
    // Compiling the quiet games is no part of what is measured.
    await wait(crowdSettleSeconds * 1000);
    // Their rooms end or move to other threads, and they come back.
    const pests = await Promise.all(bad.map((id) => enter(id).catch(() => new Player())));
    const returning = setInterval(() => {
      for (const [i, pest] of pests.entries()) {
        if (pest.isOpen) continue;
        pest.close();
        pests[i] = new Player();
        players.push(pests[i]!);
        pests[i]!.connect(served.url, hostile[i]!).then(
          () => pests[i]!.play(crowdInputs),
          () => {},
        );
      }
    }, 1000);
    await wait(settleSeconds * 1000);
    for (const player of measured) player.latenciesMs.length = 0;
    const late = new ServerFigures();
    const before = await figures(served, rooms);
    const cpu = cpuSeconds(served.child.pid!);
    const own = process.cpuUsage();
    late.scrape(before.text);
    await wait(crowdSeconds * 1000);
    const after = await figures(served, rooms);
    const { user, system } = process.cpuUsage(own);
    const percent = (ofSeconds: number) => Math.round((ofSeconds / crowdSeconds) * 100);
    late.scrape(after.text);
    const playersPercent = percent((user + system) / 1e6);
    clearInterval(returning);
    const milliseconds = (quantile: number) => Math.round(quantileOf(late.lateSeconds, quantile) * 1000);
    const codes = served.log.flatMap(({ msg, code }) => (msg === 'room-moved' ? [msg] : [code]));
    const slowRooms = [...new Set(served.log.flatMap(({ msg, room }) => (msg === 'room-slow' ? [String(room)] : [])))];
    const count = (what: string) => codes.filter((code) => code === what).length;
    return {
      lateMs: { p50: milliseconds(0.5), p95: milliseconds(0.95), p99: milliseconds(0.99) },
      acknowledgedMs: spread(measured.flatMap(({ latenciesMs }) => latenciesMs)),
      ticksASecond: round((after.ticks - before.ticks) / crowdSeconds / rooms.length),
      ticksGivenUp: after.overruns - before.overruns,
      /** Percent of one core. */
      roomsPercent: percent(after.busy - before.busy),
      processPercent: percent(cpuSeconds(served.child.pid!) - cpu),
      /** The players, in this process. */
      playersPercent,
      stillPlaying: measured.filter(({ isOpen }) => isOpen).length,
      /** Hostile rooms that are called slow, and others that are. */
      slow: slowRooms.filter((id) => bad.includes(id)).length,
      wronglySlow: slowRooms.filter((id) => !bad.includes(id)).length,
      moved: count('room-moved'),
      tooLarge: count('room-too-large'),
      tooSlow: count('room-too-slow'),
      threadsEnded: count('worker-failed'),
    };
  } finally {
    for (const player of players) player.close();
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
