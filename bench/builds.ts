import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type * as Engine from '../engine/index.ts';
import { ratioOf } from '../src/statistics/index.ts';
import { grid, velocity } from './ball-game.ts';
import { table } from './measure.ts';
import { definition as nested, nestedActions } from './nested-script.ts';

/**
 * Compares this build with another, interleaved in one process: `npm run build && node dist/bench/builds.js CHECKOUT
 * [GAME] [ROUNDS]`. CHECKOUT is a built checkout of any version; only the public API is used. Each line is the CPU time
 * of this build divided by that of the other, with a 95 % interval. GAME is started in separate processes, whose time
 * to the first tick is wall time.
 */

const [checkout, gameFile, roundsText = '21'] = process.argv.slice(2);
const rounds = Number(roundsText);
if (checkout === undefined || !Number.isInteger(rounds) || rounds < 3) {
  console.error('Usage: node dist/bench/builds.js CHECKOUT [GAME] [ROUNDS, 3 or more]');
  process.exit(2);
}

type Json = Readonly<Record<string, unknown>>;
type Dialect = 'standard' | 'moddio';
type Library = Pick<typeof Engine, 'loadDefinition' | 'Simulation'>;
type Simulation = InstanceType<Library['Simulation']>;

const owner: Json = { function: 'computerPlayer', number: 1 };
const warmupRounds = 3;

function start({ loadDefinition, Simulation }: Library, data: Json, dialect: Dialect): Simulation {
  const { game } = loadDefinition({ data });
  if (game === undefined) throw new Error('The definition does not load.');
  return new Simulation(game, { seed: 1, dialect });
}

/** Circles that bounce between walls, created and pushed by a script. */
function ballGame(count: number): Json {
  const cells = 100;
  const last = cells - 1;
  const walls = Array.from({ length: cells ** 2 }, (_, i) => {
    const [x, y] = [i % cells, Math.floor(i / cells)];
    return x === 0 || y === 0 || x === last || y === last ? 1 : 0;
  });
  const actions = grid(count, 128, (cells - 4) * 64).flatMap((position, i): Json[] => {
    const { vx, vy } = velocity(i);
    return [
      { type: 'createUnitAtPosition', unitType: 'ball', entity: owner, position, angle: 0 },
      {
        type: 'setVelocityOfEntityXY',
        entity: { function: 'getLastCreatedUnit' },
        velocity: { x: vx, y: vy },
      },
    ];
  });
  const body = {
    type: 'dynamic',
    width: 32,
    height: 32,
    fixtures: [{ density: 1, friction: 0, restitution: 1, shape: { type: 'circle' } }],
    collidesWith: { walls: true, units: true },
    linearDamping: 0,
    allowSleep: false,
  };
  return {
    defaultData: { frameRate: 60 },
    map: {
      width: cells,
      height: cells,
      tilewidth: 64,
      tileheight: 64,
      layers: [{ name: 'walls', type: 'tilelayer', width: cells, height: cells, data: walls }],
      tilesets: [{ name: 't', firstgid: 1, tilecount: 10, tilewidth: 64, tileheight: 64 }],
    },
    playerTypes: nested.data.playerTypes,
    unitTypes: {
      ball: {
        name: 'ball',
        attributes: { speed: { name: 'speed', value: 10, min: 0, max: 100, regenerateSpeed: 0 } },
        controls: { movementControlScheme: 'wasd', movementMethod: 'velocity' },
        states: { default: { name: 'default', body: 'default' } },
        bodies: { default: body },
      },
    },
    scripts: { start: { name: 'start', triggers: [{ type: 'gameStart' }], conditions: [], actions } },
  };
}

/** The nested script over 100 units on every tick: 20,000 actions, which outweigh the rest of the tick. */
function scriptGame(): Json {
  const create = {
    type: 'createUnitAtPosition',
    unitType: 'walker',
    entity: owner,
    position: { x: 90, y: 90 },
    angle: 0,
  };
  const script = (type: string, actions: readonly Json[]) => {
    return { name: type, triggers: [{ type }], conditions: [], actions };
  };
  return {
    ...nested.data,
    scripts: {
      start: script(
        'gameStart',
        Array.from({ length: 100 }, () => create),
      ),
      work: script('frameTick', nestedActions),
    },
  };
}

