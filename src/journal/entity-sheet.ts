import type { Dictionary } from '../../engine/core/index.ts';
import type { AnyHandle, ItemHandle, PlayerHandle, Simulation, UnitHandle } from '../../engine/index.ts';
import { idOf } from '../expression/index.ts';
import { inColumns, shortened } from '../text/index.ts';

const valueMax = 60;

/** Describes an entity: a line with its id, type and position, and a line for each property. */
export function entitySheet(handle: AnyHandle): string[] {
  return [entityLine(handle), ...inColumns(entityRows(handle)).map((line) => `  ${line}`)];
}

/** The properties, attributes and variables of an entity, with their values. */
export function entityRows(handle: AnyHandle): readonly Row[] {
  return [...ownRows(handle), ...commonRows(handle)];
}

/** One line about an entity, such as `u3 Zombie "Bob" of bot1 at (320, 96)`. */
function entityLine(handle: AnyHandle) {
  const parts = [calledText(handle)];
  if ('owner' in handle && handle.owner !== undefined) parts.push(`of ${calledText(handle.owner)}`);
  if ('x' in handle) parts.push(`at (${rounded(handle.x)}, ${rounded(handle.y)})`);
  if ('width' in handle && handle.kind === 'region') parts.push(`${rounded(handle.width)} x ${rounded(handle.height)}`);
  return parts.join(' ');
}

export function calledText(handle: AnyHandle): string {
  const { kind } = handle;
  const isNamed =
    'name' in handle && handle.name !== '' && handle.name !== handle.typeName && idOf(handle) === handle.id;
  const name = isNamed ? JSON.stringify(handle.name) : undefined;
  return [idOf(handle), handle.typeName ?? kind, name].filter((part) => part !== undefined).join(' ');
}

type Row = readonly [name: string, text: string];

function ownRows(handle: AnyHandle): Row[] {
  switch (handle.kind) {
    case 'unit':
      return unitRows(handle);
    case 'item':
      return itemRows(handle);
    case 'player':
      return playerRows(handle);
    case 'projectile':
      return [
        ['state', handle.state ?? 'none'],
        ['from', handle.sourceItem === undefined ? 'nothing' : calledText(handle.sourceItem)],
      ];
    default:
      return [];
  }
}

function unitRows(unit: UnitHandle): Row[] {
  const slots = unit.slots.map((item, i) => {
    const mark = i === unit.slot ? '*' : '';
    return `${i + 1}${mark} ${item === undefined ? 'empty' : `${calledText(item)}${quantityText(item)}`}`;
  });
  return [
    ['state', unit.state ?? 'none'],
    [
      'facing',
      `${rounded((unit.angle * 180) / Math.PI)}°${unit.isMoving ? ', moving' : ''}${unit.isHidden ? ', hidden' : ''}`,
    ],
    ['slots', slots.length === 0 ? 'none' : slots.join(', ')],
  ];
}

function itemRows(item: ItemHandle): Row[] {
  return [
    ['state', item.state ?? 'none'],
    ['quantity', quantityText(item).replace(' x ', '')],
    ['used', item.isUsed ? 'yes' : 'no'],
  ];
}

function playerRows(player: PlayerHandle): Row[] {
  const rows: Row[] = [
    ['client', player.clientId],
    ['controlled by', player.controlledBy],
    ['units', listText(player.units)],
    ['coins', rounded(player.coins)],
  ];
  if (player.openShop !== undefined) rows.push(['open shop', player.openShop]);
  if (player.lastMessage !== undefined)
    rows.push(['last message', JSON.stringify(shortened(player.lastMessage, valueMax))]);
  return rows;
}

function commonRows(handle: AnyHandle): Row[] {
  const rows: Row[] = Object.keys(handle.attributes).map((key) => {
    const { min, max } = handle.attributeBounds(key)!;
    const least = min === 0 ? '' : `, at least ${rounded(min)}`;
    return [key, `${rounded(handle.attribute(key)!)} of ${rounded(max)}${least}`];
  });
  for (const [name, value] of Object.entries(handle.variables)) rows.push([name, variableText(value)]);
  return rows;
}

/** A readable value of a variable, as returned by handles. */
export function variableText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const rounding = (_key: string, each: unknown): unknown =>
    typeof each === 'number' ? Number(each.toFixed(3)) : each;
  return shortened(JSON.stringify(value, rounding) ?? String(value), valueMax);
}

/** The entities of a game by kind. */
export const entitiesOf: Dictionary<(sim: Simulation) => readonly AnyHandle[]> = {
  units: (sim) => sim.units(),
  items: (sim) => sim.items(),
  projectiles: (sim) => sim.projectiles(),
  players: (sim) => sim.players(),
  regions: (sim) => sim.regions(),
  debris: (sim) => sim.debris(),
};

/** All entities of the game or of one kind, one per line. Undefined for an unknown kind. */
export function entityLines(sim: Simulation, kind: string): string[] | undefined {
  const kinds = kind === '' ? Object.keys(entitiesOf) : [kind];
  if (kinds.some((each) => !Object.hasOwn(entitiesOf, each))) return undefined;
  return kinds.flatMap((each) => entitiesOf[each]!(sim).map(entityLine));
}

function listText(handles: readonly AnyHandle[]) {
  return handles.length === 0 ? 'none' : handles.map(calledText).join(', ');
}

function quantityText({ quantity, quantityMax }: ItemHandle) {
  if (!Number.isFinite(quantity)) return ' x endless';
  return Number.isFinite(quantityMax)
    ? ` x ${rounded(quantity)} of ${rounded(quantityMax)}`
    : ` x ${rounded(quantity)}`;
}

function rounded(value: number) {
  return String(Number(value.toFixed(2)));
}
