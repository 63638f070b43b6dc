import { expect } from 'vitest';
import type { DialectName } from '../../engine/index.ts';
import { writeGlobal } from '../../engine/rules/entities/variable.ts';
import { internalsOf } from '../../engine/tools.ts';
import { noEntity } from '../../engine/world/entity.ts';
import type { Limits } from '../../engine/world/limits.ts';
import { itemType, type Play, play, projectileType, script, unitType } from '../support/play.ts';
import { trailOf, trailVariable } from '../support/trail.ts';

export type Json = Record<string, unknown>;

export const later = (duration: unknown, ...actions: unknown[]): Json => ({ type: 'setTimeOut', duration, actions });
export const increase = (name: string): Json => ({ type: 'increaseVariableByNumber', variable: name, number: 1 });
export const compare = (operator: string, left: unknown, right: unknown) => [
  { operator, operandType: 'number' },
  left,
  right,
];
export const when = (conditions: unknown, then: unknown[], otherwise: unknown[] = []): Json => ({
  type: 'condition',
  conditions,
  then,
  else: otherwise,
});
export const call = (scriptName: string): Json => ({ type: 'runScript', scriptName });
export const repeat = (count: unknown, ...actions: unknown[]): Json => ({ type: 'repeat', count, actions });

interface Options {
  readonly limits?: Partial<Limits>;
  readonly scripts?: Json;
  readonly data?: Json;
  readonly dialect?: DialectName;
}

/** A game with the script `go`, which has not run yet. */
export function ready(
  actions: readonly unknown[],
  { limits = {}, scripts = {}, data = {}, dialect = 'standard' }: Options = {},
): Play {
  const s = play(
    {
      map: {
        width: 20,
        height: 20,
        tilewidth: 64,
        tileheight: 64,
        layers: [
          { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: new Array(400).fill(0) },
          {
            name: 'debris',
            type: 'objectgroup',
            objects: [1, 2, 3].map((id) => ({
              id,
              name: 'box',
              x: 60 * id,
              y: 900,
              width: 20,
              height: 20,
              rotation: 0,
            })),
          },
        ],
        tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }],
      },
      variables: {
        ...trailVariable,
        n: { dataType: 'number', default: 0 },
        i: { dataType: 'number', default: 0 },
        text: { dataType: 'string', default: 'abc' },
        key: { dataType: 'string', default: '' },
        thing: { dataType: 'object', default: { a: 1, b: 2, c: 3 } },
        north: { dataType: 'region', default: { x: 10, y: 10, width: 20, height: 20 } },
        south: { dataType: 'region', default: { x: 10, y: 1100, width: 20, height: 20 } },
        west: { dataType: 'region', default: { x: 10, y: 600, width: 20, height: 20 } },
      },
      unitTypes: { unit: unitType(), orc: unitType({ name: 'orc' }), elf: unitType({ name: 'elf' }) },
      itemTypes: { axe: itemType({ name: 'c' }), bow: itemType({ name: 'b' }), cup: itemType({ name: 'a' }) },
      projectileTypes: { ball: projectileType() },
      ...data,
      scripts: { go: script([], actions), ...scripts },
    },
    { limits, dialect },
  );
  // Adding to a variable has no effect until the variable has a value.
  writeGlobal(s.world, 'n', 0);
  return s;
}

export function go(s: Play): Play {
  internalsOf(s.sim).runtime.runScript('go', noEntity, {});
  return s;
}

/** The notes of `go`, immediately and after a minute. */
export function trail(actions: readonly unknown[], options: Options = {}): string {
  const s = go(ready(actions, options));
  s.seconds(60);
  expect(s.faults()).toEqual([]);
  return trailOf(s);
}
