import { Simulation } from '../engine/index.ts';
import { arena } from './arena.ts';
import { type Ball, grid, velocity } from './ball-game.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** Rollback saves and restores on every tick, so warm up until the code is compiled. */
const warmupRounds = 60;
const rounds = 21;

/**
 * The cost of hashing, saving and restoring moving bodies. Hashing is compared with a tick of the same world; the
 * others with a raw planck step with the same bodies, which indicates the speed of the machine.
 */
export function savedBodies(counts: readonly number[] = [300, 1000]): Report {
  const samples: Record<string, readonly number[]> = {};
  const rows = counts.map((count) => {
    const place = grid(count, 128, 96 * 64);
    const { game, sim, tick, floorStep } = arena(
      place.map(({ x, y }, i): Ball => ({ type: 'bouncer', x, y, ...velocity(i) })),
      100,
    );
    const saving = { rounds, warmupRounds, callsPerRound: 4 };
    const callsPerRound = Math.max(4, Math.round(6000 / count));
    const hash = compare(() => sim.hash(), tick, { rounds, warmupRounds, callsPerRound });
    let bytes = 0;
    const snapshot = compare(() => (bytes = sim.snapshot().length), floorStep, saving);
    const fork = compare(() => sim.fork(), floorStep, saving);
    const restore = compare(() => Simulation.restore(game, sim.snapshot()), floorStep, saving);
    samples[`${count} bodies: snapshot and restore by planck`] = restore.ratios;
    samples[`${count} bodies: hash by tick`] = hash.ratios;
    samples[`${count} bodies: snapshot by planck`] = snapshot.ratios;
    samples[`${count} bodies: fork by planck`] = fork.ratios;
    return [
      count,
      rounded(hash.b.median),
      rounded(hash.a.median),
      rounded((100 * hash.a.median) / (hash.a.median + hash.b.median), 1),
      rounded(fork.b.median, 2),
      ...[snapshot, fork, restore].flatMap(({ a, ratio }) => [rounded(a.median, 2), rounded(ratio.median, 2)]),
      Math.round(bytes / count),
    ];
  });
  return {
    head: [
      'bodies',
      'tick ms',
      'hash ms',
      'hash of both %',
      'planck ms',
      'snapshot ms',
      'snapshot by planck',
      'fork ms',
      'fork by planck',
      'snapshot and restore ms',
      'both by planck',
      'bytes a body',
    ],
    rows,
    samples,
    notes: [
      'whole simulations: units with their components, walls, players; medians of 21 rounds after 60 that do not count',
    ],
  };
}
