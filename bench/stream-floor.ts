import { readFileSync } from 'node:fs';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';
import { angleSteps, quantaPerPixel, ReenactStream, velocityAfter } from '../src/net/index.ts';
import { type Report, rounded } from './report.ts';

/**
 * Weight of symbols that have not been seen, as in the estimator of Krichevsky and Trofimov, but for larger alphabets.
 */
const prior = 0.05;

/** Counts the bits that an arithmetic coder needs which adapts to what it has coded before in the same context. */
class AdaptiveCoder {
  bits = 0;
  private readonly symbols: number;
  private readonly contexts = new Map<string, { total: number; readonly seen: Map<number, number> }>();

  constructor(symbols: number) {
    this.symbols = symbols;
  }

  code(context: string, symbol: number): void {
    const known = this.contexts.get(context) ?? { total: 0, seen: new Map<number, number>() };
    this.contexts.set(context, known);
    const times = known.seen.get(symbol) ?? 0;
    this.bits -= Math.log2((times + prior) / (known.total + prior * this.symbols));
    known.total++;
    known.seen.set(symbol, times + 1);
  }
}

/** What a client knows of an entity. */
interface Known {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly velocityX: number;
  readonly velocityY: number;
  /** How it differed from what was expected. */
  readonly stepX: number;
  readonly stepY: number;
  /** Whether that was so in each of the last ticks, as bits. */
  readonly moves: number;
  readonly turns: number;
}

const ticksInContext = 0b111;
const stepMax = 100;
const clamped = (step: number, max: number): number => Math.max(-max, Math.min(max, step));

/** Bits of `signed k` (docs/protocol.md#frames). */
function signedBits(value: number, k: number): number {
  const top = Math.floor(Math.log2((value >= 0 ? 2 * value : -2 * value - 1) + 2 ** k));
  return top - k + 1 + top;
}

/**
 * The bits that movements take in frames, and those that they would take at least if they were predicted from earlier
 * ones.
 */
class Movements {
  sentBits = 0;
  private readonly known = new Map<string, Known>();
  private readonly flags = new AdaptiveCoder(2);
  private readonly steps = new AdaptiveCoder(2 * stepMax + 1);
  private readonly turns = new AdaptiveCoder(angleSteps);

  get floorBits(): number {
    return this.flags.bits + this.steps.bits + this.turns.bits;
  }

  add(kind: string, id: string, [px, py, radians]: readonly [number, number, number]): void {
    const [x, y] = [Math.round(px * quantaPerPixel), Math.round(py * quantaPerPixel)];
    const angle = Math.round((radians / (2 * Math.PI)) * angleSteps) & (angleSteps - 1);
    const before = this.known.get(id);
    if (before === undefined) {
      const still = { velocityX: 0, velocityY: 0, stepX: 0, stepY: 0, moves: 0, turns: 0 };
      this.known.set(id, { x, y, angle, ...still });
      return;
    }
    const [stepX, stepY] = [x - before.x - before.velocityX, y - before.y - before.velocityY];
    const turned = ((angle - before.angle + angleSteps * 1.5) % angleSteps) - angleSteps / 2;
    const [moves, turns] = [Number(stepX !== 0 || stepY !== 0), Number(turned !== 0)];
    const isGoing = before.velocityX !== 0 || before.velocityY !== 0;
    this.flags.code(`moves ${kind} ${before.moves & ticksInContext} ${isGoing}`, moves);
    this.flags.code(`turns ${kind} ${before.turns & ticksInContext} ${moves}`, turns);
    if (moves === 1) {
      this.steps.code(`x ${kind} ${clamped(before.stepX, 3)}`, clamped(stepX, stepMax));
      this.steps.code(`y ${kind} ${clamped(before.stepY, 3)} ${stepX === 0}`, clamped(stepY, stepMax));
    }
    if (turns === 1) this.turns.code(kind, turned);
    // The slot, and whether it moved, turned, or changed otherwise.
    if (moves + turns > 0) this.sentBits += 4;
    if (moves === 1) this.sentBits += signedBits(stepX, 1) + signedBits(stepY, 1);
    if (turns === 1) this.sentBits += signedBits(turned, 3);
    this.known.set(id, {
      x,
      y,
      angle,
      stepX,
      stepY,
      velocityX: velocityAfter(before.velocityX + stepX),
      velocityY: velocityAfter(before.velocityY + stepY),
      moves: (before.moves << 1) | moves,
      turns: (before.turns << 1) | turns,
    });
  }
}

/** How far below the bytes of today any coding of the same movements can get. */
export function streamFloors(
  files: readonly string[],
  { seconds, warmUpSeconds, players }: { seconds: number; warmUpSeconds: number; players: number },
): Report {
  const rows = files.map((file) => {
    const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
    if (game === undefined) throw new Error(`${file} is no definition.`);
    const sim = new Simulation(game, { seed: 1 });
    const bots = new Bots(sim, { count: players, seed: '1' });
    const tick = (): void => {
      bots.beforeStep();
      sim.step();
    };
    for (let i = 0; i < warmUpSeconds * sim.rate; i++) tick();
    const stream = new ReenactStream(sim);
    const client = stream.add('bot1');
    const movements = new Movements();
    let bytes = 0;
    for (let i = 0; i < seconds * sim.rate; i++) {
      tick();
      // The first frame is the whole state.
      for (const [, frame] of stream.frames()) bytes += i === 0 ? 0 : frame.length;
      stream.acknowledge(client, sim.tick);
      for (const unit of sim.units()) movements.add('unit', unit.id, [unit.x, unit.y, unit.angle]);
      for (const shot of sim.projectiles()) movements.add('projectile', shot.id, [shot.x, shot.y, shot.angle]);
      for (const item of sim.items()) {
        if (item.owner === undefined) movements.add('item', item.id, [item.x, item.y, item.angle]);
      }
    }
    const [sent, floor] = [movements.sentBits / 8, movements.floorBits / 8];
    return [
      file.replace(/.*\//, '').replace('.json', ''),
      players,
      sim.rate,
      ...[bytes, sent, floor].map((each) => Math.round(each / seconds)),
      rounded((bytes - sent + floor) / bytes),
    ];
  });
  return {
    head: ['game', 'players', 'rate', 'B/client/s', 'movements', 'floor of these', 'least share'],
    rows,
    notes: [
      'Everything is in sight. The floor is that of an adaptive arithmetic coder that knows kind, velocity, and how the last ticks differed from what was expected.',
    ],
  };
}
