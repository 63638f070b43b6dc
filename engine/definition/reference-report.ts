import type { IssueDetails, Issues } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import { type Dictionary, defined, isRecord } from '../core/plain-object.ts';
import { joinPointer, parsePointer } from '../core/pointer.ts';
import type { Json } from './schema.ts';

/** A Map, Set or other collection of keys. */
export interface Keys {
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** The issue code of a dangling reference, by the noun of its target in messages. */
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
} as const satisfies Dictionary<IssueCode>;
export type Noun = keyof typeof codes;

/** Legacy spellings of keys, to find the pointer in documents that use them. */
const legacyNames: Dictionary<string> = { defaultItems: 'defaultItem', unselected: 'unSelected' };

/** A reference from one part of a definition to another, whether or not its target exists. */
export interface DefinitionReference {
  /** The kind of target, as issues call it. */
  readonly noun: string;
  readonly key: string;
  /** The collections in which the key may be declared. */
  readonly targets: readonly Keys[];
  /** The pointer to the value that is the key, or to the member whose name is the key. */
  readonly pointer: string;
}

/** Reports dangling references, with a pointer that exists in the original document. */
export class ReferenceReport {
  /** `listener` is called for every reference. */
  constructor(
    private readonly issues: Issues,
    private readonly document: Json,
    private readonly listener?: (reference: DefinitionReference) => void,
  ) {}

  /**
   * Reports an issue unless `key` is undefined or in one of `targets`. `at` is the pointer of the reference in the
   * normal form.
   */
  expect(noun: Noun, key: string | undefined, targets: readonly Keys[], at: string): void {
    if (key === undefined) return;
    this.mention(noun, key, targets, at);
    if (targets.some((each) => each.has(key))) return;
    const names = targets.flatMap((each) => [...each.keys()]);
    const suggestion = this.issues.near(codes[noun], key, names);
    const message = `There is no ${noun} "${key}".`;
    const details = { found: key, ...defined({ suggestion }) };
    this.issues.add(codes[noun], () => pointerIn(this.document, at, key), message, details);
  }

  /** Like `expect`, for each of several keys. Their pointers are `at` followed by `*`, which `pointerIn` resolves. */
  expectAll(noun: Noun, keys: Iterable<string>, target: Keys, at: string): void {
    for (const key of keys) this.expect(noun, key, [target], `${at}/*`);
  }

  /** Passes a reference to the listener. Unlike `expect`, reports no issue if the reference is dangling. */
  mention(noun: string, key: string, targets: readonly Keys[], at: string): void {
    this.listener?.({ noun, key, targets, pointer: pointerIn(this.document, at, key) });
  }

  add(code: IssueCode, message: string, details: IssueDetails, at: string): void {
    this.issues.add(code, () => pointerIn(this.document, at), message, details);
  }
}

/**
 * The pointer in a document for one in the normal form, which can differ in spelling and shape. Stops where the
 * document has no such member. A `*` in the pointer stands for the member `key` of an object, or for the element of an
 * array that is or has this key; not for an index, because normal arrays omit empty elements and so have other indices.
 */
export function pointerIn(document: Json, wanted: string, key = ''): string {
  const path = parsePointer(wanted);
  const found = followed(document, path, key);
  // In an editor's export, the metadata is beside `data`, not inside it.
  const isMissing = path.at(-2) === 'defaultData' && parsePointer(found).length < path.length;
  return isMissing ? followed(document, path.slice(-1), key) : found;
}

function followed(document: Json, path: readonly string[], key: string) {
  let pointer = '';
  let at = document;
  for (const wanted of path) {
    let name = wanted;
    if (Array.isArray(at)) {
      const index =
        wanted === '*'
          ? at.findIndex(
              (each) => each === key || (isRecord(each) && (each['key'] === key || each['itemTypeKey'] === key)),
            )
          : Number(wanted);
      if (!(index >= 0 && index < at.length)) return pointer;
      at = at[index];
      name = String(index);
    } else {
      if (!isRecord(at)) return pointer;
      if (name === '*') name = key;
      if (!Object.hasOwn(at, name)) {
        name = legacyNames[name] ?? name;
        if (!Object.hasOwn(at, name)) return pointer;
      }
      at = at[name];
    }
    pointer = joinPointer(pointer, name);
  }
  return pointer;
}
