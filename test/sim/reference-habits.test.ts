import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../engine/tools.ts';
import { append, createUnitAt, when } from '../support/actions.ts';
import { lazily } from '../support/lazily.ts';
import { attribute, body, joinAs, play, script, unitType } from '../support/play.ts';

/** Behaviour of the reference engine that is only visible in recordings. */

const triggeringPlayer = { function: 'getTriggeringPlayer' };
const self = { function: 'thisEntity' };
const note = (text: string) => append('log', text);
const log = { log: { dataType: 'string', default: '' } };

describe('an entity that is created without a body', () => {
  test('is moved back to its position once it has one: the first step of its body is undone', () => {
    const { sim, entity, ticks } = play({
      settings: { gravity: { x: 0, y: 10 } },
      unitTypes: { stone: unitType() },
      scripts: { join: joinAs('stone', 640, 640) },
    });
    sim.input({ kind: 'join', clientId: 'p1' });
    const { physics } = internalsOf(sim).game;
    // The body falls 0.75 px in its first step, is moved back, and then continues to fall with its velocity.
    const fallen = [0.75, 1.5, 3.75];
    for (const expected of fallen) {
      ticks(1);
      expect(physics.bodyY(entity('u1')) - 640).toBeCloseTo(expected, 6);
    }
    expect(physics.velocityY(entity('u1'))).toBeCloseTo(1.5, 6);
  });

  test('is not moved back if only its body is rebuilt', () => {
    const { sim, entity, ticks } = play({
      settings: { gravity: { x: 0, y: 10 } },
      unitTypes: {
        stone: unitType({
          states: { default: { name: 'default', body: 'default' }, other: { name: 'other', body: 'other' } },
          bodies: { default: body(), other: body() },
        }),
      },
      scripts: {
        join: joinAs('stone', 640, 640),
        other: script('playerCustomInput', [
          { type: 'setEntityState', entity: { function: 'getLastCreatedUnit' }, state: 'other' },
        ]),
      },
    });
    sim.input({ kind: 'join', clientId: 'p1' });
    ticks(3);
    sim.input({ kind: 'customInput', player: 'p1', text: '' });
    ticks(1);
    const { physics } = internalsOf(sim).game;
    const first = physics.bodyY(entity('u1'));
    expect(physics.velocityY(entity('u1'))).toBeCloseTo(0.5, 6);
    ticks(1);
    expect(physics.bodyY(entity('u1')) - first).toBeCloseTo(1.5, 6);
  });
});

describe('an entity destroyed by a contact', () => {
  const shared = lazily(() => {
    const pillar = unitType({ bodies: { default: body({ type: 'static' }) } });
    const played = play({
      variables: log,
      unitTypes: {
        pillar,
        runner: unitType({
          scripts: { hit: script('entityTouchesUnit', [note('x'), { type: 'destroyEntity', entity: self }]) },
        }),
      },
      scripts: {
        join: script('playerJoinsGame', [
          ...[
            ['pillar', 700, 619],
            ['pillar', 700, 661],
            ['runner', 640, 640],
          ].map(([type, x, y]) => createUnitAt(type, triggeringPlayer, { x, y })),
          {
            type: 'setVelocityOfEntityXY',
            entity: { function: 'getLastCreatedUnit' },
            velocity: { x: 9, y: 0 },
          },
        ]),
      },
    });
    played.sim.input({ kind: 'join', clientId: 'p1' });
    played.seconds(1);
    return played;
  });

  test('still has the other contacts of that step', () => {
    const { variable, of } = shared();
    expect(of('unitTouchesUnit')).toHaveLength(4);
    expect(variable('log')).toBe('xx');
  });

  test('is destroyed once', () => {
    const { of } = shared();
    expect(of('initEntityDestroy')).toHaveLength(1);
  });
});

