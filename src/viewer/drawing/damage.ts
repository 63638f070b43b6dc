import { nameText } from '../../expression/index.ts';
import { colorOr } from '../../picture/index.ts';
import type { History } from '../time/history.ts';
import type { Watch } from '../time/watch.ts';
import type { FloatingText, Scene } from './scene.ts';

/** How long, in seconds, a change of an attribute and a floating text of the game stay on the map. */
const changeSeconds = 1;
const textSeconds = 1.4;
/** Smaller changes, such as regeneration, are not shown as floating texts. */
const changeMin = 1;

/** The text and colour for a change of an attribute of a unit; undefined if the change is too small to be shown. */
export function changeText(key: string, from: unknown, to: unknown) {
  if (typeof from !== 'number' || typeof to !== 'number' || Math.abs(to - from) < changeMin) return undefined;
  const rounded = Math.round(Math.abs(to - from) * 10) / 10;
  const isLoss = to < from;
  const text = `${isLoss ? '−' : '+'}${rounded}${key === 'health' ? '' : ` ${key}`}`;
  return { text, isLoss, color: isLoss ? '#ff8c9b' : '#5fd096' };
}

/**
 * The floating texts for damage and healing of units shortly before a tick. Changes that the history has not read yet
 * are left out.
 */
export function damageTexts(history: History, { figures }: Scene, tick: number, rate: number): FloatingText[] {
  const shownTicks = changeSeconds * rate;
  return figures.flatMap(({ id, x, y, kind, bars }): FloatingText[] => {
    if (kind !== 'unit') return [];
    return [...new Set(['health', ...bars.map(({ key }) => key)])].flatMap((key): FloatingText[] => {
      const series = history.known(`${id}.${nameText(key)}`);
      if (series === undefined) return [];
      const { ticks, values } = series;
      const texts: FloatingText[] = [];
      for (let i = series.indexAt(tick); i > 0 && ticks[i]! > tick - shownTicks; i--) {
        const change = changeText(key, values[i - 1], values[i]);
        const strength = 1 - (tick - ticks[i]!) / shownTicks;
        if (change !== undefined) texts.push({ x, y, ...change, strength, layer: 'hits' });
      }
      return texts;
    });
  });
}

/** The number of latest outputs that are searched for floating texts. */
const outputsMax = 100;

/** The game's own floating texts that are still visible. */
export function gameTexts(watch: Watch, { figures }: Scene): FloatingText[] {
  const { tick, sim } = watch;
  return watch.events('output', outputsMax).flatMap(({ name, tick: since, details }): FloatingText[] => {
    const strength = 1 - (tick - since) / (textSeconds * sim.rate);
    if (name !== 'ui.floatingText' || strength <= 0) return [];
    const { text, color, position, unitId } = details as Record<string, unknown>;
    const at = figures.find(({ id }) => id === unitId) ?? (position as { x?: unknown; y?: unknown } | null | undefined);
    if (typeof at?.x !== 'number' || typeof at.y !== 'number') return [];
    return [{ x: at.x, y: at.y, text: String(text).slice(0, 80), color: colorOr(color, 'white'), strength }];
  });
}
