import { describe, expect, test } from 'vitest';
import { vocabulary } from '../../../engine/internal.ts';
import { readable } from '../values/harness.ts';
import { ActionGame, type Json } from './action-game.ts';

/** The effect of an action: one run of it in the played, against the same run in which a remark stands in its place. */
export interface ActionCase {
  /** Operands of the action. */
  readonly give?: Json | undefined;
  /** Where the action stands among others, all of them; what counts are those of its type. Otherwise it stands alone. */
  readonly actions?: readonly unknown[] | undefined;
  /** Ticks that pass before one looks. */
  readonly after?: number | undefined;
  /** An operand that is asked afterwards, or what to look at. */
  readonly see?: Json | ((played: ActionGame) => unknown) | undefined;
  readonly is?: unknown;
  /** All output events, exactly. */
  readonly publishes?: readonly Json[] | undefined;
  /** The actions before it, in both runs. */
  readonly before?: readonly unknown[] | undefined;
  readonly prepare?: ((played: ActionGame) => void) | undefined;
  readonly data?: Json | undefined;
  /** That something of it comes back as an input, for which the game keeps something. */
  readonly remembers?: boolean | undefined;
  /** Operands without which the action has a meaning of its own, although it is asked for them. */
  readonly spare?: readonly string[] | undefined;
}

/** An operand that an action refuses: nothing changes, nothing is published, and the code says why; undefined where that is no mistake. */
export interface Refusal {
  readonly give: Json;
  readonly refused: string | undefined;
  readonly before?: readonly unknown[] | undefined;
  readonly data?: Json | undefined;
}

export type ActionCases = Readonly<Record<string, readonly (ActionCase | Refusal)[]>>;

const remark = { type: 'comment', comment: 'nothing' };
const nothing = { function: 'undefinedValue' };

/** Operands that are read as they stand, or of which no value is as good as any. */
const readAsIs = new Set(['any', 'raw', 'text', 'text literal', 'script', 'actions', 'condition', 'group variable']);

interface Outcome {
  readonly seen: unknown;
  readonly outputs: readonly Json[];
  readonly complaints: readonly string[];
  readonly hash: string;
}

function play(row: Omit<ActionCase, 'is'>, actions: readonly unknown[]): Outcome {
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

/** State hashes of games in which only the first half of a case was played, because most cases have the same. */
const idleHashes = new Map<string, string>();

function idleHash({ before, data, prepare }: Pick<ActionCase, 'before' | 'data' | 'prepare'>): string {
  const hash = () => play({ before, data, prepare }, [remark]).hash;
  if (prepare !== undefined) return hash();
  const key = JSON.stringify([before, data]);
  const known = idleHashes.get(key) ?? hash();
  idleHashes.set(key, known);
  return known;
}

/** The names by which actions call scripts of the played. */
const scriptsOfGame: Readonly<Record<string, readonly unknown[]>> = {
  bump: [{ type: 'increaseVariableByNumber', variable: 'n', number: 1 }],
  shouted: [{ type: 'setVariable', variableName: 'word', value: 'shouted' }],
  sings: [{ type: 'setVariable', variableName: 'word', value: 'sings' }],
  rests: [{ type: 'setVariable', variableName: 'word', value: 'rests' }],
};

/** The same actions with remarks where those of a type were. */
function without(actions: unknown, type: string): unknown {
  if (Array.isArray(actions)) return actions.map((each) => without(each, type));
  if (actions === null || typeof actions !== 'object') return actions;
  if ((actions as Json)['type'] === type) return remark;
  return Object.fromEntries(Object.entries(actions).map(([key, value]) => [key, without(value, type)]));
}

function actionsOf(type: string, { actions, give }: ActionCase): readonly unknown[] {
  return actions ?? [{ type, ...give }];
}

/** Operands of a row that the action cannot do without, one at a time. */
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
      const { status } = vocabulary.actions.get(type)!;
      expect(outcome.complaints).toEqual([]);
      expect(outcome.seen).toEqual(row.is);
      expect(outcome.outputs).toEqual(row.publishes ?? []);
      if (status === 'inert') {
        expect(outcome).toEqual(idle);
        return;
      }
      // It would not look the same if the action did nothing.
      expect({ seen: idle.seen, outputs: idle.outputs }).not.toEqual({ seen: outcome.seen, outputs: outcome.outputs });
      // An action that only clients and hosts perform leaves the world as it is.
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
        if (vocabulary.actions.get(type)!.status !== 'inert') expect(outcome.complaints).toHaveLength(1);
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
