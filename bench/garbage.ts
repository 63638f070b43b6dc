import { arena, type Ball, grid, velocity } from './ball-game.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * What a tick leaves on the heap where no script runs, beside what planck leaves for the same bodies. Measured over thousands of ticks, in short
 * stretches: one in which the heap shrank had a collection in it and says nothing.
 */

const ticks = 10_000;
const stretch = 50;

function bytesPerCall(call: () => void): number {
  for (let i = 0; i < 500; i++) call();
  const bytes: number[] = [];
  for (let i = 0; i < ticks / stretch; i++) {
    const before = process.memoryUsage().heapUsed;
    for (let j = 0; j < stretch; j++) call();
    const left = process.memoryUsage().heapUsed - before;
    if (left >= 0) bytes.push(left / stretch);
  }
  return spread(bytes).median;
}

export function garbage(): Report {
  const place = (count: number) => grid(count, 128, 96 * 64);
  const scenes: Record<string, readonly Ball[]> = {
    nobody: [],
    '100 asleep': place(100).map(({ x, y }) => ({ type: 'sleeper', x, y, vx: 0, vy: 0 })),
    '100 moving': place(100).map(({ x, y }, i) => ({ type: 'ghost', x, y, ...velocity(i + 1) })),
  };
  const rows = Object.entries(scenes).map(([name, balls]) => {
    const { tick, floorStep } = arena(balls, 100);
    const ours = bytesPerCall(tick);
    const floor = bytesPerCall(floorStep);
    return [name, rounded(ours, 0), rounded(floor, 0), rounded(ours - floor, 0)];
  });
  return { head: ['units', 'tick bytes', 'planck bytes', 'ours'], rows };
}
