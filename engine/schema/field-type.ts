import { MalformedBytes } from '../core/bytes.ts';
import type { GraphCopier } from '../core/graph-copy.ts';
import type { Parts } from './parts.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** As `Kind.copy`, of values that cannot change inside. */
export const identity = <T>(value: T): T => value;

/** Everything that is known of the values of a field. See `index.ts` for how declarations are written. */
export interface FieldType<T> {
  /** The part of a declaration that tests and tools read. */
  readonly form: Form;
  /** The value of a field that says nothing else; a new one each time where values can change inside. */
  initial(): T;
  /** The type of which each value is right, where `check` asks for nothing else. */
  readonly primitiveType?: 'number' | 'boolean' | 'string' | undefined;
  /** Throws `MalformedBytes` with the path of the value unless it is one of the kind. */
  check(value: unknown, at: Checker): void;
  write(value: T, to: StateWriter): void;
  /** Throws `MalformedBytes` for bytes that are none of the kind. The caller has still to check the result. */
  read(from: StateReader): T;
  /**
   * The value for another world at this moment, as if it had been written and read. Objects that can change are others. Columns stay the same
   * ones: the other world takes their numbers over at once.
   */
  copy(value: T, to: GraphCopier): T;
  /** The value as differences show it, where its parts have other names for people. */
  display?(value: T): unknown;
}

export type Infer<K> = K extends FieldType<infer T> ? T : never;

export interface Form {
  readonly is: string;
  /** Of elements, of what an optional field holds. */
  readonly of?: FieldType<unknown>;
  readonly key?: FieldType<unknown>;
  readonly fields?: Fields;
  readonly cases?: { readonly [name: string]: FieldType<unknown> };
  /** Words to choose from, the kind of entity, the group of parts. */
  readonly words?: readonly string[];
}

export interface Fields {
  readonly [name: string]: FieldType<unknown>;
}

/** Questions that checks ask about the state as a whole. */
export interface Scope {
  /** How many there are of what is named by place: `row` for those of entities, and what declarations ask for by `index`. */
  sizeOf(table: string): number;
  /** Whether a number names an entity, or one that is gone, or none; of the kind, where one is wanted. */
  isEntity(entity: number, kind: string | undefined): boolean;
  readonly parts: Pick<Parts, 'isOf'>;
}

/** Says what is wrong with a value, and where: each that has checked a part adds its step while the error passes. */
class Wrong extends MalformedBytes {
  constructor(what: string, path?: string) {
    super(`${path ?? 'This'} is ${what}.`);
    this.what = what;
    this.path = path;
  }
  private readonly what: string;
  private readonly path: string | undefined;

  static below(step: string | number, error: unknown): unknown {
    if (!(error instanceof Wrong)) return error;
    return new Wrong(error.what, error.path === undefined ? String(step) : `${step}/${error.path}`);
  }
}

/** Walks with a check. Where it is, it finds out when something is wrong. */
export class Checker {
  readonly scope: Scope;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Checks what lies below the present place. */
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
      // Equal numbers often stand beside each other, and one check serves for all.
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

/** Whether a value that names neither entities nor parts of a definition is of a kind. */
export function accepts(kind: FieldType<unknown>, value: unknown): boolean {
  try {
    kind.check(value, new Checker(nothing));
    return true;
  } catch (error) {
    if (error instanceof MalformedBytes) return false;
    throw error;
  }
}

/** A declaration as plain data: two that declare the same have equal outlines. */
export function outlineOf({ form }: FieldType<unknown>): unknown {
  const { is, of, key, fields, cases, words } = form;
  const members = fields ?? cases;
  return [
    is,
    words ?? null,
    key === undefined ? null : outlineOf(key),
    of === undefined ? null : outlineOf(of),
    members === undefined ? null : Object.entries(members).map(([name, kind]) => [name, outlineOf(kind)]),
  ];
}
