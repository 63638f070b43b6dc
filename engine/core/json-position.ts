import { JsonScanner, token } from './json-scan.ts';
import { Lines } from './lines.ts';
import { joinPointer, parsePointer } from './pointer.ts';

/** Where a node stands in the text. Offsets count UTF-16 units from 0, the end is the first one behind the value. */
interface Location {
  /** Of the value, from 1. */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly endOffset: number;
  /** Of the member's key with its quote; undefined for array elements and for the whole document. */
  readonly keyOffset: number | undefined;
}

interface NearestLocation extends Location {
  /** False when the node itself is absent and this is its nearest ancestor that exists. */
  readonly exact: boolean;
}

/**
 * Finds many RFC 6901 pointers in one pass. A pointer to nothing is absent from the answer. Where an object has a key
 * twice, the last one counts, as in `JSON.parse`, and what only the earlier one held does not exist. Text that is not
 * JSON answers for what precedes the error; a container that the error leaves open ends at the error.
 */
export function locate(text: string, pointers: Iterable<string>): Map<string, Location> {
  const found = new Map<string, Location>();
  for (const [pointer, { exact, ...location }] of locateNearest(text, pointers))
    if (exact) found.set(pointer, location);
  return found;
}

/**
 * As `locate`, but a pointer to nothing answers with the nearest ancestor that exists: a missing field is reported at
 * its owner.
 */
export function locateNearest(text: string, pointers: Iterable<string>): Map<string, NearestLocation> {
  const root = new WantedNode(undefined);
  const wanted = new Map<string, WantedNode>();
  for (const pointer of pointers) {
    let node = root;
    for (const step of parsePointer(pointer)) node = node.child(step);
    wanted.set(pointer, node);
  }

  visitWanted(text, root);

  const lines = new Lines(text);
  const found = new Map<string, NearestLocation>();
  for (const [pointer, node] of wanted) {
    const nearest = node.nearest();
    if (nearest === undefined) continue;
    const { offset, endOffset, keyOffset } = nearest;
    found.set(pointer, { ...lines.at(offset), offset, endOffset, keyOffset, exact: nearest === node });
  }
  return found;
}

/**
 * One node of the tree of all wanted pointers. `visit` numbers the occasions on which it was met and `parentVisit` remembers the occasion
 * of its parent. When a duplicate key makes the parent be met again, everything found under the first occasion is void without being
 * touched.
 */
class WantedNode {
  readonly parent: WantedNode | undefined;
  children: Map<string, WantedNode> | undefined;
  visit = 0;
  parentVisit = -1;
  offset = 0;
  endOffset = 0;
  keyOffset: number | undefined;

  constructor(parent: WantedNode | undefined) {
    this.parent = parent;
  }

  child(step: string): WantedNode {
    this.children ??= new Map();
    let child = this.children.get(step);
    if (child === undefined) {
      child = new WantedNode(this);
      this.children.set(step, child);
    }
    return child;
  }

  /** The lowest node on the way from the root to this one such that it and all above it exist. */
  nearest(): WantedNode | undefined {
    let nearest: WantedNode | undefined = this;
    for (let node: WantedNode | undefined = this; node !== undefined; node = node.parent) {
      const exists = node.visit > 0 && node.parentVisit === (node.parent?.visit ?? -1);
      if (!exists) nearest = node.parent;
    }
    return nearest;
  }
}

function visitWanted(text: string, root: WantedNode): void {
  const scanner = new JsonScanner(text);
  // The wanted node of each open container, and how many elements of it were read if it is an array.
  const open: (WantedNode | undefined)[] = [];
  const counts: number[] = [];
  let visits = 0;
  let keyOffset: number | undefined;
  let member: WantedNode | undefined;
  for (;;) {
    const read = scanner.next();
    if (read === token.key) {
      const children = open[open.length - 1]?.children;
      member = children?.get(scanner.key);
      keyOffset = scanner.start;
    } else if (read === token.open || read === token.scalar) {
      const container = open.length - 1;
      let node: WantedNode | undefined;
      if (container < 0) node = root;
      else if (keyOffset !== undefined) node = member;
      else {
        const index = counts[container]!++;
        node = open[container]?.children?.get(String(index));
      }
      if (node !== undefined) {
        node.visit = ++visits;
        node.parentVisit = node.parent?.visit ?? -1;
        node.offset = scanner.start;
        node.endOffset = scanner.end;
        node.keyOffset = keyOffset;
      }
      keyOffset = undefined;
      if (read === token.open) {
        open.push(node);
        counts.push(0);
      }
    } else if (read === token.close) {
      counts.pop();
      const node = open.pop();
      if (node !== undefined) node.endOffset = scanner.end;
    } else {
      for (const node of open) if (node !== undefined) node.endOffset = scanner.end;
      return;
    }
  }
}

interface KeyPlace {
  /** Of the member. */
  readonly pointer: string;
  readonly key: string;
  /** Of the key with its quote. */
  readonly offset: number;
}

/**
 * Every key that its object already has, in order of the text; of three alike the second and the third. One pass that
 * remembers the keys of the open objects; `membersOf` says when it is worth making. Stops after `most`, because a
 * hostile document could fill the memory with pointers.
 */
export function duplicateKeys(text: string, most = Number.POSITIVE_INFINITY): KeyPlace[] {
  const found: KeyPlace[] = [];
  // One set per depth, emptied when another object of that depth begins.
  const objects: number[] = [];
  const keys: Set<string>[] = [];
  walkKeys(text, (key, offset, object, depth, pointer) => {
    if (objects[depth] !== object) {
      objects[depth] = object;
      keys[depth] = new Set();
    }
    const seen = keys[depth]!;
    if (seen.has(key)) found.push({ pointer: pointer(), key, offset });
    else seen.add(key);
    return found.length < most;
  });
  return found;
}

/**
 * The names of the keys that begin at `offsets`, and the objects they belong to. The text before them must be JSON, the text behind them
 * need not.
 */
export function keysAt(text: string, offsets: Iterable<number>): KeyPlace[] {
  const wanted = new Set(offsets);
  const found: KeyPlace[] = [];
  if (wanted.size === 0) return found;
  walkKeys(text, (key, offset, _object, _depth, pointer) => {
    if (wanted.delete(offset)) found.push({ pointer: pointer(), key, offset });
    return wanted.size > 0;
  });
  return found;
}

/**
 * Calls `visit` for each key in order of the text until it answers false or the text ends or is wrong. `object` is the
 * offset of the object the key belongs to; `pointer` makes the member's pointer, which is not done before it is asked
 * for.
 */
function walkKeys(
  text: string,
  visit: (key: string, offset: number, object: number, depth: number, pointer: () => string) => boolean,
): void {
  const scanner = new JsonScanner(text);
  // The key or index under which the value that is being read stands in each open container. An array begins at -1.
  const path: (string | number)[] = [];
  const pointer = () => path.reduce<string>(joinPointer, '');
  for (;;) {
    const read = scanner.next();
    if (read === token.key) {
      const { key } = scanner;
      path[path.length - 1] = key;
      if (!visit(key, scanner.start, scanner.container, scanner.depth, pointer)) return;
    } else if (read === token.open || read === token.scalar) {
      const step = path[path.length - 1];
      if (typeof step === 'number') path[path.length - 1] = step + 1;
      if (read === token.open) path.push(text.charCodeAt(scanner.start) === 0x5b ? -1 : '');
    } else if (read === token.close) {
      path.pop();
    } else {
      return;
    }
  }
}
