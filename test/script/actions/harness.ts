import { describe, expect, test } from 'vitest';
import { statusOf, vocabulary } from '../../../engine/tools.ts';
import { readable } from '../values/harness.ts';
import { ActionGame, type Json } from './action-game.ts';

/** The effect of an action: compares a run with the action to a run of the same game with a comment in its place. */
export interface ActionCase {
  /** Operands of the action. */
  readonly give?: Json | undefined;
  /**
   * All actions, if the tested one needs others around it; those of its type are replaced. By default it runs alone.
   */
  readonly actions?: readonly unknown[] | undefined;
  /** Ticks between the action and the comparison. */
  readonly after?: number | undefined;
  /** An operand to evaluate afterwards, or a function that reads the result. */
  readonly see?: Json | ((played: ActionGame) => unknown) | undefined;
  readonly is?: unknown;
  /** All output events, exactly. */
  readonly publishes?: readonly Json[] | undefined;
  /** Actions before it, in both runs. */
  readonly before?: readonly unknown[] | undefined;
  readonly prepare?: ((played: ActionGame) => void) | undefined;
  readonly data?: Json | undefined;
  /** Its result returns as an input, so the game stores something pending. */
  readonly remembers?: boolean | undefined;
  /** Operands that are expected, but without which the action has a meaning of its own. */
  readonly spare?: readonly string[] | undefined;
}

/**
 * An operand that an action refuses: nothing changes, nothing is published, and `refused` is the code of the fault;
 * undefined if it is not a fault.
 */
export interface Refusal {
  readonly give: Json;
  readonly refused: string | undefined;
  readonly before?: readonly unknown[] | undefined;
  readonly data?: Json | undefined;
}

export type ActionCases = Readonly<Record<string, readonly (ActionCase | Refusal)[]>>;

const remark = { type: 'comment', comment: 'nothing' };
const nothing = { function: 'undefinedValue' };

/** Operands that are read literally, or that accept any value. */
const readAsIs = new Set(['any', 'raw', 'text', 'text literal', 'script', 'actions', 'condition', 'group variable']);

interface Outcome {
  readonly seen: unknown;
  readonly outputs: readonly Json[];
  readonly complaints: readonly string[];
  readonly hash: string;
}

/** Plays a case with other actions in the place of its own. */
export function play(row: Omit<ActionCase, 'is'>, actions: readonly unknown[]): Outcome {
  const played = new ActionGame({ before: row.before ?? [], go: actions, ...scriptsOfGame }, row.data);
  row.prepare?.(played);
  played.run('before');
  played.outputs.length = 0;
  played.fired.length = 0;
  played.run('go');
  played.sim.run({ ticks: row.after ?? 0 });
  const { see } = row;
  const hash = played.sim.hash();
  const outputs = [...played.outputs];
  const complaints = played.complaints();
  const seen = typeof see === 'function' ? readable(see(played)) : see === undefined ? undefined : played.value(see);
  return { seen, outputs, complaints, hash };
}

/** State hashes of games in which only the first half of a case was played, cached because most cases share it. */
const idleHashes = new Map<string, string>();

function idleHash({ before, data, prepare }: Pick<ActionCase, 'before' | 'data' | 'prepare'>): string {
  const hash = () => play({ before, data, prepare }, [remark]).hash;
  if (prepare !== undefined) return hash();
  const key = JSON.stringify([before, data]);
  const known = idleHashes.get(key) ?? hash();
  idleHashes.set(key, known);
  return known;
}

/** The names by which actions call scripts of the game. */
export const scriptsOfGame: Readonly<Record<string, readonly unknown[]>> = {
  bump: [{ type: 'increaseVariableByNumber', variable: 'n', number: 1 }],
  shouted: [{ type: 'setVariable', variableName: 'word', value: 'shouted' }],
  sings: [{ type: 'setVariable', variableName: 'word', value: 'sings' }],
  rests: [{ type: 'setVariable', variableName: 'word', value: 'rests' }],
};

/** The same actions, with those of a type replaced by comments. */
export function without(actions: unknown, type: string): unknown {
  if (Array.isArray(actions)) return actions.map((each) => without(each, type));
  if (actions === null || typeof actions !== 'object') return actions;
  if ((actions as Json)['type'] === type) return remark;
  return Object.fromEntries(Object.entries(actions).map(([key, value]) => [key, without(value, type)]));
}

export function actionsOf(type: string, { actions, give }: ActionCase): readonly unknown[] {
  return actions ?? [{ type, ...give }];
}

/** Operands that the action requires, removed one at a time. */
function needed(type: string, { give = {}, spare = [] }: ActionCase): string[] {
  const params = vocabulary.actions.get(type)?.params ?? {};
  return Object.keys(give).filter((key) => {
    const [, param] = Object.entries(params).find(([name, { aliases }]) => name === key || aliases.includes(key)) ?? [];
    return param !== undefined && !param.optional && !readAsIs.has(param.name) && !spare.includes(key);
  });
}

export function testActions(name: string, cases: ActionCases): void {
  const rows = Object.entries(cases).flatMap(([type, list]) => list.map((each) => [type, each] as const));
  const done = rows.flatMap(([type, each]) => ('refused' in each ? [] : [[type, each] as const]));

  describe(`actions about ${name}`, () => {
    test.each(done)('%s does it: %j', (type, row) => {
      const actions = actionsOf(type, row);
      const outcome = play(row, actions);
      const idle = play(row, without(actions, type) as readonly unknown[]);
      const status = statusOf(vocabulary.actions.get(type)!);
      expect(outcome.complaints).toEqual([]);
      expect(outcome.seen).toEqual(row.is);
      expect(outcome.outputs).toEqual(row.publishes ?? []);
      if (status === 'inert') {
        expect(outcome).toEqual(idle);
        return;
      }
      // The result must differ from that of an action that does nothing.
      expect({ seen: idle.seen, outputs: idle.outputs }).not.toEqual({ seen: outcome.seen, outputs: outcome.outputs });
      // An action that only clients and hosts perform does not change the world.
      if (status === 'output' && row.remembers !== true) expect(outcome.hash).toBe(idle.hash);
    });

    const lacking = done.flatMap(([type, row]) =>
      row.actions === undefined ? needed(type, row).map((key) => [type, key, row] as const) : [],
    );
    if (lacking.length > 0) {
      test.each(lacking)('%s without %s changes nothing and says so', (type, key, row) => {
        const action = { type, ...row.give, [key]: nothing };
        const outcome = play({ ...row, see: undefined, after: 0 }, [action]);
        expect(outcome.outputs).toEqual([]);
        expect(outcome.hash).toBe(idleHash(row));
        if (statusOf(vocabulary.actions.get(type)!) !== 'inert') expect(outcome.complaints).toHaveLength(1);
      });
    }

    const refused = rows.flatMap(([type, each]) => ('refused' in each ? [[type, each] as const] : []));
    if (refused.length > 0) {
      test.each(refused)('%s refuses: %j', (type, refusal) => {
        const outcome = play(refusal, [{ type, ...refusal.give }]);
        expect(outcome.complaints).toEqual(refusal.refused === undefined ? [] : [refusal.refused]);
        expect(outcome.outputs).toEqual([]);
        expect(outcome.hash).toBe(idleHash(refusal));
      });
    }
  });
}
