import { describe, expect, test } from 'vitest';
import { hideEntity, showEntity } from '../../../engine/rules/entities/visibility.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import { attribute, type Play, play, unitType } from '../../support/play.ts';
import { noting, trailOf, trailVariable } from '../../support/trail.ts';

type Json = Record<string, unknown>;

function scene(controls: Json, more: Json = {}, data: Json = {}): { s: Play; ann: ReturnType<Play['sim']['join']> } {
  const s = play({
    ...data,
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

  test('runs it when pressed and when released', () => {
    const { s, ann } = scene(bound());
    ann.press('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('down');
    s.ticks(3);
    ann.release('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('down up');
  });

  test('pays its cost, and does nothing if it cannot be paid', () => {
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

  test('prefers the script of the unit type to the global one', () => {
    const { s, ann } = scene(bound(), { scripts: { down: noting('own') } });
    ann.press('e');
    s.ticks(1);
    expect(trailOf(s)).toBe('own');
  });

  test('reports a fault if the script does not exist', () => {
    const { s, ann } = scene({ abilities: { e: { keyDown: { scriptName: 'nothing' } } } });
    ann.press('e');
    s.ticks(1);
    expect(s.faults()).toEqual([
      { code: 'no-such-script', at: 'unitTypes/unit/controls/abilities/e/keyDown', count: 1 },
    ]);
  });

  test('pressed twice within one tick, runs its script once', () => {
    const same = { scriptName: 'down', cost: {} };
    const { s, ann } = scene({ abilities: { e: { keyDown: same }, q: { keyDown: { scriptName: 'up' } } } });
    ann.press('e');
    ann.release('e');
    ann.press('e');
    ann.press('q');
    s.ticks(1);
    expect(trailOf(s)).toBe('down up');
  });

  test('takes effect when a hidden unit is shown', () => {
    const { s, ann } = scene(bound());
    hideEntity(s.game, s.entity('u1'));
    ann.press('e');
    s.ticks(3);
    expect(trailOf(s)).toBe('');
    showEntity(s.game, s.entity('u1'));
    s.ticks(1);
    expect(trailOf(s)).toBe('down');
  });
});

describe('a key that is bound to an ability of the definition', () => {
  const abilities = {
    pray: { name: 'pray', scriptName: 'down', cost: { playerAttributes: { gold: 2 }, cast: {} } },
    sing: 'up',
    mute: { name: 'mute', scriptName: '', cost: {} },
    lost: { name: 'lost', scriptName: 'nobody', cost: {} },
  };
  const controls = {
    abilities: {
      e: { keyDown: 'pray', keyUp: 'sing' },
      q: { keyDown: 'mute' },
      r: { keyDown: 'lost' },
      t: { keyDown: 'unknown' },
    },
  };
  const playerTypes = {
    human: { name: 'human', attributes: { gold: attribute(3) }, variables: {}, relationships: {} },
  };
  const singer = () => {
    const made = scene(controls, {}, { abilities, playerTypes });
    assignPlayerType(made.s.game, made.ann.entity, 'human');
    const tap = (key: string) => {
      made.ann.press(key);
      made.ann.release(key);
      made.s.ticks(1);
    };
    return { ...made, tap };
  };

  test('runs its script if the player can pay its cost', () => {
    const { s, ann, tap } = singer();
    tap('e');
    expect(trailOf(s)).toBe('down up');
    expect(s.attribute(s.id(ann.entity)!, 'gold')).toBe(1);
    tap('e');
    expect(trailOf(s)).toBe('down up up');
  });

  test('reports a fault with its location if the ability, or its script, does not exist', () => {
    const { s, tap } = singer();
    for (const key of ['q', 'r', 't', 't']) tap(key);
    expect(trailOf(s)).toBe('');
    expect(s.faults()).toEqual([
      { code: 'no-such-reference', at: 'unitTypes/unit/controls/abilities/q/keyDown', count: 1 },
      { code: 'no-such-script', at: 'abilities/lost/scriptName', count: 1 },
      { code: 'no-such-reference', at: 'unitTypes/unit/controls/abilities/t/keyDown', count: 2 },
    ]);
  });

  test('works in the legacy map of bindings, with its own locations in faults', () => {
    const more = { abilities: { e: { keyDown: 'pray', keyUp: '' }, r: { keyDown: { scriptName: 'nobody' } } } };
    const { s, ann } = scene({}, more, { abilities: { pray: 'down' } });
    ann.press('e');
    ann.press('r');
    s.ticks(1);
    expect(trailOf(s)).toBe('down');
    expect(s.faults()).toEqual([{ code: 'no-such-script', at: 'unitTypes/unit/abilities/r/keyDown', count: 1 }]);
  });
});

describe('an ability of the unit', () => {
  const dash = (more: Json = {}): Json => ({
    name: 'dash',
    cost: {},
    eventScripts: { startCasting: 'down', stopCasting: 'up' },
    ...more,
  });
  const keys = {
    e: { keyDown: { event: 'startCasting', abilityId: 'dash' }, keyUp: { event: 'stopCasting', abilityId: 'dash' } },
  };
  const caster = (more: Json = {}) => {
    const made = scene({ abilities: keys, unitAbilities: { dash: dash(more) } });
    /** For each word, the tick (counted from now) in which it was recorded. */
    const heard = (ticks: number): string[] => {
      const words: string[] = [];
      let known = trailOf(made.s);
      for (let tick = 1; tick <= ticks; tick++) {
        made.s.ticks(1);
        const now = trailOf(made.s);
        if (now !== known) words.push(`${tick} ${now.slice(known.length).trim()}`);
        known = now;
      }
      return words;
    };
    return { ...made, heard };
  };

  test('starts and stops with its key, and does not start again while it is active', () => {
    const { s, ann, heard } = caster();
    ann.press('e');
    expect(heard(3)).toEqual(['1 down']);
    s.sim.input({ kind: 'keyDown', player: ann.clientId, key: 'e' });
    expect(heard(2)).toEqual([]);
    ann.release('e');
    expect(heard(3)).toEqual(['1 up']);
    ann.press('e');
    expect(heard(1)).toEqual(['1 down']);
  });

  test('that has ended by its duration does not stop again when its key is released', () => {
    const { ann, heard } = caster({ castDuration: 100 });
    ann.press('e');
    // 0.1 s are two ticks; its end is detected in the third, and takes effect in the one after.
    expect(heard(8)).toEqual(['1 down', '4 up']);
    ann.release('e');
    expect(heard(3)).toEqual([]);
  });

  test('has a cooldown that counts from its start', () => {
    const { ann, heard } = caster({ cooldown: 250 });
    const tap = () => {
      ann.press('e');
      ann.release('e');
    };
    tap();
    expect(heard(1)).toEqual(['1 down up']);
    tap();
    expect(heard(3)).toEqual([]);
    // 0.25 s are five ticks: the sixth tick after its start is the first in which it may start again.
    tap();
    expect(heard(1)).toEqual([]);
    tap();
    expect(heard(1)).toEqual(['1 down up']);
  });

  test('is paid for when it starts, and does not start if it cannot be paid', () => {
    const { s, ann, heard } = caster({ cost: { unitAttributes: { mana: 3 } } });
    ann.press('e');
    expect(heard(1)).toEqual(['1 down']);
    expect(s.attribute('u1', 'mana')).toBe(2);
    ann.release('e');
    expect(heard(1)).toEqual(['1 up']);
    ann.press('e');
    expect(heard(2)).toEqual([]);
    expect(s.attribute('u1', 'mana')).toBe(2);
    // An ability that has not started cannot be stopped.
    ann.release('e');
    expect(heard(2)).toEqual([]);
  });

  test('reports a fault with its location if it, or its script, does not exist', () => {
    const { s, ann } = caster({ eventScripts: { startCasting: 'nobody', stopCasting: 'nobody' } });
    ann.press('e');
    s.ticks(1);
    ann.release('e');
    s.ticks(1);
    const place = 'unitTypes/unit/controls/unitAbilities/dash/eventScripts';
    expect(s.faults()).toEqual([
      { code: 'no-such-script', at: `${place}/startCasting`, count: 1 },
      { code: 'no-such-script', at: `${place}/stopCasting`, count: 1 },
    ]);
    const lost = scene({ abilities: keys });
    lost.ann.press('e');
    lost.s.ticks(1);
    expect(lost.s.faults()).toEqual([
      { code: 'no-such-reference', at: 'unitTypes/unit/controls/abilities/e/keyDown', count: 1 },
    ]);
  });
});

test('an effect whose script does not exist is a fault with its location', () => {
  const { s } = scene({}, { effects: { create: { runScript: 'nobody' } } });
  expect(s.faults()).toEqual([{ code: 'no-such-script', at: 'unitTypes/unit/effects/create/runScript', count: 1 }]);
});
