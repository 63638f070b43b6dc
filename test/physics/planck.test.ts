import { describe, expect, test } from 'vitest';
import { cos, sin } from '../../engine/core/dmath.ts';
import { Vec2, World } from '../../engine/physics/planck.ts';

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
});
