import type { Dictionary } from '../core/plain-object.ts';

/**
 * The words of the host, that is, of the program that runs a game: operations and triggers that scripts use like those
 * of the language. They are plain data and part of the definition, so games with different words have different hashes.
 */

/**
 * An operand of an operation, or a member of a trigger's payload: the name of its kind, or an object with this name and
 * whether the operand may be absent.
 */
export type HostOperand = string | { readonly kind: string; readonly optional?: boolean };

/** The type of a value that the host provides. */
export type HostType = 'number' | 'string' | 'boolean';

/** An action, or a function if it has `returns`. */
export interface HostOperation {
  /**
   * What the operation does or returns, as a sentence; optionally with example operands and descriptions of operands.
   */
  readonly about:
    | string
    | {
        readonly sentence: string;
        /**
         * Example operands. Needed only if the examples that are derived from the kinds of the operands would not be
         * instructive.
         */
        readonly example?: Dictionary;
        /**
         * Descriptions of operands whose keys are unique to this operation or mean something else in other operations.
         */
        readonly operands?: Dictionary<string>;
      };
  readonly params?: Dictionary<HostOperand>;
  readonly returns?: HostType;
  /** If given, the function returns this member of the trigger's payload instead of a value that the host has set. */
  readonly payload?: string;
}

export interface HostTrigger {
  /** When the trigger fires. */
  readonly about: string;
  /**
   * The members of the trigger's payload: those named `unit`, `item`, `projectile` or `player` are entities, all others
   * have a `HostType`.
   */
  readonly payload?: Dictionary<HostOperand>;
  /**
   * Whether clients of a server may fire the trigger. The payload must then declare `player`: the player of that
   * client.
   */
  readonly fromClients?: boolean;
}

export interface HostWords {
  readonly operations?: Dictionary<HostOperation>;
  readonly triggers?: Dictionary<HostTrigger>;
}

/** The words of a host after they were checked. */
export interface Host extends HostWords {
  readonly operations: Dictionary<HostOperation>;
  readonly triggers: Dictionary<HostTrigger>;
}

/** The kind of an operand, and whether it may be absent. */
export function kindOf(operand: HostOperand): { readonly kind: string; readonly optional: boolean } {
  return typeof operand === 'string'
    ? { kind: operand, optional: false }
    : { kind: operand.kind, optional: operand.optional === true };
}

/**
 * The key under which the value of a function of the host is stored. `operands`: ids and plain values, in the order of
 * the function's parameters.
 */
export function hostKey(operation: string, operands: readonly unknown[]): string {
  return JSON.stringify([operation, ...operands]);
}
