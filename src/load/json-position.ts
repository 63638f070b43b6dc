import { type Node, parseTree, visit } from 'jsonc-parser';
import { joinPointer, parsePointer } from '../../engine/core/index.ts';

/** The position of a node in the text. Offsets are in UTF-16 code units from 0; `endOffset` is exclusive. */
interface NearestLocation {
  readonly offset: number;
  readonly endOffset: number;
  /** Offset of the opening quote of the member's key; undefined for array elements and for the whole document. */
  readonly keyOffset: number | undefined;
  /** False if the node does not exist and this is its nearest existing ancestor. */
  readonly exact: boolean;
}

/**
 * Locates JSON Pointers (RFC 6901). A pointer to a missing node yields its nearest existing ancestor: a missing field
 * is reported at its owner. Of duplicate keys, the last one counts, as in `JSON.parse`. The text may be malformed, but
 * its nesting must be limited (`guardJson`).
 */
export function locateNearest(text: string, pointers: Iterable<string>): Map<string, NearestLocation> {
  const found = new Map<string, NearestLocation>();
  const root = parseTree(text);
  if (root === undefined) return found;
  for (const pointer of pointers) {
    let node = root;
    let exact = true;
    for (const step of parsePointer(pointer)) {
      const child = childOf(node, step);
      exact = child !== undefined;
      if (child === undefined) break;
      node = child;
    }
    const { offset, length, parent } = node;
    const keyOffset = parent?.type === 'property' ? parent.offset : undefined;
    found.set(pointer, { offset, endOffset: offset + length, keyOffset, exact });
  }
  return found;
}

function childOf({ type, children = [] }: Node, step: string): Node | undefined {
  if (type === 'array') return /^(0|[1-9]\d*)$/.test(step) ? children[Number(step)] : undefined;
  return children.findLast(({ children: [key] = [] }) => key?.value === step)?.children?.[1];
}

interface KeyPlace {
  /** JSON Pointer of the member. */
  readonly pointer: string;
  readonly key: string;
  /** Offset of the key's opening quote. */
  readonly offset: number;
}

/**
 * All keys that repeat an earlier key of their object, in text order; of three equal keys, the second and third.
 * Compare `memberCount` with `membersOf` first to see whether it is needed. Stops after `most`, because a hostile
 * document could fill the memory with pointers.
 */
export function duplicateKeys(text: string, most = Number.POSITIVE_INFINITY): KeyPlace[] {
  const found: KeyPlace[] = [];
  /** The keys of each open object. */
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      const seen = open.at(-1)!;
      if (seen.has(key) && found.length < most) found.push(keyPlace(key, offset, path()));
      seen.add(key);
    },
    onObjectEnd: () => {
      open.pop();
    },
  });
  return found;
}

/** The keys that start at `offsets`, with the pointers of their members; none after the first syntax error. */
export function keysAt(text: string, offsets: Iterable<number>): KeyPlace[] {
  const wanted = new Set(offsets);
  const found: KeyPlace[] = [];
  let isValid = true;
  visit(text, {
    onError: () => {
      isValid = false;
    },
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      if (isValid && wanted.has(offset)) found.push(keyPlace(key, offset, path()));
    },
  });
  return found;
}

function keyPlace(key: string, offset: number, owner: readonly (string | number)[]): KeyPlace {
  return { pointer: [...owner, key].reduce<string>(joinPointer, ''), key, offset };
}
