import type { Dictionary } from '../core/plain-object.ts';
import type { HostOperation } from '../definition/host.ts';
import { type Effect, only, type Read, tells } from '../rules/effects.ts';
import type { Game } from '../rules/game.ts';
import { type Entity, noEntity } from '../world/entity.ts';
import type { DetailsOf, OutputKind } from '../world/outbox.ts';
import type { Action, Call, OperationSyntax } from './ast.ts';
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
export type About = HostOperation['about'];

/** The declaration of an operation, without its name, which is the key of the row in its table. */
export interface OpRow extends OperationSyntax {
  readonly family: string;
  /**
   * Describes the effect of an action or the value of a function. Unless stated otherwise, angles are in radians,
   * clockwise from up; positions and sizes in px; times in ms.
   */
  readonly about: About;
  readonly params: Params;
  /** Other names of the same operation. */
  readonly aliases: readonly string[];
  /** The reason why an inert operation does nothing; undefined for other operations. */
  readonly why: string | undefined;
}

type AnyOperands = Dictionary<Evaluate<unknown>>;

/**
 * The declaration of an action. A compiled control-flow action returns a signal. Any other compiled action returns
 * undefined, which means "continue", so that it needs no wrapper.
 */
export interface ActionRow extends OpRow {
  /** Whether the operands are a condition and two action lists, one of which the action runs. */
  readonly forks: boolean;
  compile(operands: AnyOperands, compiler: Compilation, node: Action): Execute | Step;
}

export interface ValueRow extends OpRow {
  compile(operands: AnyOperands, compiler: Compilation, node: Call): Evaluate<unknown>;
}

/**
 * Declares an action; `family` later sets the family of its row. `run` receives the values of all operands, which are
 * evaluated in the order of `params`. If a required operand is missing, `run` is not called, and a fault or skip is
 * recorded.
 */
export function action<P extends Params>(
  about: About,
  params: P,
  run: (context: ScriptContext, given: Given<P>) => void,
  ...effects: readonly Effect<keyof P & string>[]
): ActionRow {
  const needs = Object.entries(params).map(([key, { optional, none }]) => ({ key, optional, none }));
  const compile = (operands: AnyOperands) => (context: ScriptContext) => {
    const given: Record<string, unknown> = {};
    let isMissing = false;
    for (const { key, optional, none } of needs) {
      const value = operands[key]!(context);
      if (value === none && !optional) isMissing = true;
      given[key] = value;
    }
    if (!isMissing) run(context, given as Given<P>);
  };
  return compiledAction(about, params, compile, ...effects);
}

/**
 * Declares an action by a function that is called once, when its script first runs, and returns the closure that runs
 * every time. Used for actions that run other actions, that run so often that they must not allocate, that differ by
 * dialect, or that inspect their operands at compile time.
 */
export function compiledAction<P extends Params>(
  about: About,
  params: P,
  compile: (operands: Operands<P>, compiler: Compilation, node: Action) => Execute | Step,
  ...effects: readonly Effect<keyof P & string>[]
): ActionRow {
  return {
    family: '',
    about,
    effects,
    reads: [],
    params,
    aliases: [],
    returns: undefined,
    why: undefined,
    forks: false,
    compile: compile as ActionRow['compile'],
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
  return compiledAction(
    about,
    params,
    (operands) => {
      const entity = operands[key] as Evaluate<Entity>;
      return (context) => {
        const of = entity(context);
        if (of !== noEntity) rule(context.game, of);
      };
    },
    ...effects,
  );
}

/**
 * An action that only publishes an output event: to one player if the action has an operand `player`, otherwise to
 * everyone. Publishes nothing if `detailsOf` returns undefined. `more`: effects of the event, such as enabling the
 * input that answers it.
 */
export function publishes<K extends OutputKind, P extends Params>(
  about: About,
  kind: K,
  params: P,
  detailsOf: (given: Given<P>, context: ScriptContext) => DetailsOf<K> | undefined,
  ...more: readonly Effect<never>[]
): ActionRow {
  const isForPlayer = Object.hasOwn(params, 'player');
  return action(
    about,
    params,
    (context, given) => {
      const details = detailsOf(given, context);
      const to = isForPlayer ? { player: given['player'] as Entity } : 'everyone';
      if (details !== undefined) context.world.post(kind, { ...details, to });
    },
    isForPlayer ? tells(kind, 'player') : tells(kind),
    ...more,
  );
}

const unknownThere: Execute = ({ world }) =>
  world.skip('unknown-there', 'In this dialect, the action does nothing, as in the original engine.');

/** An action that the engines of 2024 do not have. The action does nothing in dialects that follow these engines. */
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
  return { ...compiledAction(about, params, () => () => {}), why };
}

