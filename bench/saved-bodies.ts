import { arena, type Ball, grid, velocity } from './ball-game.ts';
import { compare } from './measure.ts';
import { type Report, rounded } from './report.ts';

/** The cost to hash, save and restore moving bodies, beside a tick of the same world. */
export function savedBodies(counts: readonly number[] = [300, 1000]): Report {
  const samples: Record<string, readonly number[]> = {};
  const rows = counts.map((count) => {
    const place = grid(count, 128, 96 * 64);
    const { sim, tick } = arena(
      place.map(({ x, y }, i): Ball => ({ type: 'bouncer', x, y, ...velocity(i) })),
      100,
    );
    const callsPerRound = Math.max(4, Math.round(6000 / count));
    const hash = compare(() => sim.hash(), tick, { rounds: 21, callsPerRound });
    let bytes = 0;
    const snapshot = compare(() => (bytes = sim.snapshot().length), tick, { rounds: 21, callsPerRound: 4 });
    const fork = compare(() => sim.fork(), tick, { rounds: 21, callsPerRound: 2 });
    const rewind = compare(() => sim.rewind(sim.snapshot()), tick, { rounds: 21, callsPerRound: 2 });
    samples[`${count} bodies: snapshot and rewind by tick`] = rewind.ratios;
    samples[`${count} bodies: hash by tick`] = hash.ratios;
    samples[`${count} bodies: snapshot by tick`] = snapshot.ratios;
    samples[`${count} bodies: snapshot and restore by tick`] = fork.ratios;
    return [
      count,
      rounded(hash.b.median),
      rounded(hash.a.median),
      rounded((100 * hash.a.median) / (hash.a.median + hash.b.median), 1),
      rounded(snapshot.a.median, 2),
      rounded(fork.a.median, 2),
      rounded(rewind.a.median, 2),
      Math.round(bytes / count),
    ];
  });
  return {
    head: [
      ...['bodies', 'tick ms', 'hash ms', 'hash of both %', 'snapshot ms'],
      ...['snapshot + restore ms', 'snapshot + rewind ms', 'bytes a body'],
    ],
    rows,
    samples,
    notes: [
      'whole simulations: units with their components, walls, players; medians of 21 rounds',
      'a restore makes a new simulation, a rewind takes the snapshot in the same one',
    ],
  };
}
