import { describe, expect, test } from 'vitest';
import { complaints, read } from './support.ts';

const scripts = { s: { name: 'S', triggers: [], actions: [] } };

function binding(keyDown: unknown, keyUp?: unknown) {
  const data = {
    scripts,
    unitTypes: { u: { controls: { unitAbilities: { heal: {} }, abilities: { q: { keyDown, keyUp } } } } },
  };
  return read(data).definition.unitTypes.get('u')?.controls?.abilities.get('q');
}

describe('a key binding', () => {
  test.each<[string, unknown, object | undefined]>([
    ['a script', { scriptName: 's', cost: {} }, { kind: 'script', scriptName: 's', isEntityScript: false }],
    ['a script without a cost', { scriptName: 's' }, { kind: 'script', scriptName: 's' }],
    [
      'a script of the entity',
      { scriptName: 's', isEntityScript: true, cost: {} },
      { kind: 'script', isEntityScript: true },
    ],
    ['an ability by its key', 'heal', { kind: 'ability', abilityKey: 'heal' }],
    [
      'the start of a cast',
      { event: 'startCasting', abilityId: 'heal', cost: {} },
      { kind: 'cast', event: 'startCasting', abilityId: 'heal' },
    ],
    [
      'a cast that also names a script',
      { event: 'startCasting', abilityId: 'heal', scriptName: 's' },
      { kind: 'cast', abilityId: 'heal' },
    ],
    ['a cast with no event', { abilityId: 'heal' }, { kind: 'cast', event: 'startCasting' }],
    ['no script', { scriptName: '', cost: {} }, undefined],
    ['an empty object', {}, undefined],
    ['an empty string', '', undefined],
    ['null', null, undefined],
  ])('%s', (_name, given, normal) => {
    const { keyDown } = binding(given) ?? {};
    if (normal === undefined) expect(keyDown).toBeUndefined();
    else expect(keyDown).toMatchObject(normal);
  });

  test('releasing the key without an event ends the cast', () => {
    expect(binding('', { abilityId: 'heal' })?.keyUp).toEqual({
      kind: 'cast',
      event: 'stopCasting',
      abilityId: 'heal',
    });
  });

  test('a cost may be written as text, and has defaults', () => {
    const costly = binding({ scriptName: 's', cost: { unitAttributes: { mana: '20' }, cast: {} } })?.keyDown;
    expect(costly?.kind === 'script' && [...costly.cost.unitAttributes]).toEqual([['mana', 20]]);
    const cheap = binding({ scriptName: 's' })?.keyDown;
    expect(cheap?.kind === 'script' && cheap.cost.unitAttributes.size).toBe(0);
  });

  test('a wheel has a position on touch screens and no binding', () => {
    const data = {
      unitTypes: { u: { controls: { abilities: { lookWheel: { mobilePosition: { x: 407, y: '204' } } } } } },
    };
    const wheel = read(data).definition.unitTypes.get('u')?.controls?.abilities.get('lookWheel');
    expect(wheel).toMatchObject({ mobilePosition: { x: 407, y: 204 }, keyDown: undefined, keyUp: undefined });
    expect(complaints(data)).toEqual([]);
  });

  test('the legacy map of bindings is kept apart', () => {
    const abilities = { w: { keyDown: 'moveUp', keyUp: '' }, x: 'use' };
    const unit = read({ unitTypes: { u: { abilities } } }).definition.unitTypes.get('u');
    expect(unit?.controls).toBeUndefined();
    expect(unit?.legacyAbilities.get('w')).toMatchObject({
      keyDown: { kind: 'ability', abilityKey: 'moveUp' },
      keyUp: undefined,
    });
    expect(unit?.legacyAbilities.get('x')).toMatchObject({ key: 'x', keyDown: { kind: 'ability', abilityKey: 'use' } });
  });

  test('a binding of another type is reported', () => {
    const data = { unitTypes: { u: { controls: { abilities: { q: { keyDown: 5 }, w: 7 } } } } };
    expect(complaints(data)).toEqual([
      'wrong-type /data/unitTypes/u/controls/abilities/q/keyDown',
      'wrong-type /data/unitTypes/u/controls/abilities/w',
    ]);
  });
});

describe('an ability', () => {
  function ability(given: unknown) {
    return read({ scripts, abilities: { a: given } }).definition.abilities.get('a');
  }

  test('in full', () => {
    const given = {
      name: 'Use',
      scriptName: 's',
      cost: { cast: {}, playerAttributes: { gold: 1 } },
      type: 'startUsingItem',
      entity: { function: 'getItemCurrentlyHeldByUnit' },
      eventScripts: { startCasting: 's', stopCasting: '' },
      castDuration: '',
      cooldown: '250',
      iconUrl: '',
      visibility: 'mobile',
      streamMode: 1,
    };
    const normal = ability(given);
    expect(normal).toMatchObject({
      key: 'a',
      pointer: '/data/abilities/a',
      name: 'Use',
      scriptName: 's',
      type: 'startUsingItem',
      entity: { function: 'getItemCurrentlyHeldByUnit' },
      eventScripts: { startCasting: 's', stopCasting: undefined },
      castDuration: undefined,
      cooldown: 250,
    });
    expect([...(normal?.cost.playerAttributes ?? [])]).toEqual([['gold', 1]]);
  });

  test('only the name of a script', () => {
    expect(ability('s')).toMatchObject({ key: 'a', pointer: '/data/abilities/a', scriptName: 's', eventScripts: {} });
    expect(Object.keys(ability('s') ?? {}).sort()).toEqual(Object.keys(ability({}) ?? {}).sort());
  });
});
