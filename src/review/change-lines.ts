import { isRecord } from '../../engine/core/index.ts';
import { amount, printable, shortened } from '../text/index.ts';
import type { FieldChange } from './field-diff.ts';
import type { GameDiff, ThingChange, ThingName } from './game-diff.ts';
import { thingText } from './game-parts.ts';
import type { LayerDiff, MapDiff, TileChange } from './map-diff.ts';
import type { LineChange, PlacedLine } from './script-diff.ts';
import { isScalar, scalarText } from './value-text.ts';

/** ` ` unchanged, `+` only in the new game, `-` only in the old one, `~` changed, `>` moved, `…` omitted lines. */
type Mark = ' ' | '+' | '-' | '~' | '>' | '…';

export interface ShownLine {
  readonly mark: Mark;
  readonly text: string;
}

/** A changed part of the game: a line about it, and what changed in it. */
export interface ShownChange {
  readonly head: ShownLine;
  readonly lines: readonly ShownLine[];
}

/** All changes of one kind of thing. */
export interface ShownSection {
  readonly title: string;
  /** `2 changed, 1 added` */
  readonly count: string;
  readonly changes: readonly ShownChange[];
}

const valueMax = 90;
const lineMax = 150;
/** For lines that only show where a change is. */
const sameMax = 90;
/** Characters before the first difference of two long texts. */
const contextMax = 30;
const areasMax = 8;
const wholeMax = 30;

/** A diff as readable lines, most important first. */
export function shownSections(diff: GameDiff): ShownSection[] {
  const groups = new Map<string, ThingChange[]>();
  for (const thing of diff.things) {
    const title = pluralOf(thing.noun);
    groups.set(title, [...(groups.get(title) ?? []), thing]);
  }
  const sections = Array.from(groups, ([title, things]): ShownSection => {
    return { title, count: countText(things), changes: things.map(shownThing) };
  });
  if (diff.orders.length > 0) {
    const changes = diff.orders.map(({ trigger, before, after }): ShownChange => {
      return {
        head: { mark: '~', text: `scripts of ${trigger}` },
        lines: [
          { mark: '-', text: quotedList(before) },
          { mark: '+', text: quotedList(after) },
        ],
      };
    });
    sections.push({ title: 'order of scripts', count: amount(changes.length, 'trigger'), changes });
  }
  if (diff.map !== null) sections.push(shownMap(diff.map));
  const rest = new Map<string, FieldChange[]>();
  for (const change of diff.rest) {
    const [, part = change.path, path] = /^([^.[]+)\.?(.*)$/.exec(change.path) ?? [];
    rest.set(part, [...(rest.get(part) ?? []), { ...change, path: path === '' ? part : path! }]);
  }
  for (const [part, changes] of rest) {
    sections.push({
      title: part,
      count: amount(changes.length, 'value'),
      changes: changes.map(fieldChange),
    });
  }
  return sections;
}

function pluralOf(noun: string): string {
  const [first, ...others] = noun.split(' of ');
  const plural = first!.endsWith('y') ? `${first!.slice(0, -1)}ies` : `${first}s`;
  return [plural, ...others].join(' of ');
}

function countText(things: readonly ThingChange[]): string {
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const count = things.filter((thing) => thing.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return parts.join(', ');
}

function shownThing(thing: ThingChange): ShownChange {
  const { kind, noun, was, about, owner } = thing;
  const of = owner === undefined ? '' : ` of ${owner.noun} ${thingText(owner)}`;
  const renamed = was === undefined ? '' : renamedText(thing, was);
  const from =
    thing.isMoved === true
      ? `, moved from ${was?.owner === undefined ? 'the scripts of the game' : `${was.owner.noun} ${thingText(was.owner)}`}`
      : '';
  const text = `${noun} ${thingText(thing)}${of}${renamed}${from}${about ? `: ${about}` : ''}`;
  const mark = kind === 'added' ? '+' : kind === 'removed' ? '-' : '~';
  const lines = [...thing.fields.map(fieldLine), ...scriptHunks(thing)];
  const [only] = lines;
  if (lines.length === 1 && only!.mark === '~' && thing.fields.length === 1)
    return { head: { mark, text: `${printable(text)}  ${only!.text}` }, lines: [] };
  return { head: { mark, text: printable(text) }, lines };
}

function renamedText(now: ThingChange, was: ThingName): string {
  if (was.key === now.key) return was.name === now.name ? '' : `, was ${JSON.stringify(was.name)}`;
  return was.name === now.name ? `, key was ${was.key}` : `, was ${thingText(was)}`;
}

function fieldChange(change: FieldChange): ShownChange {
  return { head: fieldLine(change), lines: [] };
}

function fieldLine({ path, before, after }: FieldChange): ShownLine {
  const at = printable(path);
  if (before === undefined) return { mark: '+', text: `${at}: ${printable(valueText(after))}` };
  if (after === undefined) return { mark: '-', text: `${at}: ${printable(valueText(before))}` };
  const members = membersText(before, after);
  if (members !== undefined) return { mark: '~', text: `${at}: ${printable(members)}` };
  const [old, now] = pairText(valueText(before, lineMax * 100), valueText(after, lineMax * 100), valueMax);
  return { mark: '~', text: `${at}: ${printable(old)} → ${printable(now)}` };
}

/**
 * The elements that a list of scalars gained and lost; undefined for other values, or if the remaining elements are in
 * another order.
 */
function membersText(before: unknown, after: unknown): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || ![...before, ...after].every(isScalar)) return undefined;
  const stayed = (list: readonly unknown[], others: readonly unknown[]) => list.filter((each) => others.includes(each));
  const [kept, left] = [stayed(before, after), stayed(after, before)];
  if (kept.length === 0 || kept.length !== left.length || kept.some((each, i) => each !== left[i])) return undefined;
  const lost = before.filter((each) => !after.includes(each)).map((each) => `- ${inline(each)}`);
  const gained = after.filter((each) => !before.includes(each)).map((each) => `+ ${inline(each)}`);
  return lost.length + gained.length === 0 ? undefined : shortened([...lost, ...gained].join(', '), valueMax);
}

