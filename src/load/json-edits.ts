import { diffArrays } from 'diff';
import { type Edit, getNodeValue, type Node } from 'jsonc-parser';
import { isRecord, isSameJson, parsePointer } from '../../engine/core/index.ts';

/** A new child of a list or, with a key, of an object. */
interface NewChild {
  readonly key?: string;
  readonly value: unknown;
}

/** Edits a JSON text in its own layout: a document of one line stays one line. */
export class JsonEditor {
  /** The indentation of one level; empty if the document is one line. */
  private readonly unit: string;
  private readonly end: string;

  constructor(private readonly text: string) {
    const [, end = '', unit = ''] = /(\r?\n)([ \t]+)/.exec(text) ?? [];
    this.unit = unit;
    this.end = end;
  }

  /** The edits that turn a node into a value. What is the same in both stays untouched. */
  value(node: Node, value: unknown): Edit[] {
    const had: unknown = getNodeValue(node);
    if (isSameJson(had, value)) return [];
    const { children = [], offset, length } = node;
    const edits: Edit[] = [];
    const turned = (child: Node, to: unknown, old = child): Node => {
      edits.push(...this.value(old, to));
      return child;
    };
    if (Array.isArray(had) && Array.isArray(value)) {
      const replaced = counterparts(had.map(textOf), value.map(textOf));
      const wanted = value.map((entry, i) => {
        const child = children[replaced[i] ?? -1];
        return child === undefined ? { value: entry } : turned(child, entry);
      });
      return [...edits, ...this.children(node, wanted)];
    }
    if (isRecord(had) && isRecord(value)) {
      const kept = children.filter((child) => Object.hasOwn(value, keyOf(child)));
      const added = Object.entries(value).filter(([key]) => !Object.hasOwn(had, key));
      const wanted = [
        ...kept.map((child) => turned(child, value[keyOf(child)], child.children![1])),
        ...added.map(([key, member]) => ({ key, value: member })),
      ];
      return [...edits, ...this.children(node, wanted)];
    }
    const isOneLine = this.unit === '' || !this.text.slice(node.parent?.offset, offset).includes('\n');
    return [{ offset, length, content: this.written({ value }, indentAt(this.text, offset), isOneLine) }];
  }

  /** The edits that give an object or list these children. Current children that are not among them are removed. */
  children(node: Node, wanted: readonly (Node | NewChild)[]): Edit[] {
    const { text, unit, end } = this;
    const edits: Edit[] = [];
    const had = node.children ?? [];
    const [first] = had;
    const isOneLine = unit === '' || (first !== undefined && !text.slice(node.offset, first.offset).includes('\n'));
    const around = indentAt(text, node.offset);
    const indent = first === undefined || isOneLine ? around + unit : indentAt(text, first.offset);
    const gap = unit === '' ? '' : isOneLine ? ' ' : end + indent;
    let at = 0;
    let added: string[] = [];

    /** Puts the added children in place of those from `at` to `next`. */
    const replace = (next: number) => {
      const [before, after] = [had[at - 1], had[next]];
      if (added.length > 0 || next > at) {
        const inner = [...(before ? [''] : []), ...added, ...(after ? [''] : [])].join(`,${gap}`);
        const isWhole = before === undefined && after === undefined;
        const from = before ? endOf(before) : after ? first!.offset : node.offset + 1;
        const to = after?.offset ?? endOf(before ? had.at(-1)! : node) - (before ? 0 : 1);
        const close = unit === '' ? '' : isOneLine ? ' ' : end + around;
        edits.push({
          offset: from,
          length: to - from,
          content: isWhole && added.length > 0 ? `${gap}${inner}${close}` : inner,
        });
      }
      added = [];
      at = next + 1;
    };

    for (const each of wanted)
      if ('offset' in each) replace(had.indexOf(each));
      else added.push(this.written(each, indent, isOneLine));
    replace(had.length);
    return edits;
  }

  private written({ key, value }: NewChild, indent: string, isOneLine: boolean) {
    const { unit, end } = this;
    const head = key === undefined ? '' : `${JSON.stringify(key)}:${unit === '' ? '' : ' '}`;
    if (unit === '') return head + JSON.stringify(value);
    return head + (isOneLine ? oneLine(value) : printed(value, indent, unit, end, head.length));
  }
}

/**
 * For each entry of a list, the index of the entry of an earlier list that it equals, or else replaces; undefined for
 * an added entry.
 */
export function counterparts(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  let at = 0;
  let replaced: number[] = [];
  for (const { value, added, removed } of diffArrays([...before], [...after], { maxEditLength: 2000 }) ?? []) {
    const old = added ? replaced : value.map(() => at++);
    replaced = removed ? old : [];
    if (!removed) found.push(...value.map((_, i) => old[i]));
  }
  return found;
}

function textOf(value: unknown) {
  return JSON.stringify(value);
}

/** Applies edits in one pass; `applyEdits` of jsonc-parser copies the text for each edit. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { offset, length, content } of edits.toSorted((a, b) => a.offset - b.offset)) {
    parts.push(text.slice(end, offset), content);
    end = offset + length;
  }
  return parts.join('') + text.slice(end);
}

export function nodeAt(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root;
  for (const token of parsePointer(pointer)) {
    node = node?.type === 'array' ? node.children?.[Number(token)] : node && memberOf(node, token);
  }
  return node;
}

/** A member of an object; undefined if there is none. If a key occurs twice, the last one counts. */
export function memberOf(node: Node, key: string): Node | undefined {
  return node.children?.findLast((each) => keyOf(each) === key)?.children?.[1];
}

export function keyOf(property: Node): string {
  return property.children![0]!.value;
}

function endOf({ offset, length }: Node) {
  return offset + length;
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number) {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
}

const lineMax = 100;

/** The JSON of a value, with each object and list on one line if the line is short enough. */
function printed(value: unknown, indent: string, unit: string, end: string, headLength: number): string {
  const line = oneLine(value);
  if (indent.length + headLength + line.length <= lineMax || typeof value !== 'object' || value === null) return line;
  const inner = indent + unit;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, member]) => {
    const head = isList ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${head}${printed(member, inner, unit, end, head.length)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}${end}${parts.join(`,${end}`)}${end}${indent}${close}`;
}

/** JSON on one line with spaces. Line breaks of `JSON.stringify` are never inside of strings. */
function oneLine(value: unknown) {
  const lines = JSON.stringify(value, undefined, 1);
  return lines.replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '').replaceAll(/\n */g, ' ');
}
