import type { Entity, Simulation, StateView } from '../../engine/index.ts';
import { internalsOf, typeOf } from '../../engine/tools.ts';
import { wireId } from '../../src/modd-client/members.ts';
import type { ModelClient } from './model-client.ts';

/** Half of the unit to which attributes are rounded. */
const rounding = 1 / 2000 + 1e-9;

function idOf(label: string | null): string | null {
  return label === null ? null : wireId(label);
}

/** Without empty slots at the end, which are irrelevant. */
function carried(slots: unknown): unknown {
  const list = [...(slots as (string | null)[])];
  while (list.at(-1) === null) list.pop();
  return list;
}

/** The state at a tick as clients should see it, computed once for all clients. */
export interface Picture {
  readonly sim: Simulation;
  readonly view: StateView;
  /** By id. */
  readonly entities: ReadonlyMap<string, Entity>;
}

export function pictureOf(sim: Simulation): Picture {
  const all = [...sim.players(), ...sim.units(), ...sim.items(), ...sim.projectiles()];
  return { sim, view: sim.view(), entities: new Map(all.map(({ id, entity }) => [id, entity])) };
}

/** The differences between a client's state and the simulation, one line each. */
export function differences({ sim, view, entities }: Picture, model: ModelClient, player: string): string[] {
  const problems: string[] = [];
  const { world } = internalsOf(sim);
  const say = (id: string, what: string, has: unknown, expected: unknown): void => {
    if (has === expected || JSON.stringify(has) === JSON.stringify(expected)) return;
    problems.push(`${id} has ${what} ${JSON.stringify(has)} in place of ${JSON.stringify(expected)}`);
  };
  const all: readonly (readonly [string, readonly { readonly id: string }[]])[] = [
    ['Player', view.players],
    ['Unit', view.units],
    ['Item', view.items],
    ['Projectile', view.projectiles],
    ['Region', view.regions],
  ];
  const expected = new Map(
    all.flatMap(([shownClass, list]) => list.map(({ id }) => [wireId(id), shownClass] as const)),
  );
  for (const [id, { shownClass }] of model.entities) {
    if (expected.get(id) !== shownClass) problems.push(`${id} is there no more`);
  }
  for (const [id] of expected) if (!model.entities.has(id)) problems.push(`${id} is not there`);
  for (const id of model.unborn) problems.push(`${id} is told of, and is not there`);
  if (problems.length > 0) return problems;
  const self = view.players.find(({ clientId }) => clientId === player)!;
  const statsOf = (id: string) => model.entities.get(wireId(id))!.stats as { [name: string]: unknown };

  const attributes = (
    id: string,
    of: { readonly attributes: object; readonly bounds: object; readonly type: string | null },
    owner: string | null,
  ): void => {
    const shown = (statsOf(id)['attributes'] ?? {}) as {
      [key: string]: { value: unknown; min: unknown; max: unknown };
    };
    const layout = typeOf(world, entities.get(id)!)?.attributes;
    layout?.keys.forEach((key, i) => {
      const { streamMode } = layout.definitions[i]!;
      const isScore = key === sim.definition.settings.scoreAttributeId;
      const isFor =
        streamMode === undefined || streamMode === 1 || streamMode === 4 || (streamMode === 3 && owner === self.id);
      if (!isFor && !isScore) return;
      const value = (of.attributes as { [key: string]: number })[key]!;
      const [min, max] = (of.bounds as { [key: string]: readonly [number, number] })[key]!;
      const has = shown[key];
      if (has === undefined) {
        const { shownClass, createdAs } = model.entities.get(wireId(id))!;
        // A unit keeps the set of attributes of the type with which the client created it.
        if (shownClass !== 'Unit' || createdAs === of.type) problems.push(`${id} has no attribute ${key}`);
        return;
      }
      if (Number.isFinite(value) && !(Math.abs(Number(has.value) - value) <= rounding)) say(id, key, has.value, value);
      if (Number.isFinite(min)) say(id, `${key}.min`, Number(has.min), min);
      if (Number.isFinite(max)) say(id, `${key}.max`, Number(has.max), max);
    });
  };

  for (const each of view.players) {
    const stats = statsOf(each.id);
    say(each.id, 'name', stats['name'], each.name);
    say(each.id, 'type', stats['playerTypeId'] ?? null, each.type);
    say(each.id, 'unit', stats['selectedUnitId'] ?? null, idOf(each.selected));
    say(each.id, 'kind', stats['controlledBy'], each.kind);
    attributes(each.id, each, each.id);
  }
  say(self.id, 'camera', statsOf(self.id)['cameraTrackedUnitId'], idOf(self.camera) ?? 'no_unit');
  const ownerOfUnit = new Map(view.units.map(({ id, owner }) => [id, owner]));
  for (const unit of view.units) {
    const stats = statsOf(unit.id);
    say(unit.id, 'type', stats['type'], unit.type);
    say(unit.id, 'name', stats['name'], unit.name);
    say(unit.id, 'state', stats['stateId'] ?? null, unit.state);
    say(unit.id, 'items', carried(stats['itemIds']), carried(unit.slots.map(idOf)));
    say(unit.id, 'slot', stats['currentItemIndex'], unit.slot);
    say(unit.id, 'isHidden', stats['isHidden'] ?? false, unit.hidden);
    attributes(unit.id, unit, unit.owner);
    place(unit);
  }
  for (const item of view.items) {
    const stats = statsOf(item.id);
    say(item.id, 'type', stats['itemTypeId'], item.type);
    say(item.id, 'carrier', stats['ownerUnitId'] || null, idOf(item.owner));
    if (item.owner !== null) say(item.id, 'slot', stats['slotIndex'] ?? null, item.slotIndex);
    if (item.quantity !== null) say(item.id, 'quantity', stats['quantity'], item.quantity);
    say(item.id, 'state', stats['stateId'] ?? null, item.state);
    say(item.id, 'isHidden', stats['isHidden'] ?? false, item.hidden);
    say(item.id, 'used', stats['isBeingUsed'] ?? false, item.used);
    attributes(item.id, item, ownerOfUnit.get(item.owner ?? '') ?? null);
    if (item.owner === null) place(item);
  }
  for (const projectile of view.projectiles) {
    say(projectile.id, 'type', statsOf(projectile.id)['type'], projectile.type);
    say(projectile.id, 'state', statsOf(projectile.id)['stateId'] ?? null, projectile.state);
    attributes(projectile.id, projectile, null);
    place(projectile);
  }
  return problems;

  function place({
    id,
    x,
    y,
    angle,
    body,
    hidden,
  }: StateView['units'][number] | StateView['items'][number] | StateView['projectiles'][number]): void {
    if (hidden) return;
    const has = model.entities.get(wireId(id))!;
    const [exactX, exactY] = body ?? [x, y];
    if (Math.abs(has.x - exactX) > 0.5 + 1e-6 || Math.abs(has.y - exactY) > 0.5 + 1e-6) {
      problems.push(`${id} is at ${has.x}, ${has.y} in place of ${exactX}, ${exactY}`);
    }
    const turn = Math.abs(Math.atan2(Math.sin(has.angle - angle), Math.cos(has.angle - angle)));
    if (Number.isFinite(angle) && turn > 0.0006) problems.push(`${id} faces ${has.angle} in place of ${angle}`);
  }
}
