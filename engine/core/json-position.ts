import { cached } from './cached.ts';
import { JsonScanner, token } from './json-scan.ts';
import { joinPointer, parsePointer } from './pointer.ts';

/** The position of a node in the text. Offsets are in UTF-16 code units from 0; `endOffset` is exclusive. */
interface Location {
  readonly offset: number;
  readonly endOffset: number;
  /** Offset of the opening quote of the member's key; undefined for array elements and for the whole document. */
  readonly keyOffset: number | undefined;
}

interface NearestLocation extends Location {
  /** False if the node does not exist; the location is then that of its nearest existing ancestor. */
  readonly exact: boolean;
}

/**
 * Locates many JSON Pointers (RFC 6901) in one pass. A pointer to a missing node yields its nearest existing ancestor:
 * a missing field is reported at its owner. Of duplicate keys, the last one counts, as in `JSON.parse`; nodes that
 * exist only in an earlier one do not exist. In malformed JSON, nodes before the error are found; a container that is
 * still open ends at the error.
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

  const found = new Map<string, NearestLocation>();
  for (const [pointer, node] of wanted) {
    const nearest = node.nearest();
    if (nearest === undefined) continue;
    const { offset, endOffset, keyOffset } = nearest;
    found.set(pointer, { offset, endOffset, keyOffset, exact: nearest === node });
  }
  return found;
}

/**
 * A node in the tree of all wanted pointers. `visit` is the number of the last visit of this node, `parentVisit` the
 * number of its parent's visit at that time. A duplicate key causes another visit of the parent. The two numbers then
 * differ, which invalidates everything found below the first visit.
 */
class WantedNode {
  children: Map<string, WantedNode> | undefined;
  visit = 0;
  parentVisit = -1;
  offset = 0;
  endOffset = 0;
  keyOffset: number | undefined;

  constructor(readonly parent: WantedNode | undefined) {}

  child(step: string): WantedNode {
    this.children ??= new Map();
    return cached(this.children, step, () => new WantedNode(this));
  }

  /** The deepest existing node on the path from the root to this one. */
  nearest(): WantedNode | undefined {
    let nearest: WantedNode | undefined = this;
    for (let node: WantedNode | undefined = this; node !== undefined; node = node.parent) {
      const exists = node.visit > 0 && node.parentVisit === (node.parent?.visit ?? -1);
      if (!exists) nearest = node.parent;
    }
    return nearest;
  }
}

function visitWanted(text: string, root: WantedNode) {
  const scanner = new JsonScanner(text);
  // The wanted node of each open container, and, for arrays, the number of elements read.
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

interface KeyPosition {
  /** JSON Pointer of the member. */
  readonly pointer: string;
  readonly key: string;
  /** Offset of the key's opening quote. */
  readonly offset: number;
}

/**
 * All keys that repeat an earlier key of their object, in text order: if a key occurs three times, its second and third
 * occurrence. Takes one pass and stores the keys of all open objects, so callers should first compare `memberCount`
 * with `membersOf` to see whether there are any. Stops after `most` keys, because a hostile document could fill the
 * memory with pointers.
 */
export function duplicateKeys(text: string, most = Infinity): KeyPosition[] {
  const found: KeyPosition[] = [];
  // One set per depth, cleared when another object at that depth begins.
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
 * The keys that start at `offsets`, with the pointers of their members. The text before them must be valid JSON; the
 * text after them need not be.
 */
export function keysAt(text: string, offsets: Iterable<number>): KeyPosition[] {
  const wanted = new Set(offsets);
  const found: KeyPosition[] = [];
  if (wanted.size === 0) return found;
  walkKeys(text, (key, offset, _object, _depth, pointer) => {
    if (wanted.delete(offset)) found.push({ pointer: pointer(), key, offset });
    return wanted.size > 0;
  });
  return found;
}

/**
 * Calls `visit` for each key in text order until it returns false, the text ends, or there is a syntax error. `object`
 * is the offset of the key's object; `pointer` builds the member's pointer on demand.
 */
function walkKeys(
  text: string,
  visit: (key: string, offset: number, object: number, depth: number, pointer: () => string) => boolean,
) {
  const scanner = new JsonScanner(text);
  // For each open container, the key or index of the value being read. Arrays start at -1.
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
