import type { DialectName } from '../engine/index.ts';
import { internalsOf } from '../engine/tools.ts';
import { type Arena, arena } from './arena.ts';
import { type Ball, grid, unitCount, velocity } from './ball-game.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** A whole tick, compared with a raw planck step over the same bodies: all moving, most asleep, and in a crowd. */

const cells = 100;
const cellPx = 64;
const corner = 2 * cellPx;
const side = (cells - 4) * cellPx;

/** By broad phase: the grid of `standard`, the tree of `moddio`. */
const dialects = { grid: 'standard', tree: 'standard except contactsInCreationOrder' } as const;

/** All bodies bounce around, and about half of them are near another. */
export function movingUnits(counts: readonly number[] = [100, 300, 1000, 3000]): Report {
  return againstFloor(counts, (count, dialect) =>
    arena(
      grid(count, corner, side).map(({ x, y }, i): Ball => ({ type: 'bouncer', x, y, ...velocity(i) })),
      cells,
      dialect,
    ),
  );
}

/** One body in twenty moves, without colliding with the others, so that these stay asleep. */
export function sleepingUnits(counts: readonly number[] = [100, 300, 1000, 3000]): Report {
  return againstFloor(
    counts,
    (count, dialect) =>
      arena(
        grid(count, corner, side).map(({ x, y }, i): Ball => {
          return i % 20 === 0 ? { type: 'ghost', x, y, ...velocity(i + 1) } : { type: 'sleeper', x, y, vx: 0, vy: 0 };
        }),
        cells,
        dialect,
      ),
    60,
  );
}

/** A thousand balls in an area that a quarter of them would fill, so that each constantly has several contacts. */
export function crowdedUnits(counts: readonly number[] = [1000]): Report {
  const yard = 24;
  return againstFloor(counts, (count, dialect) =>
    arena(
      grid(count, corner, (yard - 4) * cellPx).map(({ x, y }, i): Ball => ({ type: 'bouncer', x, y, ...velocity(i) })),
      yard,
      dialect,
    ),
  );
}

/** A few units need many ticks until the code is compiled: with 3 warm-up rounds, a hundred units took 50 % longer. */
const warmupRounds = 20;

type MakeArena = (count: number, dialect: DialectName) => Arena;

function againstFloor(counts: readonly number[], make: MakeArena, settleTicks = 0): Report {
  const rows: (string | number)[][] = [];
  const samples: Record<string, readonly number[]> = {};
  for (const count of counts) {
    for (const [pairs, dialect] of Object.entries(dialects)) {
      const { sim, tick, floorStep } = make(count, dialect);
      for (let i = 0; i < settleTicks; i++) {
        tick();
        floorStep();
      }
      const { a, b, ratio, ratios } = compare(tick, floorStep, {
        rounds: 21,
        warmupRounds,
        callsPerRound: Math.max(10, Math.round(20_000 / count)),
      });
      samples[`${count} units, ${pairs}: tick by planck's step`] = ratios;
      rows.push([
        unitCount(sim),
        pairs,
        internalsOf(sim).game.physics.bodiesAwake,
        rounded(a.median, 4),
        rounded(b.median, 4),
        rounded(ratio.median),
        `${ratio.min.toFixed(2)}..${ratio.max.toFixed(2)}`,
        sim.hash(),
      ]);
    }
  }
  return { head: ['units', 'pairs', 'awake', 'tick ms', 'planck ms', 'ratio', 'spread', 'hash'], rows, samples };
}
