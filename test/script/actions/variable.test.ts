import { describe, expect, test } from 'vitest';
import { readGlobal, writeGlobal } from '../../../engine/rules/entities/variable.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { noEntity } from '../../../engine/world/entity.ts';
import { type Play, play, script } from '../../support/play.ts';
import { variable } from '../../support/trail.ts';

const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });

function scene(actions: unknown[]): Play {
  return play({
    variables: { thing: { dataType: 'object' }, team: { dataType: 'unitGroup' }, crowd: { dataType: 'playerGroup' } },
    scripts: { go: script([], actions) },
  });
}

const go = (s: Play) => internalsOf(s.sim).runtime.runScript('go', noEntity, {});

test('a literal object of a script is copied into a variable', () => {
  const s = scene([
    set('thing', { a: 1 }),
    { type: 'addNumberElement', key: 'b', value: 2, object: variable('thing') },
  ]);
  go(s);
  const first = readGlobal(s.world, 'thing');
  expect(first).toEqual({ a: 1, b: 2 });
  (first as Record<string, unknown>)['c'] = 3;
  go(s);
  expect(readGlobal(s.world, 'thing')).toEqual({ a: 1, b: 2 });
});

describe('removing a member from a group removes every occurrence', () => {
  test.each(['Unit', 'Player'] as const)('of a %s', (kind) => {
    const lower = kind.toLowerCase();
    const name = kind === 'Unit' ? 'team' : 'crowd';
    const member =
      kind === 'Unit' ? { function: 'getEntityFromId', string: 'u1' } : { function: 'getPlayerFromId', string: 'c1' };
    const s = scene([{ type: `remove${kind}From${kind}Group`, [lower]: member, [`${lower}Group`]: variable(name) }]);
    const [one, two] = kind === 'Unit' ? [s.unit(), s.unit()] : [s.player(1), s.player(2)];
    writeGlobal(
      s.world,
      name,
      [one, one, two, one].map((each) => s.world.ref(each)),
    );
    go(s);
    expect(s.faults()).toEqual([]);
    expect(readGlobal(s.world, name)).toEqual([s.world.ref(two)]);
  });
});
