import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Player, spread } from './chaos-players.ts';
import { end, type Served, serve } from './served.ts';

const healthyRooms = 9;
const playersEach = 2;
const seconds = 20;

/** A script that does as much as one tick may, in each tick: ten times what it needs, so that the budget ends it. */
const burning = {
  key: 'burn',
  name: 'burn',
  triggers: [{ type: 'frameTick' }],
  conditions: [{ operator: '==', operandType: 'boolean' }, true, true],
  actions: [
    {
      type: 'repeat',
      count: 1000,
      actions: [{ type: 'repeat', count: 1000, actions: [{ type: 'setVariable', variableName: 'burnt', value: 1 }] }],
    },
  ],
};

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
 * Nine rooms that are well, alone and then beside a tenth whose script burns its whole budget in each tick. In one thread, and with one more for slow
 * rooms.
 */
export async function neighbours(folder: string, game: string): Promise<object> {
  const games = join(folder, 'games');
  mkdirSync(games);
  const write = (slug: string, change: (data: Document['gameJson']['data']) => void): void => {
    const document = JSON.parse(readFileSync(game, 'utf8')) as Document;
    const { data } = document.gameJson;
    data.defaultData = { ...data.defaultData, gameSlug: slug };
    change(data);
    writeFileSync(join(games, `${slug}.json`), JSON.stringify(document));
  };
  write('healthy', () => {});
  write('burning', (data) => {
    data.defaultData = { ...data.defaultData, frameRate: 60, engineTickRate: 60 };
    data.scripts['burn'] = burning;
    data.variables['burnt'] = { dataType: 'number', default: 0 };
  });
  return {
    rooms: healthyRooms,
    players: healthyRooms * playersEach,
    alone: await measure(folder, games, 1, false),
    besideInOneThread: await measure(folder, games, 0, true),
    beside: await measure(folder, games, 1, true),
  };
}

async function measure(folder: string, games: string, workers: number, isBurning: boolean): Promise<object> {
  const data = join(folder, `data-${workers}-${isBurning}`);
  const places = ['--rooms', String(healthyRooms), '--rooms-max', '30'];
  const served = await serve(games, data, '--workers', String(workers), '--trust-address', '127.0.0.1', ...places);
  const players: Player[] = [];
  try {
    const { rooms } = (await (await fetch(`${served.http}/rooms`)).json()) as { rooms: { id: string; slug: string }[] };
    const healthy = rooms.filter(({ slug }) => slug === 'healthy');
    for (const { id } of healthy) {
      for (let i = 0; i < playersEach; i++) {
        const player = new Player();
        await player.connect(served.url, id);
        players.push(player);
      }
    }
    for (const player of players) player.play(15);
    const slow = new Player();
    if (isBurning) {
      await slow.connect(served.url, 'burning');
      slow.play(15);
    }
    // Time enough to find the slow room out, which its players leave then, and come back to.
    await wait(6000);
    const isMoved = served.log.some(({ msg }) => msg === 'room-moved');
    if (isMoved && !slow.isOpen) {
      await slow.connect(served.url);
      slow.play(15);
    }
    for (const player of players) player.latenciesMs.length = 0;
    const burning = rooms.filter(({ slug }) => slug === 'burning');
    const before = { ...(await figures(served, healthy)), slow: await figures(served, burning) };
    await wait(seconds * 1000);
    const after = { ...(await figures(served, healthy)), slow: await figures(served, burning) };
    const result = {
      isMoved,
      /** Of a core. */
      burningPercent: Math.round(((after.slow.busy - before.slow.busy) / seconds) * 100),
      burningTicksASecond: Math.round((after.slow.ticks - before.slow.ticks) / seconds),
      healthyPercent: Math.round(((after.busy - before.busy) / seconds) * 100),
      acknowledgeMs: spread(players.flatMap(({ latenciesMs }) => latenciesMs)),
      healthyTicksASecond: Math.round(((after.ticks - before.ticks) / seconds / healthy.length) * 10) / 10,
      healthyTicksGivenUp: after.overruns - before.overruns,
      stillPlaying: players.filter(({ isOpen }) => isOpen).length,
    };
    slow.close();
    return result;
  } finally {
    for (const player of players) player.close();
    await end(served);
  }
}

async function figures({ http }: Served, rooms: readonly { readonly id: string }[]) {
  const text = await (await fetch(`${http}/metrics`)).text();
  const sum = (name: string) =>
    rooms.reduce(
      (total, { id }) => total + Number(new RegExp(`^${name}\\{room="${id}"\\} (\\S+)`, 'm').exec(text)?.[1] ?? 0),
      0,
    );
  return {
    ticks: sum('reenact_tick_seconds_count'),
    overruns: sum('reenact_tick_overruns_total'),
    busy: sum('reenact_tick_busy_seconds_total'),
  };
}
