import type { Operand, Parameter, Syntax } from './ast.ts';
import type { Compilation } from './compilation.ts';
import type { Evaluate, ScriptContext } from './context.ts';

/**
 * The types an operand of an operation can have. A kind compiles a node into a closure whose result already has the type that the operation wants. A
 * misfit is a fault (actions) or no value (functions), here and not in every operation.
 *
 * A required operand of an action that gives no value records a fault with the parameter; the operation sees 0 or undefined and does nothing.
 * Functions stay silent, because asking about nothing is how games test for it.
 */
export interface ParamKind<T> extends Parameter {
  /** As `reenact ops` and the documentation print it. */
  readonly name: string;
  readonly optional: boolean;
  /** See `loud`. */
  readonly isLoud: boolean;
  /** JSON types of literals that make sense here; a literal of another type is an issue at load. Undefined: any. */
  readonly literals: readonly LiteralType[] | undefined;
  /** The sort of thing that a literal text refers to, so that a dangling reference is an issue at load. */
  readonly refersTo: Reference | undefined;
  compile(compiler: Compilation, node: Operand, place: ParamPlace): Evaluate<T>;
}

export type LiteralType = 'number' | 'string' | 'boolean' | 'object' | 'array';
export type Reference =
  | 'script'
  | 'ability'
  | 'unitAbility'
  | 'attribute'
  | 'variable'
  | 'unitType'
  | 'itemType'
  | 'projectileType'
  | 'playerType'
  | 'shop'
  | 'dialogue'
  | 'state'
  | 'sound'
  | 'music'
  | 'particle'
  | 'animation'
  | 'entityVariable'
  | 'playerVariable';

/** Where a parameter stands, for messages. */
export interface ParamPlace {
  /** An entity that does not exist is a fault and not only a skip. */
  readonly loud: boolean;
  readonly operation: string;
  readonly key: string;
  /** True in actions: missing required values are faults. */
  readonly faults: boolean;
  readonly optional: boolean;
}

export type Params = Readonly<Record<string, ParamKind<unknown>>>;
export type Operands<P extends Params> = {
  readonly [K in keyof P]: P[K] extends ParamKind<infer T> ? Evaluate<T> : never;
};

export function kind<T>(
  name: string,
  compile: ParamKind<T>['compile'],
  details: { literals?: readonly LiteralType[]; refersTo?: Reference; syntax?: Syntax } = {},
): ParamKind<T> {
  return {
    name,
    optional: false,
    isLoud: false,
    aliases: [],
    syntax: details.syntax ?? 'operand',
    literals: details.literals,
    refersTo: details.refersTo,
    compile,
  };
}

/** The operation can do without it; it then gets undefined or 0. */
export function optional<T>(param: ParamKind<T>): ParamKind<T> {
  return { ...param, optional: true };
}

/** An entity the operation cannot do without: none is a fault, where it otherwise is only a skip (reference: operations#missing-operands). */
export function loud<T>(param: ParamKind<T>): ParamKind<T> {
  return { ...param, isLoud: true };
}

/** Also read under these keys (editor and engines disagree, or an older editor wrote another one). */
export function alias<T>(param: ParamKind<T>, ...aliases: string[]): ParamKind<T> {
  return { ...param, aliases: [...param.aliases, ...aliases] };
}

/** The same kind under another name in the documentation. */
export function named<T>(param: ParamKind<T>, name: string, refersTo?: Reference): ParamKind<T> {
  return { ...param, name, refersTo: refersTo ?? param.refersTo };
}

/** Says that a required operand of an action gave nothing; functions stay silent. */
export function missing(
  context: ScriptContext,
  place: ParamPlace,
  code: 'missing-value' | 'no-such-entity' | 'wrong-value',
  expected: string,
): void {
  if (!place.faults || place.optional) return;
  const message = `${place.operation}: \`${place.key}\` gave no ${expected}.`;
  if (code === 'no-such-entity' && !place.loud) context.world.skip('nothing-to-act-on', message);
  else context.world.fault(code, message);
}
