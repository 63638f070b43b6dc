import { diffArrays } from 'diff';
import { type Edit, getNodeValue, type Node } from 'jsonc-parser';
import { isRecord, isSameJson, parsePointer } from '../../engine/core/index.ts';

/** A new child of a list or, with a key, of an object. */
interface NewChild {
  readonly key?: string | undefined;
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

  /**
   * The edits that give an object or list these children. Those of its nodes that are among them, in their order, stay
   * untouched; the others are removed.
   */
  children(node: Node, wanted: readonly (Node | NewChild)[]): Edit[] {
    const edits: Edit[] = [];
    const had = node.children ?? [];
    const [first] = had;
    const isOneLine =
      this.unit === '' || (first !== undefined && !this.text.slice(node.offset, first.offset).includes('\n'));
    const around = indentAt(this.text, node.offset);
    const indent = first === undefined || isOneLine ? around + this.unit : indentAt(this.text, first.offset);
    const gap = this.unit === '' ? '' : isOneLine ? ' ' : this.end + indent;
    let at = 0;
    let added: string[] = [];

    /** Puts the added children in place of those from `at` to `next`. */
    const flush = (next: number): void => {
      const replaced = Math.min(added.length, next - at);
      for (const content of added.splice(0, replaced)) edits.push({ ...spanOf(had[at++]!), content });
      const [before, after] = [had[at - 1], had[next]];
      const content = added.join(`,${gap}`);
      if (before !== undefined) {
        const offset = endOf(before);
        const length = next > at ? endOf(had[next - 1]!) - offset : 0;
        if (length > 0 || content !== '') edits.push({ offset, length, content: content && `,${gap}${content}` });
      } else if (after !== undefined) {
        const offset = had[at]!.offset;
        const length = after.offset - offset;
        if (length > 0 || content !== '') edits.push({ offset, length, content: content && `${content},${gap}` });
      } else if (next > at || content !== '') {
        const inner = content && `${gap}${content}${gap === '' ? '' : isOneLine ? ' ' : this.end + around}`;
        edits.push({ offset: node.offset + 1, length: node.length - 2, content: inner });
      }
      added = [];
      at = next + 1;
    };

    for (const each of wanted) {
      if ('offset' in each) flush(had.indexOf(each));
      else added.push(this.written(each, indent, isOneLine));
    }
    flush(had.length);
    return edits;
  }

  /** The edits that turn a node into a value. What is the same in both stays untouched. */
  value(node: Node, value: unknown): Edit[] {
    const had: unknown = getNodeValue(node);
    if (isSameJson(had, value)) return [];
    const children = node.children ?? [];
    if (Array.isArray(had) && Array.isArray(value)) return this.list(node, had, value);
    if (isRecord(had) && isRecord(value)) {
      const kept = children.filter((child) => Object.hasOwn(value, String(keyOf(child))));
      const added = Object.entries(value).filter(([key]) => !Object.hasOwn(had, key));
      return [
        ...kept.flatMap((child) => this.value(child.children![1]!, value[String(keyOf(child))])),
        ...this.children(node, [...kept, ...added.map(([key, member]) => ({ key, value: member }))]),
      ];
    }
    const isOneLine = this.unit === '' || !this.text.slice(node.parent?.offset, node.offset).includes('\n');
    return [{ ...spanOf(node), content: this.written({ value }, indentAt(this.text, node.offset), isOneLine) }];
  }

  /** Entries that come in place of others are turned into them, as far as both have a like. */
  private list(node: Node, had: readonly unknown[], value: readonly unknown[]): Edit[] {
    const edits: Edit[] = [];
    const wanted: (Node | NewChild)[] = [];
    const written = (entries: readonly unknown[]): string[] => entries.map((entry) => JSON.stringify(entry));
    let replaced: readonly Node[] = [];
    let at = 0;
    let next = 0;
    for (const { value: chunk, added, removed } of diffArrays(written(had), written(value))) {
      const nodes = added ? [] : node.children!.slice(at, at + chunk.length);
      at += nodes.length;
      if (removed) replaced = nodes;
      else if (!added) {
        wanted.push(...nodes);
        replaced = [];
      } else
        chunk.forEach((_, i) => {
          const [old, entry] = [replaced[i], value[next + i]];
          if (old !== undefined) edits.push(...this.value(old, entry));
          wanted.push(old ?? { value: entry });
        });
      if (!removed) next += chunk.length;
    }
    return [...edits, ...this.children(node, wanted)];
  }

  private written({ key, value }: NewChild, indent: string, isOneLine: boolean): string {
    const { unit, end } = this;
    const gap = unit === '' ? '' : ' ';
    const head = key === undefined ? '' : `${JSON.stringify(key)}:${gap}`;
    return head + (isOneLine ? oneLine(value, gap) : printed(value, indent, unit, end, head.length));
  }
}

/** Applies all edits in one pass; `applyEdits` of jsonc-parser copies the text for each edit. */
export function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const { offset, length, content } of edits) {
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

/** A member of an object. If a key occurs twice, the last one counts. */
export function memberOf(node: Node, key: string): Node | undefined {
  return node.children?.findLast((each) => keyOf(each) === key)?.children?.[1];
}

export function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

function spanOf({ offset, length }: Node): Pick<Edit, 'offset' | 'length'> {
  return { offset, length };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
}

const lineMax = 100;

/** JSON with each object and list on one line if it fits. */
function printed(value: unknown, indent: string, unit: string, end: string, headLength: number): string {
  const line = oneLine(value, ' ');
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

/** `gap`: a space, or nothing in documents of one line. */
function oneLine(value: unknown, gap: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => oneLine(each, gap)).join(`,${gap}`)}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${gap}${oneLine(member, gap)}`);
  return members.length === 0 ? '{}' : `{${gap}${members.join(`,${gap}`)}${gap}}`;
}
