import { MalformedBytes } from '../core/bytes.ts';
import type { StateDigest } from './digest.ts';
import type { Parts } from './parts.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** How values of rows beside each other are found to be equal, and made from each other. */
export interface Twins<T> {
  /** Whether two are written as the same bytes, and are right or wrong alike. May be false for some that are. */
  areSame(a: T, b: T): boolean;
  /** As if it had been read a second time: what can change inside is another object. */
  copy(value: T): T;
}

/** Of values that cannot change inside, and of those whose identity counts. */
export const plain = { areSame: Object.is, copy: <T>(value: T): T => value };

/** Everything that is known of the values of a field. See `index.ts` for how declarations are written. */
export interface Kind<T> {
  /** The part of a declaration that tests and tools read. */
  readonly form: Form;
  /** The value of a field that says nothing else; a new one each time where values can change inside. */
  first(): T;
  /** The type of which each value is right, where `check` asks for nothing else. */
  readonly anyOfType?: 'number' | 'boolean' | 'string' | undefined;
  /** Throws `MalformedBytes` with the path of the value unless it is one of the kind. */
  check(value: unknown, at: Checker): void;
  write(value: T, to: StateWriter): void;
  /** Throws `MalformedBytes` for bytes that are none of the kind. The caller has still to check the result. */
  read(from: StateReader): T;
  hash(value: T, to: StateDigest): void;
  /** Undefined where a list by row is not to look for values that are equal. */
  readonly twins?: Twins<T> | undefined;
  /** The value as differences show it, where its parts have other names for people. */
  shown?(value: T): unknown;
}

export type Infer<K> = K extends Kind<infer T> ? T : never;

export interface Form {
  readonly is: string;
  /** Of elements, of what an optional field holds. */
  readonly of?: Kind<unknown>;
  readonly key?: Kind<unknown>;
  readonly fields?: Fields;
  readonly cases?: { readonly [name: string]: Kind<unknown> };
  /** Words to choose from, the kind of entity, the group of parts. */
  readonly words?: readonly string[];
}

export interface Fields {
  readonly [name: string]: Kind<unknown>;
}

/** Questions that checks ask about the state as a whole. */
export interface Scope {
  /** How many there are of what is named by place: `row` for those of entities, and what declarations ask for by `index`. */
  sizeOf(table: string): number;
  /** Whether a number names an entity, or one that is gone, or none; of the kind, where one is wanted. */
  isEntity(entity: number, kind: string | undefined): boolean;
  readonly parts: Pick<Parts, 'isOf'>;
}

/** Walks with a check and knows where it is. */
export class Checker {
  readonly scope: Scope;
  private readonly path: (string | number)[] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Checks what lies below the present place. */
  below(step: string | number, kind: Pick<Kind<unknown>, 'check'>, value: unknown): void {
    this.path.push(step);
    kind.check(value, this);
    this.path.pop();
  }

  /** Checks the numbers of a column, which stand `step` apart from `start` on. */
  column(name: string, kind: Kind<number>, numbers: ArrayLike<number>, start = 0, step = 1): void {
    this.path.push(name);
    this.elements(kind, numbers, start, step);
    this.path.pop();
  }

  /** Checks the elements of a list, as `column` does. */
  elements<T>(kind: Kind<T>, list: ArrayLike<unknown>, start = 0, step = 1): void {
    const last = this.path.push(0) - 1;
    for (let i = start, row = 0; i < list.length; i += step, row++) {
      this.path[last] = row;
      kind.check(list[i], this);
    }
    this.path.pop();
  }

  demand(holds: boolean, what: string): void {
    if (!holds) throw new MalformedBytes(`${this.path.length === 0 ? 'This' : this.path.join('/')} is ${what}.`);
  }
}

const nothing: Scope = { sizeOf: () => 0, isEntity: () => false, parts: { isOf: () => false } };

/** Whether a value that names neither entities nor parts of a definition is of a kind. */
export function accepts(kind: Kind<unknown>, value: unknown): boolean {
  try {
    kind.check(value, new Checker(nothing));
    return true;
  } catch (error) {
    if (error instanceof MalformedBytes) return false;
    throw error;
  }
}

/** A declaration as plain data: two that declare the same have equal outlines. */
export function outlineOf({ form }: Kind<unknown>): unknown {
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
