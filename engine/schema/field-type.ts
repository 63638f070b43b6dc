import { MalformedBytes } from '../core/bytes.ts';
import type { GraphCopier } from '../core/graph-copy.ts';
import type { Parts } from './parts.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** The `copy` of field types whose values are immutable. */
export const identity = <T>(value: T): T => value;

/** Describes the values of a field. See `index.ts` for how declarations are written. */
export interface FieldType<T> {
  /** The declaration as data, for tests and tools. */
  readonly form: Form;
  /** The initial value. Mutable values are new on each call. */
  initial(): T;
  /** Set only if every value of this JavaScript type is valid. */
  readonly primitiveType?: 'number' | 'boolean' | 'string' | undefined;
  /** Checks a value. Throws `MalformedBytes` with the path of the value if it is not of this type. */
  check(value: unknown, at: Checker): void;
  write(value: T, to: StateWriter): void;
  /**
   * Reads a value. Throws `MalformedBytes` if the bytes cannot be decoded. The caller must still `check` the result.
   */
  read(from: StateReader): T;
  /**
   * Copies the value for another world, as if it had been written and read. Mutable objects are copied. Columns are
   * shared: the caller must copy their numbers before the original changes.
   */
  copy(value: T, to: GraphCopier): T;
  /**
   * The form in which a comparison of two states shows the value. Without this method, comparisons show the value
   * itself.
   */
  display?(value: T): unknown;
}

export type Infer<K> = K extends FieldType<infer T> ? T : never;

export interface Form {
  readonly is: string;
  /** The type of elements, or of the value of an optional field. */
  readonly of?: FieldType<unknown>;
  readonly key?: FieldType<unknown>;
  readonly fields?: Fields;
  readonly cases?: { readonly [name: string]: FieldType<unknown> };
  /** The allowed words, the kind of entity, or the group of definition parts. */
  readonly words?: readonly string[];
}

export interface Fields {
  readonly [name: string]: FieldType<unknown>;
}

/** The facts about the whole state that checks of its parts need. */
export interface Scope {
  /** The number of entries of a table: `row` for entity rows, otherwise the name passed to `index`. */
  sizeOf(table: string): number;
  /** Whether the number is an entity of the kind (any kind if undefined), one that no longer exists, or 0. */
  isEntity(entity: number, kind: string | undefined): boolean;
  readonly parts: Pick<Parts, 'isOf'>;
}

/**
 * An error that says what is wrong with a value, and where. While the error propagates, each enclosing check prepends
 * its part of the path.
 */
class Wrong extends MalformedBytes {
  constructor(
    private readonly what: string,
    path?: string,
  ) {
    super(`${path ?? 'This'} is ${what}.`);
    this.path = path;
  }
  private readonly path: string | undefined;

  static below(step: string | number, error: unknown): unknown {
    if (!(error instanceof Wrong)) return error;
    return new Wrong(error.what, error.path === undefined ? String(step) : `${step}/${error.path}`);
  }
}

/**
 * The context of a check, which is passed to the checks of all nested values. The path to a value is only built if the
 * value is invalid.
 */
export class Checker {
  constructor(readonly scope: Scope) {}

  /** Checks a member of the current value. */
  below(step: string | number, kind: Pick<FieldType<unknown>, 'check'>, value: unknown): void {
    try {
      kind.check(value, this);
    } catch (error) {
      throw Wrong.below(step, error);
    }
  }

  /** Checks the numbers of a column. */
  column(name: string, kind: FieldType<number>, numbers: ArrayLike<number>): void {
    let i = 0;
    try {
      // Runs of equal numbers are common; each run needs only one check.
      for (; i < numbers.length; i++) {
        const number = numbers[i]!;
        if (i === 0 || !Object.is(number, numbers[i - 1])) kind.check(number, this);
      }
    } catch (error) {
      throw Wrong.below(name, Wrong.below(i, error));
    }
  }

  /** Checks the elements of a list. */
  elements<T>(kind: FieldType<T>, list: readonly unknown[]): void {
    let i = 0;
    try {
      for (; i < list.length; i++) if (i === 0 || !Object.is(list[i], list[i - 1])) kind.check(list[i], this);
    } catch (error) {
      throw Wrong.below(i, error);
    }
  }

  demand(holds: boolean, what: string): void {
    if (!holds) throw new Wrong(what);
  }
}

const nothing: Scope = { sizeOf: () => 0, isEntity: () => false, parts: { isOf: () => false } };

/** Whether a value matches a field type. Only for types without references to entities or definition parts. */
export function accepts(kind: FieldType<unknown>, value: unknown): boolean {
  try {
    kind.check(value, new Checker(nothing));
    return true;
  } catch (error) {
    if (error instanceof MalformedBytes) return false;
    throw error;
  }
}

/** A declaration as plain data. Equal declarations have equal layouts. */
export function layoutOf({ form }: FieldType<unknown>): unknown {
  const { is, of, key, fields, cases, words } = form;
  const members = fields ?? cases;
  return [
    is,
    words ?? null,
    key === undefined ? null : layoutOf(key),
    of === undefined ? null : layoutOf(of),
    members === undefined ? null : Object.entries(members).map(([name, kind]) => [name, layoutOf(kind)]),
  ];
}
