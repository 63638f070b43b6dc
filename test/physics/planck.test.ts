import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planck } from '../../bench/planck-world.ts';
import { cos, sin } from '../../engine/core/dmath.ts';

test('planck in tests uses our trigonometry, and leaves Math unchanged', () => {
  const body = new planck.World().createBody();
  let differing = 0;
  for (let i = 1; i <= 20_000; i++) {
    const angle = i * 0.37;
    body.setTransform({ x: 0, y: 0 }, angle);
    const { s, c } = body.getTransform().q;
    if (s !== sin(angle) || c !== cos(angle)) differing++;
  }
  expect(differing).toBe(0);
  for (const own of [Math.sin, Math.cos, Math.atan2]) expect(own.toString()).toContain('[native code]');
});

describe('the engine', () => {
  const engine = new URL('../../dist/engine/index.js', import.meta.url);
  const sample = new URL('../../scenarios/games/outbreak.json', import.meta.url);
  /** The state hash after some ticks of a new process. `first` is code that runs there before the engine is loaded. */
  const run = (first: string): string => {
    const script = `
      ${first}
      const { readFileSync } = await import('node:fs');
      const { loadDefinition, Simulation } = await import('${engine}');
      const { game } = loadDefinition(JSON.parse(readFileSync(new URL('${sample}'), 'utf8')));
      const sim = new Simulation(game);
      for (let i = 0; i < 100; i++) sim.step();
      process.stdout.write(sim.hash());`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout;
  };

  test.skipIf(!existsSync(engine))('uses its own trigonometry even if planck was loaded before', () => {
    const hash = run('');
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    // A box has angle 0, which every JavaScript engine computes exactly.
    const other = 'Object.assign(Math, { sin: (a) => a && 0.5, cos: (a) => a ? 0.5 : 1, atan2: () => 0.5 });';
    expect(run(`${other} await import('planck');`)).toBe(hash);
  });
});
