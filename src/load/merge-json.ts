import { type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { isRecord, isSameJson, joinPointer } from '../../engine/core/index.ts';
import { applied, JsonEditor, nodeAt } from './json-edits.ts';

/** A value that was added to a document. The pointer of an entry that was added to a list ends with `/-`. */
export interface Addition {
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Merges `part` into the value at a pointer of a document, and returns the new text, which keeps the formatting of the
 * document. Objects are merged member by member, lists get the entries of `part` that they do not have, and all other
 * values stay.
 *
 * `kept` contains the pointers at which `part` has another value than the document, whose value stays.
 *
 * `isThing`: whether a value at a pointer is recorded as one addition. Of other objects and lists, each member and
 * entry is recorded separately. `isKnown`: whether a value at a pointer was added before. It is not added again,
 * because the user may have removed it.
 */
export function mergeJson(
  text: string,
  at: string,
  part: unknown,
  { isThing, isKnown }: Readonly<Record<'isThing' | 'isKnown', (pointer: string) => boolean>>,
) {
  const added: Addition[] = [];
  const kept: string[] = [];
  const node = nodeAt(parseTree(text)!, at)!;
  const edits = new JsonEditor(text).value(node, merge(getNodeValue(node), part, at));
  return { text: applied(text, edits), added, kept };

  function merge(had: unknown, value: unknown, pointer: string): unknown {
    if (isRecord(had) && isRecord(value)) {
      const merged: Record<string, unknown> = { ...had };
      for (const [key, member] of Object.entries(value)) {
        const place = joinPointer(pointer, key);
        if (Object.hasOwn(had, key)) merged[key] = merge(had[key], member, place);
        else if (!isKnown(place)) {
          note(place, member);
          merged[key] = member;
        }
      }
      return merged;
    }
    if (Array.isArray(had) && Array.isArray(value)) {
      const isNew = !isKnown(`${pointer}/-`);
      const lacking: unknown[] = value.filter((each) => isNew && !had.some((other) => isSameJson(other, each)));
      for (const each of lacking) added.push({ pointer: `${pointer}/-`, value: each });
      return [...had, ...lacking];
    }
    if (!isSameJson(had, value)) kept.push(pointer);
    return had;
  }

  function note(pointer: string, value: unknown) {
    const isList = Array.isArray(value);
    const isWhole = isThing(pointer) || (!isList && !isRecord(value));
    added.push({ pointer, value: isWhole ? value : isList ? [] : {} });
    if (isWhole) return;
    for (const [key, member] of Object.entries(value as object))
      if (isList) added.push({ pointer: `${pointer}/-`, value: member });
      else note(joinPointer(pointer, key), member);
  }
}

/**
 * Removes additions, the last one first. Additions that the document no longer contains are skipped. `changed` contains
 * the pointers of values that differ from the added ones; these are not removed. `kept` contains objects and lists that
 * were added empty and now have other contents; these are not removed, either.
 */
export function takeBack<A extends Addition>(text: string, additions: readonly A[]) {
  const changed: string[] = [];
  const kept: A[] = [];
  let left = text;
  for (const addition of additions.toReversed()) {
    const { pointer, value } = addition;
    const [place, entry] = pointer.split(/(\/-)$/);
    const found = nodeAt(parseTree(left)!, place!);
    const node =
      entry === undefined ? found : found?.children?.findLast((each) => isSameJson(getNodeValue(each), value));
    if (node === undefined) continue;
    if (isSameJson(getNodeValue(node), value)) left = applied(left, removal(left, node));
    else if (typeof value === 'object' && Object.keys(value as object).length === 0) kept.unshift(addition);
    else changed.push(pointer);
  }
  return { text: left, changed, kept };
}

/** Removes a member or entry with the comma that becomes redundant. */
function removal(text: string, value: Node): Edit[] {
  const node = value.parent!.type === 'property' ? value.parent! : value;
  const siblings = node.parent!.children!;
  return new JsonEditor(text).children(
    node.parent!,
    siblings.filter((each) => each !== node),
  );
}
