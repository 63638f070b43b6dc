import { type HeapProfiler, Session } from 'node:inspector';
import { arena } from './arena.ts';
import { type Ball, grid, velocity } from './ball-game.ts';
import { type Report, rounded } from './report.ts';

/**
 * The garbage of a tick without scripts, by whose code allocated it: planck's or ours. The heap profiler samples
 * allocations by size and keeps those that have been collected since, so neither collections nor the machine matter.
 */

const settleTicks = 5000;
const ticks = 20_000;
const bytesBetweenSamples = 256;

interface Allocated {
  readonly planck: number;
  readonly ours: number;
  /** Our function that allocates most. */
  readonly most: string;
}

function allocated(call: () => void): Allocated {
  for (let i = 0; i < settleTicks; i++) call();
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.startSampling', {
    samplingInterval: bytesBetweenSamples,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as HeapProfiler.StartSamplingParameterType);
  for (let i = 0; i < ticks; i++) call();
  let planck = 0;
  let ours = 0;
  const byFunction = new Map<string, number>();
  const add = ({
    callFrame: { url, functionName },
    selfSize,
    children,
  }: HeapProfiler.SamplingHeapProfileNode): void => {
    if (url.includes('planck.mjs')) planck += selfSize;
    else if (url.includes('/dist/engine/')) {
      ours += selfSize;
      byFunction.set(functionName, (byFunction.get(functionName) ?? 0) + selfSize);
    }
    for (const child of children) add(child);
  };
  // A session in the same thread answers before `post` returns.
  session.post('HeapProfiler.stopSampling', (_error, { profile }) => add(profile.head));
  session.disconnect();
  const [most] = [...byFunction].sort(([, a], [, b]) => b - a);
  return { planck: planck / ticks, ours: ours / ticks, most: most?.[0] ?? 'none' };
}

export function garbage(): Report {
  const place = (count: number) => grid(count, 128, 96 * 64);
  const scenes: Record<string, readonly Ball[]> = {
    nobody: [],
    '100 asleep': place(100).map(({ x, y }) => ({ type: 'sleeper', x, y, vx: 0, vy: 0 })),
    '100 moving': place(100).map(({ x, y }, i) => ({ type: 'ghost', x, y, ...velocity(i + 1) })),
    '1000 moving': place(1000).map(({ x, y }, i) => ({ type: 'bouncer', x, y, ...velocity(i) })),
  };
  const rows = Object.entries(scenes).map(([name, balls]) => {
    const { planck, ours, most } = allocated(arena(balls, 100).tick);
    return [name, rounded(planck, 0), rounded(ours, 0), most];
  });
  return { head: ['units', 'planck bytes', 'our bytes', 'most of ours'], rows };
}
