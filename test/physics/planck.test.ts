import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cos, sin } from '../../engine/core/dmath.ts';
import { Vec2, World } from '../../engine/physics/planck/planck.ts';

describe('the trigonometry of planck', () => {
  const { sin: nativeSin, cos: nativeCos } = Math;

  test('is the deterministic one', () => {
    const body = new World().createBody();
    let differing = 0;
    for (let i = 1; i <= 20_000; i++) {
      const angle = i * 0.37;
      body.setTransform(new Vec2(0, 0), angle);
      const { s, c } = body.getTransform().q;
      if (s !== sin(angle) || c !== cos(angle)) differing++;
    }
    expect(differing).toBe(0);
  });

  test('leaves Math as the engine made it', () => {
    expect(Math.sin).toBe(nativeSin);
    expect(Math.sin).not.toBe(sin);
    expect(Math.cos).toBe(nativeCos);
    expect(Math.sin.toString()).toContain('[native code]');
    expect(Math.cos.toString()).toContain('[native code]');
    expect(Math.atan2.toString()).toContain('[native code]');
  });

  const engine = new URL('../../dist/engine/index.js', import.meta.url);
  const sample = new URL('../../scenarios/games/outbreak.json', import.meta.url);
  const run = (first: string) => {
    const script = `
      ${first}
      const { readFileSync } = await import('node:fs');
      const { loadDefinition, Simulation } = await import('${engine}');
      const { game } = loadDefinition(JSON.parse(readFileSync(new URL('${sample}'), 'utf8')));
      new Simulation(game).step();`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  };

  test.skipIf(!existsSync(engine))('is demanded: a process that loaded planck before is refused', () => {
    expect(run('').status).toBe(0);
    const { status, stderr } = run(`await import('planck');`);
    expect(status).not.toBe(0);
    expect(stderr).toContain('Import Reenact before planck.');
  });
});