/** The CPU time of a call, in ms. */
function cost(call: () => void): number {
  const { user, system } = process.cpuUsage();
  call();
  const now = process.cpuUsage();
  return (now.user - user + now.system - system) / 1000;
}

/** A line of the table. The two builds alternate in going first. */
function line(name: string, ours: () => number, theirs: () => number): string[] {
  const times: [ours: number[], theirs: number[]] = [[], []];
  for (let round = -warmupRounds; round < rounds; round++) {
    const oursFirst = round % 2 === 0;
    const first = (oursFirst ? ours : theirs)();
    const second = (oursFirst ? theirs : ours)();
    if (round < 0) continue;
    times[0].push(oursFirst ? first : second);
    times[1].push(oursFirst ? second : first);
  }
  const { value, low, high } = ratioOf(...times);
  return [name, value.toFixed(3), `${low!.toFixed(3)}..${high!.toFixed(3)}`];
}

/**
 * Starts a process that runs one tick of the game. Returns its reported time to the first tick and its total CPU time,
 * ms.
 */
function startOf(folder: string): { readonly firstTickMs: number; readonly processorMs: number } {
  const program = [process.execPath, `${folder}/dist/cli/main.js`, 'run', gameFile!, '--ticks', '1', '--json'];
  const command = 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null';
  const result = spawnSync('bash', ['-c', command, 'bash', ...program], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`${program.join(' ')} ended with ${result.status}.`);
  const [user, system] = result.stderr.trim().split(' ').map(Number);
  const { startup } = JSON.parse(result.stdout) as { startup: { firstTickMs: number } };
  return { firstTickMs: startup.firstTickMs, processorMs: 1000 * (user! + system!) };
}

const libraryOf = async (folder: string): Promise<Library> =>
  (await import(pathToFileURL(`${folder}/dist/engine/index.js`).href)) as Library;
const libraries = [await libraryOf(process.cwd()), await libraryOf(checkout)] as const;

type Pair = readonly [Simulation, Simulation];

const pairOf = (data: Json, dialect: Dialect): Pair =>
  libraries.map((library) => start(library, data, dialect)) as unknown as Pair;

/** Measures the same work on both simulations of a pair. */
function linesOf(name: string, [a, b]: Pair, work: (sim: Simulation) => void): string[] {
  return line(
    name,
    () => cost(() => work(a)),
    () => cost(() => work(b)),
  );
}

const times = (count: number, call: () => void): void => {
  for (let i = 0; i < count; i++) call();
};
const lines: string[][] = [];
for (const dialect of ['standard', 'moddio'] as const) {
  for (const count of [100, 300, 1000]) {
    const pair = pairOf(ballGame(count), dialect);
    const ticks = Math.max(20, Math.round(40_000 / count));
    lines.push(linesOf(`tick, ${count} moving units, ${dialect}`, pair, (sim) => sim.run({ ticks })));
    if (count !== 1000) continue;
    lines.push(linesOf(`snapshot, ${dialect}`, pair, (sim) => times(5, () => sim.snapshot())));
    lines.push(linesOf(`snapshot and restore, ${dialect}`, pair, (sim) => times(3, () => sim.fork())));
    lines.push(linesOf(`hash, ${dialect}`, pair, (sim) => times(20, () => sim.hash())));
  }
  const pair = pairOf(scriptGame(), dialect);
  lines.push(linesOf(`nested scripts, ${dialect}`, pair, (sim) => sim.run({ ticks: 20 })));
}
if (gameFile !== undefined) {
  for (const [name, figure] of [
    ['start to the first tick, time', 'firstTickMs'],
    ['run of one tick, whole process', 'processorMs'],
  ] as const) {
    lines.push(
      line(
        name,
        () => startOf('.')[figure],
        () => startOf(checkout)[figure],
      ),
    );
  }
}
console.log(table(['', 'ours / theirs', '95 %'], lines));
