import { cached, type Dictionary } from '../../engine/core/index.ts';
import type { Color, Paint } from '../text/index.ts';
import type { GameDiff, ThingChange } from './game-diff.ts';

const colors: Dictionary<Color> = { '+': 'green', '-': 'red', '~': 'yellow', '>': 'cyan' };

/** All changes of one kind of thing. */
export interface DiffGroup {
  /** The kind of thing, such as `unit types` or `map`. */
  readonly title: string;
  /** The number of changes, such as `2 changed, 1 added`. */
  readonly count: string;
  readonly things: readonly ThingChange[];
}

/** A diff for the terminal. `plays` are lines about how differently the games play. */
export function diffText(diff: GameDiff, plays: readonly string[], paint: Paint): string {
  const groups = groupsOf(diff);
  const lines = [diff.isEqual ? 'no difference' : paint('bold', summaryText(groups)), ...plays];
  for (const { title, things } of groups) {
    lines.push('', paint('bold', title));
    for (const line of things.flatMap((thing) => thing.lines)) {
      const color = colors[line[0]!];
      lines.push(color === undefined ? line : paint(color, line));
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The numbers of changes by kind of thing, such as `unit types: 1 changed; scripts: 2 changed, 1 added; map: changed`.
 */
export function summaryText(groups: readonly DiffGroup[]): string {
  return groups.map(({ title, count }) => `${title}: ${count}`).join('; ');
}

/** The changes by kind of thing, in the order in which games are printed. */
export function groupsOf({ things }: GameDiff): DiffGroup[] {
  const groups = new Map<string, ThingChange[]>();
  for (const thing of things) {
    const title = thing.key === '' ? thing.noun : pluralOf(thing.noun);
    cached(groups, title, () => []).push(thing);
  }
  return Array.from(groups, ([title, changes]) => ({ title, count: countText(changes), things: changes }));
}

function pluralOf(noun: string) {
  const [first, ...others] = noun.split(' of ');
  const plural = first!.endsWith('y') ? `${first!.slice(0, -1)}ies` : `${first}s`;
  return [plural, ...others].join(' of ');
}

function countText(things: readonly ThingChange[]) {
  const [{ key, kind: only }] = things as [ThingChange];
  if (key === '') return only;
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const count = things.filter((thing) => thing.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return parts.join(', ');
}