function valueText(value: unknown, lengthMax = valueMax): string {
  if (isRectangle(value)) return `${value.width} x ${value.height} at ${value.x}, ${value.y}`;
  return shortened(inline(value), lengthMax);
}

function inline(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isScalar(value)) return scalarText(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  return `{${Object.entries(value as object)
    .map(([key, member]) => `${key} ${inline(member)}`)
    .join(', ')}}`;
}

function isRectangle(value: unknown): value is Record<'x' | 'y' | 'width' | 'height', number> {
  return isRecord(value) && ['x', 'y', 'width', 'height'].every((side) => typeof value[side] === 'number');
}

/** Cuts two texts so that their first difference is seen. */
function pairText(before: string, after: string, lengthMax: number): [string, string] {
  if (before.length <= lengthMax && after.length <= lengthMax) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const start = same > lengthMax - contextMax ? same - contextMax : 0;
  const cut = (text: string): string => `${start > 0 ? '…' : ''}${shortened(text.slice(start), lengthMax)}`;
  return [cut(before), cut(after)];
}

/** The changed lines of a script, with the lines that enclose them and those next to them. */
function scriptHunks({ lines = [], kind }: ThingChange): ShownLine[] {
  const shown: ShownLine[] = [];
  if (kind !== 'changed') {
    const mark = kind === 'added' ? '+' : '-';
    for (const { before, after } of lines.slice(0, wholeMax)) shown.push({ mark, text: lineText((after ?? before)!) });
    if (lines.length > wholeMax) shown.push({ mark: '…', text: `${lines.length - wholeMax} more lines` });
    return shown;
  }
  const wanted = wantedLines(lines);
  let isCut = false;
  for (const [i, line] of lines.entries()) {
    if (!wanted.has(i)) {
      isCut = true;
      continue;
    }
    if (isCut) shown.push({ mark: '…', text: '' });
    isCut = false;
    shown.push(...shownLines(line));
  }
  if (isCut) shown.push({ mark: '…', text: '' });
  return shown;
}

