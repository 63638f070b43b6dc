import type { Dictionary } from '../core/plain-object.ts';
import type { Operand, Parameter, Reference, Syntax, Unit } from './ast.ts';
import type { Compilation } from './compiling/compilation.ts';
import type { Evaluate, ScriptContext } from './running/context.ts';

/**
 * The kind of a parameter. It compiles an operand into a closure whose result already has the type that the operation
 * needs. The kind also handles values of another type, so that no operation has to: such a value is a fault in actions,
 * and undefined in functions.
 *
 * If a required operand of an action has no value, a fault that names the parameter is recorded; the operation receives
 * 0 or undefined and does nothing. Functions record no fault, because games call them to test whether something exists.
 */
export interface ParamKind<T> extends Parameter {
  readonly optional: boolean;
  /** Whether a missing entity is a fault instead of a skip; see `faultIfMissing`. */
  readonly faultsIfMissing: boolean;
  /** JSON types that a literal may have; any other type is an issue at load. Undefined: any type. */
  readonly literals: readonly LiteralType[] | undefined;
  /** The value of an operand that is missing: 0 for entities, otherwise undefined. */
  readonly none: unknown;
  compile(compiler: Compilation, node: Operand, place: ParamSite): Evaluate<T>;
}

export type LiteralType = 'number' | 'string' | 'boolean' | 'object' | 'array';
/** The parameter whose operand is being compiled, for messages. */
export interface ParamSite {
  /** Whether an entity that does not exist is a fault; otherwise, it is only a skip. */
  readonly faultIfMissing: boolean;
  readonly operation: string;
  readonly key: string;
  /** Whether a missing required value is a fault; true in actions. */
  readonly faults: boolean;
  readonly optional: boolean;
}

export type Params = Dictionary<ParamKind<unknown>>;
export type Operands<P extends Params> = {
  readonly [K in keyof P]: P[K] extends ParamKind<infer T> ? Evaluate<T> : never;
};
/** The values of operands; the value of an optional operand may be missing. */
export type Given<P extends Params> = {
  readonly [K in keyof P]: P[K] extends ParamKind<infer T> ? (P[K] extends Optional ? T : NonNullable<T>) : never;
};
type Optional = { readonly optional: true };

export function kind<T>(
  name: string,
  compile: ParamKind<T>['compile'],
  details: { literals?: readonly LiteralType[]; refersTo?: Reference; syntax?: Syntax; none?: unknown } = {},
): ParamKind<T> {
  return {
    name,
    optional: false,
    faultsIfMissing: false,
    aliases: [],
    syntax: details.syntax ?? 'operand',
    literals: details.literals,
    unit: undefined,
    refersTo: details.refersTo,
    none: details.none,
    compile,
  };
}

/**
 * Makes a parameter optional: if it is missing, the operation receives `none` of its kind (0 for entities, otherwise
 * undefined).
 */
export function optional<T>(param: ParamKind<T>): ParamKind<T> & Optional {
  return { ...param, optional: true };
}

/** Makes a missing entity a fault; by default it is only a skip (reference: operations#missing-operands). */
export function faultIfMissing<K extends ParamKind<unknown>>(param: K): K {
  return { ...param, faultsIfMissing: true };
}

/** States the unit of a number. */
export function measured<K extends ParamKind<unknown>>(unit: Unit, param: K): K {
  return { ...param, unit };
}

/** Adds alternative keys, for parameters that editors and engines spell differently. */
export function alias<K extends ParamKind<unknown>>(param: K, ...aliases: string[]): K {
  return { ...param, aliases: [...param.aliases, ...aliases] };
}

/**
 * Returns the same parameter kind under another name for the documentation. `refersTo`: what its literal strings refer
 * to.
 */
export function named<K extends ParamKind<unknown>>(param: K, name: string, refersTo?: Reference): K {
  return { ...param, name, refersTo: refersTo ?? param.refersTo };
}

/** Records a fault for a required operand that has no value, if the operation is an action. */
export function missing(
  context: ScriptContext,
  place: ParamSite,
  code: 'missing-value' | 'no-such-entity' | 'wrong-value',
  expected: string,
): void {
  if (!place.faults || place.optional) return;
  const message = `${place.operation}: \`${place.key}\` is not a valid ${expected}.`;
  if (code === 'no-such-entity' && !place.faultIfMissing) context.world.skip('nothing-to-act-on', message);
  else context.world.fault(code, message);
}
