import type { OutputEvent, Simulation } from '../../../../engine/index.ts';
import { mapJson, mapOf, persistentTexts } from '../../../../engine/tools.ts';

/** At most this many edits are sent to a new client; a map that differs in more rectangles is sent whole. */
const editsMax = 500;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly gid: number;
}

/**
 * Events that bring a new client the state that frames lack: texts on the screen, tiles changed by scripts, and layer
 * opacity. They are of the kinds that scripts post, and assume that the client has the definition.
 */
export function standingEvents(sim: Simulation): OutputEvent[] {
  const about = { tick: sim.tick, time: sim.nowMs / 1000 };
  const texts = Array.from(
    persistentTexts(sim),
    ([target, value]): OutputEvent => ({ kind: 'ui.text', op: 'update', target, value, ...about }),
  );
  return [...texts, ...mapEvents(sim).map((event) => ({ ...event, ...about }) as OutputEvent)];
}

function mapEvents(sim: Simulation): { readonly kind: string; readonly [member: string]: unknown }[] {
  const { definition } = sim;
  const map = mapOf(sim);
  const whole = () => [{ kind: 'map.replace', map: JSON.parse(mapJson(map)) }];
  if (map.source !== definition.map) return whole();
  const events: { kind: string; [member: string]: unknown }[] = [];
  for (const [layer, { tiles, isEdited, opacity }] of map.layers.entries()) {
    const given = definition.map?.layers[layer];
    if (isEdited) {
      const edits = differences(given?.data ?? [], tiles, map.width, editsMax - events.length);
      if (edits === undefined) return whole();
      for (const edit of edits) events.push({ kind: 'map.tiles', layer, ...edit });
    }
    if (opacity !== undefined && opacity !== given?.opacity) events.push({ kind: 'map.layerOpacity', layer, opacity });
  }
  return events;
}

/**
 * The edits that turn the tiles `before` into `now`, as rectangles of a single tile id. Undefined if there would be
 * more than `countMax`.
 */
function differences(
  before: readonly number[],
  now: readonly number[],
  columns: number,
  countMax: number,
): Rectangle[] | undefined {
  const rows = now.length / columns;
  const done = new Set<number>();
  const rectangles: Rectangle[] = [];
  const differs = (cell: number, gid: number) => now[cell] === gid && (before[cell] ?? 0) !== gid && !done.has(cell);
  for (const [cell, gid] of now.entries()) {
    if (!differs(cell, gid)) continue;
    if (rectangles.length >= countMax) return undefined;
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    let width = 1;
    while (x + width < columns && differs(cell + width, gid)) width++;
    let height = 1;
    while (y + height < rows && rowDiffers(cell + height * columns, width, gid)) height++;
    for (let row = 0; row < height; row++) for (let i = 0; i < width; i++) done.add(cell + row * columns + i);
    rectangles.push({ x, y, width, height, gid });
  }
  return rectangles;

  function rowDiffers(start: number, width: number, gid: number) {
    for (let i = 0; i < width; i++) if (!differs(start + i, gid)) return false;
    return true;
  }
}
