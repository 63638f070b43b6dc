import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../../engine/definition/dialect.ts';
import { vocabulary } from '../../../engine/tools.ts';
import { actionTables } from '../actions/cases/index.ts';
import type { ActionCase, ActionCases } from '../actions/harness.ts';
import { published } from '../actions/published.ts';
import { unnoticed } from './exceptions.ts';
import { faultsOf } from './judge.ts';
import { plantsOf } from './planted.ts';
import { type Trial, trialOf } from './trial.ts';

/**
 * Proves the effects that actions declare. Each action runs in its own cases, in both dialects; what changes in the
 * world, compared with a run that has a comment in its place, must be declared, and what is declared must happen: to
 * the entity, by the value and with the lists of actions that it names.
 */

const dialects: readonly DialectName[] = ['standard', 'moddio'];

const cases = new Map<string, ActionCase[]>();
const casesOf = (type: string): ActionCase[] => cases.get(type) ?? cases.set(type, []).get(type)!;
for (const table of Object.values<ActionCases>(actionTables))
  for (const [type, rows] of Object.entries(table))
    casesOf(type).push(...rows.flatMap((row) => ('refused' in row ? [] : [row])));
const inTables = new Set([...cases].flatMap(([type, rows]) => (rows.length > 0 ? type : [])));
for (const { action } of published) {
  const { type, ...give } = action;
  if (!inTables.has(type)) casesOf(type).push({ give });
}

const trials = new Map<string, readonly Trial[]>();
function trialsOf(type: string): readonly Trial[] {
  const known =
    trials.get(type) ?? dialects.flatMap((dialect) => casesOf(type).map((row) => trialOf(type, row, dialect)));
  trials.set(type, known);
  return known;
}

describe.each([...cases.keys()].map((type) => [type] as const))('%s', (type) => {
  const { effects } = vocabulary.actions.get(type)!;

  test('does what it declares, and nothing else', () => {
    expect(faultsOf(type, effects, trialsOf(type))).toEqual([]);
  });

  test('would be found to do what it does not declare', () => {
    const found = plantsOf(effects).filter((plant) => faultsOf(type, plant.effects, trialsOf(type)).length === 0);
    // Whether something that depends on the state of the game happens always, only more cases could tell.
    const others = found.filter(({ what }) => !what.endsWith(' always'));
    expect(others.map(({ what }) => what)).toEqual(unnoticed[type] ?? []);
  });
});

test('every action has cases', () => {
  const rows = new Set([...cases.keys()].map((type) => vocabulary.actions.get(type)));
  expect([...vocabulary.actions].flatMap(([type, row]) => (rows.has(row) ? [] : type))).toEqual([]);
});