function wantedLines(lines: readonly LineChange[]): Set<number> {
  const wanted = new Set<number>();
  const depthOf = ({ before, after }: LineChange): number => (after ?? before)!.depth;
  for (const [i, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    wanted.add(i);
    if (i + 1 < lines.length) wanted.add(i + 1);
    if (i > 0) wanted.add(i - 1);
    let depth = depthOf(line);
    for (let at = i - 1; at >= 0 && depth > 0; at--) {
      const each = lines[at]!;
      if (each.kind === 'removed' || depthOf(each) >= depth) continue;
      wanted.add(at);
      depth = depthOf(each);
    }
  }
  return wanted;
}

function shownLines({ kind, before, after, hidden, note }: LineChange): ShownLine[] {
  const noted = note === undefined ? '' : `  (${printable(shortened(note, valueMax))})`;
  switch (kind) {
    case 'same':
      return [{ mark: ' ', text: lineText(after!, sameMax) }];
    case 'inserted':
      return [{ mark: '+', text: lineText(after!) + noted }];
    case 'removed':
      return [{ mark: '-', text: lineText(before!) + noted }];
    case 'moved':
      return [{ mark: '>', text: lineText(after!) + noted }];
    case 'changed': {
      const indent = '  '.repeat(after!.depth);
      if (hidden !== undefined) {
        const details = hidden
          .map(fieldLine)
          .map(({ mark, text }): ShownLine => ({ mark, text: `${indent}  ${text}` }));
        return [{ mark: '~', text: lineText(after!) }, ...details];
      }
      const [old, now] = pairText(before!.text, after!.text, lineMax);
      return [
        { mark: '-', text: indent + printable(old) },
        { mark: '+', text: indent + printable(now) },
      ];
    }
  }
}

function lineText({ depth, text }: PlacedLine, lengthMax = lineMax): string {
  return '  '.repeat(Math.min(depth, 40)) + printable(shortened(text, lengthMax));
}

function shownMap({ fields, layers }: MapDiff): ShownSection {
  const changes: ShownChange[] = layers.map((layer) => {
    const mark = layer.kind === 'added' ? '+' : layer.kind === 'removed' ? '-' : '~';
    const text = printable(`layer ${layer.layer}${layer.cells === 0 ? '' : `: ${cellsText(layer)}`}`);
    return { head: { mark, text }, lines: [...areaLines(layer), ...layer.fields.map(fieldLine)] };
  });
  changes.unshift(...fields.map(fieldChange));
  const cells = layers.reduce((sum, layer) => sum + layer.cells, 0);
  const count = cells === 0 ? amount(changes.length, 'part') : amount(cells, 'cell');
  return { title: 'map', count, changes };
}

function cellsText({ cells, filled, cleared, replaced }: LayerDiff): string {
  const parts = [
    [filled, 'filled'],
    [cleared, 'cleared'],
    [replaced, 'replaced'],
  ] as const;
  const told = parts.filter(([count]) => count > 0);
  if (told.length === 1) return `${amount(cells, 'cell')} ${told[0]![1]}`;
  return `${amount(cells, 'cell')} changed (${told.map(([count, what]) => `${count} ${what}`).join(', ')})`;
}

function areaLines({ areas, cells }: LayerDiff): ShownLine[] {
  const largest = areas.toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, areasMax);
  const lines = areas
    .filter((area) => largest.includes(area))
    .map((area): ShownLine => ({ mark: '~', text: areaText(area) }));
  if (areas.length <= areasMax) return lines;
  const shown = largest.reduce((sum, { width, height }) => sum + width * height, 0);
  return [
    ...lines,
    { mark: '…', text: `${amount(cells - shown, 'cell')} in ${areas.length - areasMax} smaller areas` },
  ];
}

function areaText({ x, y, width, height, before, after }: TileChange): string {
  const place = width === 1 && height === 1 ? `cell ${x}, ${y}` : `${width} x ${height} cells at ${x}, ${y}`;
  const tile = (value: unknown): string =>
    value === undefined ? 'several' : value === 0 ? 'empty' : `tile ${String(value)}`;
  return before === undefined && after === undefined ? place : `${place}: ${tile(before)} → ${tile(after)}`;
}

function quotedList(names: readonly string[]): string {
  return printable(names.map((name) => JSON.stringify(name)).join(', '));
}
