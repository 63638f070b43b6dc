import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { readGlobal, readVariable, writeGlobal, writeVariable } from '../../../engine/rules/entities/variable.ts';
import { setVariable, when } from '../../support/actions.ts';
import { lazily } from '../../support/lazily.ts';
import { play, script, unitType } from '../../support/play.ts';

const place = { x: 1, y: 2 };

test('a numeric default written as text is a number, for variables of the game, units and players', () => {
  const own = { n: { dataType: 'number', default: '5' } };
  const s = play({
    variables: own,
    unitTypes: { unit: unitType({ variables: own }) },
    playerTypes: { human: { name: 'human', attributes: {}, variables: own } },
  });
  expect(readGlobal(s.world, 'n')).toBe(5);
  expect(readVariable(s.world, s.unit(), 'n')).toBe(5);
  expect(readVariable(s.world, s.player(1), 'n')).toBe(5);
});

describe('a variable of a unit accepts values of its type', () => {
  const shared = lazily(() => {
    const s = play({
      unitTypes: {
        unit: unitType({
          variables: Object.fromEntries(
            ['number', 'string', 'boolean', 'position', 'unit', 'player', 'object', 'particleEmitter'].map(
              (dataType) => [dataType, { dataType }],
            ),
          ),
        }),
      },
    });
    const unit = s.unit();
    return { s, unit, ref: s.world.ref(unit), player: s.world.ref(s.player(1)) };
  });
  type Shared = ReturnType<typeof shared>;
  const aUnit = ({ ref }: Shared) => ref;
  const aPlayer = ({ player }: Shared) => player;
  test.each<[key: string, value: unknown, result: string]>([
    ['number', 5, 'stored'],
    ['number', '5', 'type-mismatch'],
    ['string', 'x', 'stored'],
    ['string', 5, 'type-mismatch'],
    ['boolean', false, 'stored'],
    ['boolean', 0, 'type-mismatch'],
    ['position', place, 'stored'],
    ['position', { x: 1 }, 'type-mismatch'],
    ['unit', aUnit, 'stored'],
    ['unit', aPlayer, 'type-mismatch'],
    ['player', aPlayer, 'stored'],
    ['object', { any: 1 }, 'stored'],
    ['particleEmitter', 'smoke', 'stored'],
    ['particleEmitter', 5, 'type-mismatch'],
    ['nobody', 1, 'no-such-variable'],
  ])('type %s, value %j: %s', (key, given, result) => {
    const { s, unit } = shared();
    const value = typeof given === 'function' ? given(shared()) : given;
    writeVariable(s.world, unit, key, undefined);
    expect(writeVariable(s.world, unit, key, value)).toBe(result);
    expect(readVariable(s.world, unit, key)).toEqual(result === 'stored' ? value : undefined);
  });
});

test('a region variable of a unit can be cleared repeatedly', () => {
  const s = play({
    variables: { camp: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } } },
    unitTypes: { unit: unitType({ variables: { home: { dataType: 'region' } } }) },
  });
  const unit = s.unit();
  const camp = readGlobal(s.world, 'camp');
  expect(writeVariable(s.world, unit, 'home', camp)).toBe('stored');
  expect(readVariable(s.world, unit, 'home')).toBe(camp);
  for (let i = 0; i < 2; i++) {
    expect(writeVariable(s.world, unit, 'home', undefined)).toBe('stored');
    expect(readVariable(s.world, unit, 'home')).toBeUndefined();
  }
});

test('a variable of a unit does not return a destroyed unit', () => {
  const s = play({ unitTypes: { unit: unitType({ variables: { friend: { dataType: 'unit' } } }) } });
  const [unit, friend] = [s.unit(), s.unit()];
  writeVariable(s.world, unit, 'friend', s.world.ref(friend));
  destroyEntity(s.game, friend);
  expect(readVariable(s.world, unit, 'friend')).toBeUndefined();
});

test('reading a default consumes it, and copies an object', () => {
  const s = play({
    variables: { spot: { dataType: 'position', default: place }, n: { dataType: 'number', default: 3 } },
  });
  const spot = readGlobal(s.world, 'spot') as { x: number };
  spot.x = 9;
  expect(readGlobal(s.world, 'spot')).toEqual({ x: 9, y: 2 });
  expect(s.sim.definition.variables.get('spot')?.default).toEqual(place);
  writeGlobal(s.world, 'n', undefined);
  expect(readGlobal(s.world, 'n')).toBe(3);
  writeGlobal(s.world, 'n', undefined);
  expect(readGlobal(s.world, 'n')).toBeUndefined();
  expect([readGlobal(s.world, 'nobody'), writeGlobal(s.world, 'nobody', 1)]).toEqual([null, false]);
});

describe.each(['standard', 'moddio'] as const)('%s: a variable that is set to null', (dialect) => {
  const x = { function: 'getVariable', variableName: 'x' };
  const y = { function: 'getVariable', variableName: 'y' };
  const holds = (operator: string, left: unknown, right: unknown) =>
    when(
      [{ operandType: 'number', operator }, left, right],
      [{ type: 'increaseVariableByNumber', variable: 'held', number: 1 }],
    );

  test('from a variable that does not exist holds null, which conditions count as 0', () => {
    const value = { function: 'getVariable', variableName: 'nobody' };
    const game = play(
      {
        variables: {
          x: { dataType: 'number' },
          y: { dataType: 'number', default: -3.5 },
          held: { dataType: 'number', default: 0 },
        },
        scripts: {
          start: script('gameStart', [
            setVariable('held', 0),
            setVariable('x', value),
            holds('>', x, -3.5),
            holds('>', x, y),
            holds('<', y, x),
            holds('<', -3.5, x),
          ]),
        },
      },
      { dialect },
    );
    expect(game.variable('held')).toBe(4);
    expect(game.variable('x')).toBeNull();
  });
});
