import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../../engine/definition/dialect.ts';
import { type Effect, vocabulary } from '../../../engine/tools.ts';
import { ActionGame } from '../actions/action-game.ts';
import { actionTables } from '../actions/cases/index.ts';
import { type ActionCase, actionsOf, scriptsOfGame, without } from '../actions/harness.ts';
import { published } from '../actions/published.ts';
import { effectsIn, signsOf, withImplied } from './declared.ts';
import { changesBetween, leavesOfWorld } from './world-changes.ts';

/**
 * Proves the effects that actions declare. Each action runs in its own cases, in both dialects; what changes in the world, compared with a run that has a
 * comment in its place, must be declared, and what is declared must happen.
 */

const dialects: readonly DialectName[] = ['standard', 'moddio'];

interface Observed {
  readonly changes: ReadonlySet<string>;
  /** Whether the action did what its case is about. Cases are written for `standard`, so in `moddio` some actions refuse their operands. */
  readonly isDone: boolean;
}

function observe(type: string, row: ActionCase, dialect: DialectName): Observed {
  const actions = actionsOf(type, row);
  const changes = new Set<string>();
  let isDone = true;
  const play = (list: readonly unknown[], ticks: number) => {
    const played = new ActionGame({ before: row.before ?? [], go: list, ...scriptsOfGame }, row.data, { dialect });
    row.prepare?.(played);
    played.run('before');
    played.outputs.length = 0;
    played.fired.length = 0;
    played.world.triggers.queueObserver = (trigger) => played.fired.push(trigger);
    played.run('go');
    // Those that fire later are rules' doing.
    const fired = [...played.fired];
    played.sim.run({ ticks });
    return { leaves: leavesOfWorld(played.sim), outputs: [...played.outputs], fired, complaints: played.complaints() };
  };
  // After a tick, too, because physics and AI act only then.
  for (const ticks of [0, Math.max(1, row.after ?? 0)]) {
    const idle = play(without(actions, type) as readonly unknown[], ticks);
    const played = play(actions, ticks);
    for (const change of changesBetween(idle.leaves, played.leaves)) changes.add(change);
    const before = idle.outputs.map(({ kind }) => kind);
    for (const { kind } of played.outputs) if (!before.includes(kind)) changes.add(`tells ${kind}`);
    for (const trigger of played.fired) if (!idle.fired.includes(trigger)) changes.add(`fires ${trigger}`);
    isDone &&= played.complaints.length === 0;
  }
  return { changes, isDone };
}

/** The effects of an action in a dialect. */
const effectsOf = (type: string, dialect: DialectName): readonly Effect[] =>
  effectsIn(vocabulary.actions.get(type)?.effects ?? [], dialect);

/** The types of all actions in a JSON value. */
function actionTypes(json: unknown, into = new Set<string>()): Set<string> {
  if (typeof json !== 'object' || json === null) return into;
  const { type } = json as { readonly type?: unknown };
  if (typeof type === 'string') into.add(type);
  for (const member of Object.values(json)) actionTypes(member, into);
  return into;
}

/** All that may change, with what follows by itself; for an action that runs others, also what these change. */
function allowed(type: string, row: ActionCase, dialect: DialectName): ReadonlySet<string> {
  const effects = [...effectsOf(type, dialect)];
  if (effects.some(runsOthers)) {
    const others = actionTypes([actionsOf(type, row), scriptsOfGame, row.data]);
    for (const each of others) effects.push(...effectsOf(each, dialect));
  }
  return withImplied(effects.flatMap(signsOf));
}

/** Whether it decides what other actions do. */
function runsOthers(effect: Effect): boolean {
  return (
    ['runs', 'starts', 'leaves'].includes(effect.does) || (effect.does === 'changes' && effect.aspect === 'payload')
  );
}

const cases = Object.values(actionTables).flatMap((table) =>
  Object.entries(table).map(
    ([type, rows]) => [type, rows.filter((row) => !('refused' in row)) as ActionCase[]] as const,
  ),
);

describe.each(cases)('%s', (type, rows) => {
  const seen = new Set<string>();
  for (const dialect of dialects) {
    test(`changes in ${dialect} only what it declares, and always what it declares without \`may\``, () => {
      for (const row of rows) {
        const { changes, isDone } = observe(type, row, dialect);
        for (const change of changes) seen.add(change);
        const permitted = allowed(type, row, dialect);
        expect(
          [...changes].filter((change) => !permitted.has(change)),
          'not declared',
        ).toEqual([]);
        if (!isDone) continue;
        const missing = effectsOf(type, dialect).filter(
          ({ may, ...effect }) => may !== true && !shows(effect as Effect, changes),
        );
        expect(missing, 'declared, but did not happen').toEqual([]);
      }
    });
  }

  test('does in some case what it declares with `may`', () => {
    const never = vocabulary.actions.get(type)!.effects.filter((effect) => effect.may === true && !shows(effect, seen));
    expect(never).toEqual([]);
  });
});

function shows(effect: Effect, changes: ReadonlySet<string>): boolean {
  const signs = signsOf(effect);
  return signs.length === 0 || signs.some((sign) => changes.has(sign));
}

test.each(published)('$action.type tells what it declares', ({ action, event }) => {
  const told = effectsOf(action.type, 'standard').flatMap((effect) => (effect.does === 'tells' ? effect.output : []));
  expect(told).toContain(event['kind']);
});
