import { type Entity, EntityRef, Kind, noEntity, type Placed, rowOf, typeOf } from '../../engine/index.ts';
import type { TypeKind } from '../expression/lexicon.ts';
import { Mistake } from './failure.ts';
import type { Scene } from './scene.ts';
import type { EntityPlan, PlayerPlan } from './schema.ts';

type Values = Readonly<Record<string, unknown>>;
type PlayerDetails = Exclude<PlayerPlan, string>;
type Place = NonNullable<EntityPlan['at']>;

export interface Given {
  readonly players?: readonly PlayerPlan[] | undefined;
  readonly variables?: Values | undefined;
  readonly entities?: readonly EntityPlan[] | undefined;
}

/** How things stand when a scenario begins: players first, in one tick, then what they are to have, then entities, then variables. */
export function arrange(scene: Scene, { players = [], entities = [], variables = {} }: Given): void {
  if (players.length > 0) joinAll(scene, players);
  for (const entity of entities) spawn(scene, entity);
  for (const [path, value] of Object.entries(variables)) setPath(scene, path, value);
  scene.begin();
}

/** They join in the next tick, which passes. */
export function joinAll(scene: Scene, plans: readonly PlayerPlan[]): void {
  const { sim } = scene;
  const details = plans.map((plan): PlayerDetails => (typeof plan === 'string' ? { name: plan } : plan));
  const before = scene.log.events.length;
  for (const { name, userId, roles } of details) {
    const handle = sim.join({ name, ...(userId !== undefined && { userId }), ...(roles && { roleIds: roles }) });
    scene.enlist(name, handle);
  }
  scene.step();
  for (const plan of details) {
    const { entity } = scene.player(plan.name);
    if (entity === noEntity) {
      const refused = scene.log.events.slice(before).find((event) => event.kind === 'refused' && event.name === 'join');
      throw new Mistake(`${plan.name} could not join: ${String(refused?.details['reason'] ?? 'the game is over')}.`);
    }
    dress(scene, plan, entity);
  }
}

function dress(scene: Scene, plan: PlayerDetails, player: Entity): void {
  const { stage, lexicon, sim } = scene;
  if (plan.type !== undefined) stage.setType(player, lexicon.type('player', plan.type));
  setMembers(scene, player, plan.name, plan.attributes, plan.variables);
  const { unit } = plan;
  if (unit === undefined) return;
  const type = unit.type === undefined ? undefined : lexicon.type('unit', unit.type);
  let entity = scene.player(plan.name).unit;
  if (entity === noEntity) {
    if (type === undefined) throw new Mistake(`${plan.name} has no unit; say of which \`type\` it is to be.`);
    const { x, y } = pointAt(scene, unit.at);
    entity = stage.createUnit({ type, x, y }, player);
  } else {
    if (type !== undefined && typeOf(sim.world, entity)?.key !== type) {
      stage.setType(entity, type);
    }
    if (unit.at !== undefined) put(scene, entity, unit.at);
  }
  setMembers(scene, entity, `${plan.name}.unit`, unit.attributes, unit.variables);
  for (const item of unit.items ?? []) give(scene, entity, item, undefined);
}

const kinds = ['unit', 'item', 'projectile'] as const;

/** Makes what the plan says and calls it by its name. */
export function spawn(scene: Scene, plan: EntityPlan): void {
  const named = kinds.filter((kind) => plan[kind] !== undefined);
  if (named.length !== 1) throw new Mistake('An entity is exactly one of `unit`, `item`, `projectile`.');
  const kind = named[0]!;
  const type = scene.lexicon.type(kind, plan[kind]!);
  const count = plan.count ?? 1;
  for (let i = 1; i <= count; i++) {
    const entity = make(scene, kind, type, plan);
    if (entity === noEntity) throw new Mistake(`The game made no ${plan[kind]}: it was refused, or there is no room.`);
    if (plan.name !== undefined) scene.call(count === 1 ? plan.name : `${plan.name}${i}`, entity);
    const { world } = scene.sim;
    if (!world.exists(entity))
      throw new Mistake(`The scripts of the game took ${plan[kind]} away as soon as it was made.`);
    if (plan.state !== undefined) scene.stage.setState(entity, stateKey(scene, entity, plan.state));
    setMembers(scene, entity, plan.name ?? plan[kind]!, plan.attributes, plan.variables);
  }
}

function make(scene: Scene, kind: Exclude<TypeKind, 'player'>, type: string, plan: EntityPlan): Entity {
  const { stage } = scene;
  const owner = plan.owner === undefined ? noEntity : scene.need(plan.owner);
  const { x, y } = pointAt(scene, plan.at);
  const placed: Placed = { type, x, y, angle: ((plan.angle ?? 0) * Math.PI) / 180 };
  if (kind === 'unit') return stage.createUnit(placed, owner);
  if (kind === 'projectile') return stage.createProjectile(placed, owner);
  if (plan.heldBy === undefined) return stage.createItem(placed, plan.quantity);
  const unit = unitOf(scene, scene.need(plan.heldBy));
  give(scene, unit, type, plan.quantity);
  // A stack may have taken it in: what the unit now holds of the type is what was given.
  const { world } = scene.sim;
  for (const item of world.units[rowOf(unit)]!.slots) {
    if (world.exists(item) && typeOf(world, item)?.key === type) return item;
  }
  return noEntity;
}

