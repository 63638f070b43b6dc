import type { Action, Call } from './ast.ts';
import type { Compilation } from './compilation.ts';
import type { Evaluate, Execute, Step } from './context.ts';
import type { Operands, Params } from './param-kind.ts';

/**
 * `world`: changes the simulation or returns its value. `output`: published as an output event; its answer comes back as an input.
 * `inert`: means nothing without a client or an editor; `why` says why.
 */
export type Status = 'world' | 'output' | 'inert';

/** What people read about an operation: one or two sentences, and more where operands do not explain themselves. */
export type About =
  | string
  | {
      readonly sentence: string;
      /** Operands of the example, where their kinds alone do not give a good one. */
      readonly example?: Readonly<Record<string, unknown>>;
      /** The meaning of operands whose keys mean something else here than in other operations, or are used by this one only. */
      readonly operands?: Readonly<Record<string, string>>;
    };

/** Everything known about an operation, apart from its name. */
export interface OpRow {
  readonly family: string;
  /**
   * The effect of an action, the value of a function. Angles are radians, 0 up, clockwise; places and sizes px; times ms, unless the sentence says
   * otherwise.
   */
  readonly about: About;
  readonly status: Status;
  readonly params: Params;
  /** Other names of the same operation. */
  readonly aliases: readonly string[];
  /** The type of a function's value; undefined for actions. */
  readonly returns: string | undefined;
  /** For inert rows: why there is nothing to do. */
  readonly why: string | undefined;
}

type AnyOperands = Readonly<Record<string, Evaluate<unknown>>>;

/** A control form gives a signal; of other actions nothing counts as "go on", so that they need no wrapper. */
export interface ActionRow extends OpRow {
  /** Its operands are a condition and the two lists of which it chooses one. */
  readonly forks: boolean;
  compile(operands: AnyOperands, compiler: Compilation, node: Action): Execute | Step;
}

export interface ValueRow extends OpRow {
  compile(operands: AnyOperands, compiler: Compilation, node: Call): Evaluate<unknown>;
}

interface Details {
  readonly about: About;
  readonly status?: Status;
  readonly aliases?: readonly string[];
}

/**
 * `compile` runs once, when its script first does; what it returns runs every time and allocates nothing it need not. The node says what is known of
 * an operand without running it. The family is set by `family`.
 */
export function action<P extends Params>(
  row: Details & {
    readonly params: P;
    readonly forks?: boolean;
    compile(operands: Operands<P>, compiler: Compilation, node: Action): Execute | Step;
  },
): ActionRow {
  return {
    family: '',
    about: row.about,
    status: row.status ?? 'world',
    params: row.params,
    aliases: row.aliases ?? [],
    returns: undefined,
    why: undefined,
    forks: row.forks ?? false,
    compile: row.compile as ActionRow['compile'],
  };
}

const unknownThere: Execute = ({ world }) =>
  world.skip('unknown-there', 'The engines that this dialect follows do not know the action.');

/** An action that the engines of 2024 do not know: it does nothing in a dialect that follows them. */
export function foreign(row: ActionRow): ActionRow {
  return {
    ...row,
    compile: (operands, compiler, node) =>
      compiler.dialect.foreignWords ? row.compile(operands, compiler, node) : unknownThere,
  };
}

/** An operation that means nothing without a client or an editor. `why` is shown in the catalogue. */
export function inertAction(about: About, why: string, params: Params = {}): ActionRow {
  return {
    family: '',
    about,
    status: 'inert',
    params,
    aliases: [],
    returns: undefined,
    why,
    forks: false,
    compile: () => () => {},
  };
}

export function value<P extends Params>(
  row: Details & {
    readonly params: P;
    readonly returns: string;
    compile(operands: Operands<P>, compiler: Compilation, node: Call): Evaluate<unknown>;
  },
): ValueRow {
  return {
    family: '',
    about: row.about,
    status: row.status ?? 'world',
    params: row.params,
    aliases: row.aliases ?? [],
    returns: row.returns,
    why: undefined,
    compile: row.compile as ValueRow['compile'],
  };
}

/** A question that only a client or an editor could answer; it gives no value. */
export function inertValue(about: About, why: string, returns: string, params: Params = {}): ValueRow {
  return { family: '', about, status: 'inert', params, aliases: [], returns, why, compile: () => () => undefined };
}

export type Family<R extends OpRow> = Readonly<Record<string, R>>;

/** Names the family of every row of a table. */
export function family<R extends OpRow>(name: string, rows: Readonly<Record<string, R>>): Family<R> {
  const named: Record<string, R> = {};
  for (const [type, row] of Object.entries(rows)) named[type] = { ...row, family: name };
  return named;
}

/** One table out of many; an operation or alias that two of them name is a mistake of ours. */
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
