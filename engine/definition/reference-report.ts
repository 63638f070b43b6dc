import type { IssueDetails, Issues } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import { joinPointer, parsePointer } from '../core/pointer.ts';
import type { Definition } from './definition.ts';
import { isObject } from './reader.ts';
import type { Json } from './schema.ts';

/** Anything that knows its keys. */
export interface Keys {
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** What can be referred to, as issues call it, with the code for a reference that leads nowhere. */
const codes = {
  animation: 'dangling-animation',
  'animation type': 'dangling-animation',
  attribute: 'dangling-attribute',
  body: 'dangling-body',
  'body type': 'dangling-body',
  buff: 'dangling-buff',
  dialogue: 'dangling-dialogue',
  faction: 'dangling-player-type',
  folder: 'dangling-folder',
  'item type': 'dangling-item-type',
  particle: 'dangling-media',
  player: 'dangling-player-type',
  'player type': 'dangling-player-type',
  'projectile type': 'dangling-projectile-type',
  release: 'dangling-release',
  script: 'dangling-script',
  shop: 'dangling-shop',
  'unit type': 'dangling-unit-type',
  'unit type or player type': 'dangling-unit-type',
} as const satisfies Readonly<Record<string, IssueCode>>;
export type Noun = keyof typeof codes;

/** Legacy spelling of a key, for pointing at what the document really says. */
const twins: Readonly<Record<string, string>> = { defaultItems: 'defaultItem', unselected: 'unSelected' };

/** Reports references that lead nowhere, with a pointer that exists in the document as given. */
export class ReferenceReport {
  private readonly issues: Issues;
  private readonly document: Json;

  constructor(issues: Issues, document: Json) {
    this.issues = issues;
    this.document = document;
  }

  /** Expects `key`, which is written at `pointer` below `base`, to be one of `targets`. */
  expect(noun: Noun, key: string | undefined, targets: readonly Keys[], base: string, ...below: string[]): void {
    this.expectAs(codes[noun], noun, key, targets, base, ...below);
  }

  /** The same for each of some keys; `*` is added to the path. */
  expectAll(noun: Noun, keys: Iterable<string>, target: Keys, base: string, ...below: string[]): void {
    for (const key of keys) this.expect(noun, key, [target], base, ...below, '*');
  }

  /** As `expect`, under a code of the place rather than of the noun. */
  expectAs(
    code: IssueCode,
    noun: string,
    key: string | undefined,
    targets: readonly Keys[],
    base: string,
    ...below: string[]
  ): void {
    if (key === undefined || targets.some((each) => each.has(key))) return;
    const names = targets.flatMap((each) => [...each.keys()]);
    const suggestion = this.issues.near(code, key, names);
    const message = `There is no ${noun} "${key}".`;
    const details = { found: key, ...(suggestion === undefined ? {} : { suggestion }) };
    this.issues.add(code, () => this.pointer(key, base, below), message, details);
  }

  add(code: IssueCode, message: string, details: IssueDetails, base: string, ...below: string[]): void {
    this.addFor('', code, message, details, base, ...below);
  }

  /** As `add`, where `*` stands for the element or member of `key`. */
  addFor(key: string, code: IssueCode, message: string, details: IssueDetails, base: string, ...below: string[]): void {
    this.issues.add(code, () => this.pointer(key, base, below), message, details);
  }

  /** Where metadata lie: in `defaultData` or beside `data`. */
  metadata({ pointer }: Definition, field: string): string {
    return this.has(`${pointer}/defaultData/${field}`) ? `${pointer}/defaultData` : '';
  }

  /** Whether the document has something at `pointer`. */
  has(pointer: string): boolean {
    return this.pointer('', pointer, []) === pointer;
  }

  /**
   * Follows the path as far as the document goes: normal forms have fields and shapes that the document spells differently. An array that
   * is to contain `key` is searched for it, since normal arrays leave out empty entries.
   */
  private pointer(key: string, base: string, below: readonly string[]): string {
    let pointer = '';
    let at: Json = this.document;
    for (const wanted of [...parsePointer(base), ...below]) {
      let name = wanted;
      if (Array.isArray(at)) {
        const index =
          wanted === '*'
            ? at.findIndex(
                (each) => each === key || (isObject(each) && (each['key'] === key || each['itemTypeKey'] === key)),
              )
            : Number(wanted);
        if (!(index >= 0 && index < at.length)) return pointer;
        at = at[index];
        name = String(index);
      } else {
        if (!isObject(at)) return pointer;
        if (name === '*') name = key;
        if (!Object.hasOwn(at, name)) {
          name = twins[name] ?? name;
          if (!Object.hasOwn(at, name)) return pointer;
        }
        at = at[name];
      }
      pointer = joinPointer(pointer, name);
    }
    return pointer;
  }
}
