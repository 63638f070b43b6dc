import { type Effect, only, type Read, tells } from '../rules/effects.ts';
import type { Game } from '../rules/game.ts';
import { type Entity, noEntity } from '../world/entity.ts';
import type { DetailsOf, OutputKind } from '../world/outbox.ts';
import type { Action, Call } from './ast.ts';
import type { Compilation } from './compiling/compilation.ts';
import type { Given, Operands, ParamKind, Params } from './param-kind.ts';
import type { Evaluate, Execute, ScriptContext, Step } from './running/context.ts';

/**
 * Where an operation takes effect. `world`: it changes the simulation, or returns a value from it. `output`: it only
 * publishes an output event, whose answer comes back as an input. `inert`: it does nothing without a client or an
 * editor; `why` gives the reason.
 */
export type Status = 'world' | 'output' | 'inert';

/** The status of an operation: `inert` if `why` is given; otherwise it follows from the effects. */
export function statusOf({ why, effects }: Pick<OpRow, 'why' | 'effects'>): Status {
  if (why !== undefined) return 'inert';
  const isPublished = effects.length > 0 && effects.every(({ does }) => does === 'tells' || does === 'enables');
  return isPublished ? 'output' : 'world';
}

/**
 * The documentation of an operation: one or two sentences, with examples and descriptions of operands that are not
 * self-explanatory.
 */
export type About =
  | string
  | {
      readonly sentence: string;
      /** Example operands. Given if those derived from the operands' kinds would be poor. */
      readonly example?: Readonly<Record<string, unknown>>;
      /**
       * Descriptions of operands whose keys are unique to this operation or mean something else in other operations.
       */
      readonly operands?: Readonly<Record<string, string>>;
    };

/** The declaration of an operation, without its name, which is the key of the row in its table. */
export interface OpRow {
  readonly family: string;
  /**
   * Describes the effect of an action or the value of a function. Unless stated otherwise, angles are in radians,
   * clockwise from up; positions and sizes in px; times in ms.
   */
  readonly about: About;
  /** The effects of the operation on the world; empty for functions. */
  readonly effects: readonly Effect[];
  /**
   * The parts of the state that the value of a function depends on besides its operands; empty for actions. Two calls
   * with equal operands and equal reads give equal values.
   */
  readonly reads: readonly Read[];
  readonly params: Params;
  /** Other names of the same operation. */
  readonly aliases: readonly string[];
  /** The type of a function's value; undefined for actions. */
  readonly returns: string | undefined;
  /** The case of the letters in the strings that a function returns, if it is always the same. */
  readonly letters?: 'lower' | 'upper';
  /** The reason why an inert operation does nothing; undefined for other operations. */
  readonly why: string | undefined;
}

type AnyOperands = Readonly<Record<string, Evaluate<unknown>>>;

/**
 * The declaration of an action. A compiled control-flow action returns a signal. Any other returns undefined, which
 * means "continue", so no wrapper is needed.
 */
export interface ActionRow extends OpRow {
  /** Whether the operands are a condition and two action lists, one of which the action runs. */
  readonly forks: boolean;
  compile(operands: AnyOperands, compiler: Compilation, node: Action): Execute | Step;
}

export interface ValueRow extends OpRow {
  compile(operands: AnyOperands, compiler: Compilation, node: Call): Evaluate<unknown>;
}

interface Details {
  readonly about: About;
  readonly aliases?: readonly string[];
}

/** The implementation of an action: `run`, or `compile` for the cases listed there. */
type Body<P extends Params> =
  | {
      /**
       * Receives the values of all operands, in the order of `params`. Not called if a required operand is missing,
       * which is recorded as a fault or skip.
       */
      run(context: ScriptContext, given: Given<P>): void;
    }
  | {
      /**
       * Runs once, when the script first runs; the closure that it returns runs every time. For actions that run other
       * actions, that run so often that they must not allocate, that differ by dialect, or that inspect their operands
       * at compile time.
       */
      compile(operands: Operands<P>, compiler: Compilation, node: Action): Execute | Step;
    };

/** Declares an action. The function `family` later sets the family of the row. */
export function action<P extends Params>(
  row: Details & {
    readonly params: P;
    readonly effects: readonly Effect<keyof P & string>[];
    readonly forks?: boolean;
  } & Body<P>,
): ActionRow {
  return {
    family: '',
    about: row.about,
    effects: row.effects,
    reads: [],
    params: row.params,
    aliases: row.aliases ?? [],
    returns: undefined,
    why: undefined,
    forks: row.forks ?? false,
    compile: 'run' in row ? withValues(row.params, row.run as Run) : (row.compile as ActionRow['compile']),
  };
}

type Run = (context: ScriptContext, given: Readonly<Record<string, unknown>>) => void;

/** Compiles an action into a closure that evaluates all operands and calls `run` with their values. */
function withValues(params: Params, run: Run): ActionRow['compile'] {
  const needs = Object.entries(params).map(([key, { optional, none }]) => ({ key, optional, none }));
  return (operands) => (context) => {
    const given: Record<string, unknown> = {};
    let isMissing = false;
    for (const { key, optional, none } of needs) {
      const value = operands[key]!(context);
      if (value === none && !optional) isMissing = true;
      given[key] = value;
    }
    if (!isMissing) run(context, given);
  };
}