/** Declares a function of one operand. `get` receives the value of the operand, which may be missing. */
export function value<K extends string, T>(
  about: About,
  params: Readonly<Record<K, ParamKind<T>>>,
  returns: string,
  get: (operand: T, context: ScriptContext) => unknown,
  ...reads: readonly Read<NoInfer<K>>[]
): ValueRow {
  return compiledValue<Params>(about, params, returns, withOperand(get), ...reads);
}

/**
 * Declares a function of two operands. Both are evaluated before `get` is called, which receives their values; either
 * may be missing.
 */
export function valueOfTwo<K extends string>(
  about: About,
  params: Readonly<Record<K, ParamKind<unknown>>>,
  returns: string,
  get: (first: unknown, second: unknown, context: ScriptContext) => unknown,
  ...reads: readonly Read<NoInfer<K>>[]
): ValueRow {
  const compile = (operands: AnyOperands): Evaluate<unknown> => {
    const [first, second] = Object.values(operands) as [Evaluate<unknown>, Evaluate<unknown>];
    return (context) => get(first(context), second(context), context);
  };
  return compiledValue<Params>(about, params, returns, compile, ...reads);
}

/**
 * Declares a function by a function that is called once and returns the closure that runs every time; see
 * `compiledAction`.
 */
export function compiledValue<P extends Params>(
  about: About,
  params: P,
  returns: string,
  compile: (operands: Operands<P>, compiler: Compilation, node: Call) => Evaluate<unknown>,
  ...reads: readonly Read<keyof P & string>[]
): ValueRow {
  return {
    family: '',
    about,
    effects: [],
    reads,
    params,
    aliases: [],
    returns,
    why: undefined,
    compile: compile as ValueRow['compile'],
  };
}

/**
 * Compiles a function of one operand. Dialects that do not check operands of functions use `unchecked`, if given, which
 * receives the operand's value unconverted.
 */
export function withOperand<T>(
  get: (operand: T, context: ScriptContext) => unknown,
  unchecked?: (given: unknown, context: ScriptContext) => unknown,
): ValueRow['compile'] {
  return (operands, compiler, node) => {
    const [key] = Object.keys(operands) as [string];
    if (unchecked === undefined || compiler.dialect.queriesCheckOperands) {
      const operand = operands[key] as Evaluate<T>;
      return (context) => get(operand(context), context);
    }
    const operand = compiler.value(node.operand(key));
    return (context) => unchecked(operand(context), context);
  };
}

/** A function without operands. */
export function nullary(about: About, returns: string, read: Evaluate<unknown>, ...reads: readonly Read[]): ValueRow {
  return compiledValue<Params>(about, {}, returns, () => read, ...reads);
}

/** A function whose value only a client or an editor could determine. Its value is undefined here. */
export function inertValue(about: About, why: string, returns: string, params: Params = {}): ValueRow {
  return { ...compiledValue(about, params, returns, () => () => undefined), why };
}

export type Family<R extends OpRow> = Dictionary<R>;

/** Sets the family of every row of a table. */
export function family<R extends OpRow>(name: string, rows: Dictionary<R>): Family<R> {
  const named: Record<string, R> = {};
  for (const [type, row] of Object.entries(rows)) named[type] = { ...row, family: name };
  return named;
}

/** Merges tables into one, with aliases. Throws if two of them have the same operation or alias. */
export function merge<R extends OpRow>(...families: readonly Family<R>[]): ReadonlyMap<string, R> {
  const merged = new Map<string, R>();
  const add = (type: string, row: R) => {
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