export function give(scene: Scene, unit: Entity, item: string, quantity: number | undefined): void {
  const type = scene.lexicon.type('item', item);
  if (!scene.stage.giveItem(unit, type, quantity)) {
    throw new Mistake(`The unit cannot be given "${item}": it may not carry it, or has no room.`);
  }
}

/** A player stands for its selected unit where a unit is meant. */
export function unitOf(scene: Scene, entity: Entity): Entity {
  const { world } = scene.sim;
  if (world.is(entity, Kind.unit)) return entity;
  const unit = world.players[rowOf(entity)]?.selectedUnit ?? noEntity;
  if (unit === noEntity) throw new Mistake('A unit is needed here, and this is none and has none.');
  return unit;
}

export function put(scene: Scene, entity: Entity, at: Place): void {
  const { x, y } = pointAt(scene, at);
  scene.stage.move(scene.sim.world.is(entity, Kind.player) ? unitOf(scene, entity) : entity, x, y);
}

/** Left out, it is the middle of the map. */
export function pointAt(scene: Scene, place: Place | undefined): { x: number; y: number } {
  const { sim } = scene;
  const { world } = sim;
  if (place === undefined) {
    const { width, height } = sim.definition.cellSize;
    return { x: (world.map.width * width) / 2, y: (world.map.height * height) / 2 };
  }
  if (typeof place !== 'string') return { x: place[0], y: place[1] };
  const isRegion = scene.lexicon.definition.variables.get(place)?.dataType === 'region';
  const entity = scene.need(isRegion ? `r:${place}` : place);
  const row = rowOf(world.is(entity, Kind.player) ? unitOf(scene, entity) : entity);
  return { x: world.components.transform.x[row]!, y: world.components.transform.y[row]! };
}

function setMembers(scene: Scene, entity: Entity, name: string, attributes: Values = {}, variables: Values = {}): void {
  for (const [word, value] of Object.entries({ ...attributes, ...variables }))
    setMember(scene, entity, name, word, value);
}

/** `timeLeft`, `alice.score`, `alice.unit.health`. */
export function setPath(scene: Scene, path: string, given: unknown): void {
  if (scene.lexicon.isGlobal(path)) {
    scene.stage.setGlobal(path, valueFor(scene, given));
    return;
  }
  const dot = path.lastIndexOf('.');
  if (dot < 0) {
    // Says which variable may have been meant.
    scene.lexicon.global(path);
    return;
  }
  const holder = scene.ask(path.slice(0, dot)).value();
  if (!(holder instanceof EntityRef))
    throw new Mistake(`There is no ${path.slice(0, dot)} to give a ${path.slice(dot + 1)} to.`);
  setMember(scene, holder.entity, path.slice(0, dot), path.slice(dot + 1), given);
}

function setMember(scene: Scene, entity: Entity, name: string, word: string, given: unknown): void {
  const { stage, lexicon, sim } = scene;
  const value = valueFor(scene, given);
  for (const key of lexicon.attribute(word)) {
    if (!stage.hasAttribute(entity, key)) continue;
    if (typeof value !== 'number') throw new Mistake(`${name}.${word} is an attribute and takes a number.`);
    stage.setAttribute(entity, key, value);
    return;
  }
  const stored = stage.setVariable(entity, word, value);
  if (stored === 'stored') return;
  if (stored === 'type-mismatch')
    throw new Mistake(`${name}.${word} does not take ${scene.valueText(value)}: it is of another type.`);
  if (word === 'type' && typeof value === 'string') {
    const kind = sim.world.is(entity, Kind.player) ? 'player' : 'unit';
    if (stage.setType(entity, lexicon.type(kind, value))) return;
  }
  if (word === 'state' && typeof value === 'string') {
    stage.setState(entity, stateKey(scene, entity, value));
    return;
  }
  lexicon.needMember(word);
  throw new Mistake(`${name} has no attribute or variable "${word}" that can be set.`);
}

function stateKey(scene: Scene, entity: Entity, word: string): string {
  const { world } = scene.sim;
  const row = rowOf(entity);
  const index = world.components.identity.type[row]!;
  const types = world.is(entity, Kind.unit)
    ? world.types.unit
    : world.is(entity, Kind.item)
      ? world.types.item
      : world.types.projectile;
  const states = types.list[index]?.states ?? [];
  const found = states.find(({ key }) => key === word) ?? states.find(({ name }) => name === word);
  if (found !== undefined) return found.key;
  throw new Mistake(`It has no state "${word}"; there is ${states.map(({ name }) => name).join(', ')}.`);
}

/** `@alice` is who goes by that name; texts that are to begin with `@` are written `@@`. */
export function valueFor(scene: Scene, given: unknown): unknown {
  if (typeof given === 'string' && given.startsWith('@')) {
    return given.startsWith('@@') ? given.slice(1) : scene.sim.world.ref(scene.need(given));
  }
  if (Array.isArray(given)) return given.map((each) => valueFor(scene, each));
  if (typeof given === 'object' && given !== null) {
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueFor(scene, value)]));
  }
  return given;
}
