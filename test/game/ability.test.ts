import { describe, expect, test } from 'vitest';
import { type Arena, arena } from '../support/arena.ts';
import { attribute, unitType } from '../support/play.ts';
import { noting, trailOf, trailVariable } from '../support/trail.ts';

type Json = Record<string, unknown>;

function scene(controls: Json, more: Json = {}): { s: Arena; ann: ReturnType<Arena['sim']['join']> } {
  const s = arena({
    variables: trailVariable,
    unitTypes: {
      unit: unitType({
        attributes: { mana: attribute(5, { max: 9 }), speed: attribute(1) },
        controls: {
          movementControlScheme: 'wasd',
          movementMethod: 'velocity',
          mouseBehaviour: {},
          abilities: {},
          ...controls,
        },
        ...more,
      }),
    },
    scripts: { down: noting('down'), up: noting('up') },
  });
  const ann = s.sim.join();
  s.ticks(1);
  s.unit({ owner: ann.entity });
  return { s, ann };
}

describe('a key that is bound to a script', () => {
  const bound = (cost?: Json) => ({
    abilities: { e: { keyDown: { scriptName: 'down', ...(cost && { cost }) }, keyUp: { scriptName: 'up' } } },
  });

  test('runs it without a cost, down and up, in the turn of the unit', () => {
    const { s, ann } = scene(bound());
    ann.press('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('down');
    s.ticks(3);
    ann.release('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('down up');
  });

  test('pays for it, and does nothing when it cannot', () => {
    const { s, ann } = scene(bound({ unitAttributes: { mana: 3 } }));
    for (let i = 0; i < 3; i++) {
      ann.press('e');
      s.ticks(1);
      ann.release('e');
      s.ticks(1);
    }
    expect(trailOf(s)).toBe('down up up up');
    expect(s.attribute('u1', 'mana')).toBe(2);
  });

  test("the unit's own script comes before that of the world", () => {
    const { s, ann } = scene(bound(), { scripts: { down: noting('own') } });
    ann.press('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('own');
  });

  test('a script that does not exist is a fault', () => {
    const { s, ann } = scene({ abilities: { e: { keyDown: { scriptName: 'nothing' } } } });
    ann.press('e');
    s.ticks(1);
    expect(s.faults().map(({ code }) => code)).toEqual(['no-such-script']);
  });
});