/** An action that applies a rule to its only operand, an entity. */
export function acts<K extends string>(
  about: About,
  params: Readonly<Record<K, ParamKind<Entity>>>,
  rule: (game: Game, entity: Entity) => void,
  ...effects: readonly Effect<K>[]
): ActionRow {
  const [key] = Object.keys(params) as [K];
  return action({
    about,
    effects,
    params,
    compile: (operands) => {
      const entity = operands[key] as Evaluate<Entity>;
      return (context) => {
        const of = entity(context);
        if (of !== noEntity) rule(context.game, of);
      };
    },
  });
}

/**
 * An action that only publishes an output event: for one player if it has an operand `player`, otherwise for everyone.
 * Publishes nothing if `detailsOf` returns undefined. `more`: effects of the event, such as the input that answers it.
 */
export function publishes<K extends OutputKind, P extends Params>(
  about: About,
  kind: K,
  params: P,
  detailsOf: (given: Given<P>, context: ScriptContext) => DetailsOf<K> | undefined,
  ...more: readonly Effect<never>[]
): ActionRow {
  const isForPlayer = Object.hasOwn(params, 'player');
  return action({
    about,
    effects: [isForPlayer ? tells(kind, 'player') : tells(kind), ...more] as readonly Effect<keyof P & string>[],
    params,
    run(context, given) {
      const details = detailsOf(given, context);
      const to = isForPlayer ? { player: given['player'] as Entity } : 'everyone';
      if (details !== undefined) context.world.post(kind, { ...details, to });
    },
  });
}

const unknownThere: Execute = ({ world }) =>
  world.skip('unknown-there', 'The reference engine does not have this action; it does nothing in this dialect.');

/** An action that the engines of 2024 do not have. It does nothing in dialects that follow them. */
export function nonReference(row: ActionRow): ActionRow {
  return {
    ...row,
    effects: row.effects.map((effect) => only('standard', effect)),
    compile: (operands, compiler, node) =>
      compiler.dialect.nonReferenceOperationsWork ? row.compile(operands, compiler, node) : unknownThere,
  };
}

/** An action that does nothing without a client or an editor. `why` is shown in the catalogue. */
export function inertAction(about: About, why: string, params: Params = {}): ActionRow {
  return {
    family: '',
    about,
    effects: [],
    reads: [],
    params,
    aliases: [],
    returns: undefined,
    why,
    forks: false,
    compile: () => () => {},
  };
}

/** The implementation of a function: `get`, which suffices for most functions of one operand, or `compile`. */
type ValueBody<P extends Params> =
  | {
      /** Receives the value of the only operand, which may be missing. */
      get(operand: P[keyof P] extends ParamKind<infer T> ? T : never, context: ScriptContext): unknown;
      /**
       * Used instead of `get` in dialects that do not check operands of functions. Receives the operand's value
       * unconverted.
       */
      unchecked?: ((given: unknown, context: ScriptContext) => unknown) | undefined;
    }
  | {
      /** Like `compile` of an action. */
      compile(operands: Operands<P>, compiler: Compilation, node: Call): Evaluate<unknown>;
    };

export function value<P extends Params>(
  row: Details & {
    readonly params: P;
    /** The parts of the state that the value depends on. Default: none. */
    readonly reads?: readonly Read<keyof P & string>[];
    readonly returns: string;
  } & ValueBody<P>,
): ValueRow {
  const [key = ''] = Object.keys(row.params);
  return {
    family: '',
    about: row.about,
    effects: [],
    reads: row.reads ?? [],
    params: row.params,
    aliases: row.aliases ?? [],
    returns: row.returns,
    why: undefined,
    compile: 'get' in row ? withOperand(key, row.get as Get, row.unchecked) : (row.compile as ValueRow['compile']),
  };
}

type Get = (operand: unknown, context: ScriptContext) => unknown;

function withOperand(key: string, get: Get, unchecked = get): ValueRow['compile'] {
  return (operands, compiler, node) => {
    const isChecked = unchecked === get || compiler.dialect.queriesCheckOperands;
    const operand = isChecked ? operands[key]! : compiler.value(node.operand(key));
    const read = isChecked ? get : unchecked;
    return (context) => read(operand(context), context);
  };
}

/** A function without operands. */
export function nullary(about: About, returns: string, read: Evaluate<unknown>, ...reads: readonly Read[]): ValueRow {
  return value<Params>({ about, reads, params: {}, returns, compile: () => read });
}

/** A function whose value only a client or an editor could determine. Its value is undefined here. */
export function inertValue(about: About, why: string, returns: string, params: Params = {}): ValueRow {
  return {
    family: '',
    about,
    effects: [],
    reads: [],
    params,
    aliases: [],
    returns,
    why,
    compile: () => () => undefined,
  };
}

export type Family<R extends OpRow> = Readonly<Record<string, R>>;

/** Sets the family of every row of a table. */
export function family<R extends OpRow>(name: string, rows: Readonly<Record<string, R>>): Family<R> {
  const named: Record<string, R> = {};
  for (const [type, row] of Object.entries(rows)) named[type] = { ...row, family: name };
  return named;
}

/** Merges tables into one, with aliases. Throws if two of them have the same operation or alias. */
export function merge<R extends OpRow>(...families: readonly Family<R>[]): ReadonlyMap<string, R> {
  const merged = new Map<string, R>();
  const add = (type: string, row: R): void => {
    if (merged.has(type)) throw new Error(`The operation ${type} is in two tables.`);
    merged.set(type, row);
  };
  for (const rows of families) {
    for (const [type, row] of Object.entries(rows)) {
      add(type, row);
      for (const alias of row.aliases) add(alias, row);
    }
  }
  return merged;
}