test('an entity destroyed in a region leaves it, which fires triggers of its own scripts', () => {
  const { sim, of, ticks, variable } = play({
    variables: { ...log, here: { dataType: 'region', default: { x: 600, y: 600, width: 80, height: 80 } } },
    unitTypes: { ghost: unitType({ scripts: { left: script('entityLeavesRegion', [note('left')]) } }) },
    scripts: {
      join: joinAs('ghost', 640, 640),
      end: script('playerCustomInput', [{ type: 'destroyEntity', entity: { function: 'getLastCreatedUnit' } }]),
    },
  });
  sim.input({ kind: 'join', clientId: 'p1' });
  ticks(2);
  sim.input({ kind: 'customInput', player: 'p1', text: '' });
  ticks(1);
  expect(of('entityLeavesRegion')).toHaveLength(1);
  expect(of('unitLeavesRegion')).toHaveLength(1);
  expect(variable('log')).toBe('left');
});

describe('the end of an ability', () => {
  const cases: [castDurationMs: number, logs: string[]][] = [
    [0, ['s', 'se', 'se', 'se']],
    [100, ['s', 's', 's', 'se']],
  ];
  test.each(cases)('after %d ms is a cast of the next tick', (castDuration, logs) => {
    const { sim, ticks, variable } = play({
      variables: log,
      unitTypes: {
        mage: unitType({
          controls: {
            abilities: { e: { keyDown: { event: 'startCasting', abilityId: 'heal' } } },
            unitAbilities: {
              heal: {
                castDuration,
                cooldown: 0,
                cost: {},
                eventScripts: { startCasting: 'start', stopCasting: 'end' },
              },
            },
          },
          scripts: { start: script([], [note('s')]), end: script([], [note('e')]) },
        }),
      },
      scripts: { join: joinAs('mage') },
    });
    sim.input({ kind: 'join', clientId: 'p1' });
    ticks(1);
    sim.input({ kind: 'keyDown', player: 'p1', key: 'e' });
    for (const expected of logs) {
      ticks(1);
      expect(variable('log')).toBe(expected);
    }
  });
});

test('a player who joins again continues to play, and no trigger fires', () => {
  const { sim, of, ticks } = play({ unitTypes: { u: unitType() }, scripts: { join: joinAs('u') } });
  for (let times = 0; times < 2; times++) {
    sim.input({ kind: 'join', clientId: 'p1' });
    ticks(1);
  }
  expect(of('playerJoinsGame')).toHaveLength(1);
  expect(sim.entities('unit')).toHaveLength(1);
  sim.input({ kind: 'leave', player: 'p1' });
  sim.input({ kind: 'join', clientId: 'p1' });
  ticks(1);
  expect(of('playerJoinsGame')).toHaveLength(2);
});

test('observers see a queued trigger reach an entity that listens to such', () => {
  const { sim, of, seconds } = play({
    unitTypes: { clock: unitType({ scripts: { tick: script('secondTick', []) } }), stone: unitType() },
    scripts: { join: joinAs('clock'), more: joinAs('stone') },
  });
  sim.input({ kind: 'join', clientId: 'p1' });
  seconds(1);
  expect(of('secondTick').map(({ scope, entity }) => [scope, entity])).toEqual([
    ['entity', 'u1'],
    ['global', undefined],
  ]);
});

describe('an entity that is compared with a string is converted to its id', () => {
  const cases: [operator: string, expected: string][] = [
    ['<', 'no'],
    ['>', 'yes'],
    ['<=', 'no'],
    ['>=', 'yes'],
    ['==', 'no'],
    ['!=', 'yes'],
  ];
  test.each(cases)('%s', (operator, expected) => {
    const { sim, variable, ticks } = play(
      {
        variables: log,
        unitTypes: { u: unitType({ attributes: { health: attribute(1) } }) },
        scripts: {
          join: joinAs('u'),
          compare: script('playerCustomInput', [
            when(
              [{ operator, operandType: 'string' }, { function: 'getLastCreatedUnit' }, '10'],
              [note('yes')],
              [note('no')],
            ),
          ]),
        },
      },
      { dialect: 'moddio' },
    );
    sim.input({ kind: 'join', clientId: 'p1' });
    sim.input({ kind: 'customInput', player: 'p1', text: '' });
    ticks(1);
    expect(variable('log')).toBe(expected);
  });
});
