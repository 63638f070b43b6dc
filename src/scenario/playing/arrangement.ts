import {
  type AnyHandle,
  EntityHandle,
  type ItemHandle,
  type Placement,
  type PlayerHandle,
  type ProjectileHandle,
  type UnitHandle,
  UsageError,
} from '../../../engine/index.ts';
import { internalsOf, mapOf, rowOf } from '../../../engine/tools.ts';
import { centreOf, type Lexicon, type TypeKind } from '../../expression/index.ts';
import type { EntityPlan, PlayerPlan } from '../reading/schema.ts';
import { ScenarioError } from '../telling/failure.ts';
import type { RunningCase } from './running-case.ts';

type Values = Readonly<Record<string, unknown>>;
type PlayerDetails = Exclude<PlayerPlan, string>;
type Location = NonNullable<EntityPlan['at']>;

export interface Given {
  readonly players?: readonly PlayerPlan[] | undefined;
  readonly variables?: Values | undefined;
  readonly entities?: readonly EntityPlan[] | undefined;
}

/**
 * Sets up the start of a scenario: first, all players join in one tick and get their units, items and values; then
 * entities are created; then variables are set.
 */
export function arrange(running: RunningCase, { players = [], entities = [], variables = {} }: Given) {
  if (players.length > 0) joinAll(running, players);
  for (const entity of entities) spawn(running, entity);
  for (const [path, value] of Object.entries(variables)) setPath(running, path, value);
  running.begin();
}

/**
 * Lets players join, and steps one tick so that they are in the game. Throws `ScenarioError` if the game refuses a
 * player.
 */
export function joinAll(running: RunningCase, plans: readonly PlayerPlan[]) {
  const { sim } = running;
  const details = plans.map((plan): PlayerDetails => (typeof plan === 'string' ? { name: plan } : plan));
  const before = running.log.events.length;
  for (const { name, userId, roles } of details) {
    const account = userId === undefined ? {} : { userId, ...running.accounts.joinData(userId) };
    const handle = sim.join({ name, ...account, ...(roles && { roleIds: roles }) });
    running.addPlayer(name, handle);
  }
  running.step();
  for (const plan of details) {
    const player = running.player(plan.name);
    if (!player.exists) {
      const refused = running.log.events
        .slice(before)
        .find((event) => event.kind === 'refused' && event.name === 'join');
      throw new ScenarioError(
        `${plan.name} could not join: ${String(refused?.details['reason'] ?? 'the game is over')}.`,
      );
    }
    equipPlayer(running, plan, player);
  }
}

function equipPlayer(running: RunningCase, plan: PlayerDetails, player: PlayerHandle) {
  const { lexicon } = running;
  if (plan.type !== undefined) running.edit.setType(player, lexicon.type('player', plan.type));
  setMembers(running, player, plan.name, plan.attributes, plan.variables);
  if (plan.unit === undefined) return;
  const type = plan.unit.type === undefined ? undefined : lexicon.type('unit', plan.unit.type);
  let { unit } = player;
  if (unit === undefined) {
    if (type === undefined)
      throw new ScenarioError(`${plan.name} has no unit. Write the \`type\` of the unit to create one.`);
    unit = running.edit.createUnit({ type, ...pointAt(running, plan.unit.at) }, player);
  } else {
    if (type !== undefined && unit.type !== type) running.edit.setType(unit, type);
    if (plan.unit.at !== undefined) moveEntity(running, unit, plan.unit.at);
  }
  setMembers(running, unit, `${plan.name}.unit`, plan.unit.attributes, plan.unit.variables);
  for (const item of plan.unit.items ?? []) give(running, unit, item, undefined);
}

const kinds = ['unit', 'item', 'projectile'] as const;

/**
 * Creates the planned entity or entities, and registers their names. Throws `ScenarioError` if the plan is not valid,
 * or the game does not create an entity.
 */
export function spawn(running: RunningCase, plan: EntityPlan) {
  const named = kinds.filter((kind) => plan[kind] !== undefined);
  if (named.length !== 1)
    throw new ScenarioError('An entity needs exactly one of the fields `unit`, `item` and `projectile`.');
  const kind = named[0]!;
  const type = running.lexicon.type(kind, plan[kind]!);
  const count = plan.count ?? 1;
  for (let i = 1; i <= count; i++) {
    const made = make(running, kind, type, plan);
    if (made === undefined)
      throw new ScenarioError(
        `The game did not create "${plan[kind]}": the creation was refused, or the unit has no room for the item.`,
      );
    if (plan.name !== undefined) running.call(count === 1 ? plan.name : `${plan.name}${i}`, made.entity);
    if (!made.exists)
      throw new ScenarioError(`A script of the game destroyed "${plan[kind]}" as soon as it was created.`);
    if (plan.state !== undefined)
      running.edit.setState(made, running.lexicon.stateOf(kind, made.type ?? '', plan.state));
    setMembers(running, made, plan.name ?? plan[kind]!, plan.attributes, plan.variables);
  }
}

type Made = UnitHandle | ItemHandle | ProjectileHandle;

function make(
  running: RunningCase,
  kind: Exclude<TypeKind, 'player'>,
  type: string,
  plan: EntityPlan,
): Made | undefined {
  const { edit } = running;
  const owner = plan.owner === undefined ? undefined : running.handle(plan.owner);
  const placed: Placement = { type, ...pointAt(running, plan.at), angle: ((plan.angle ?? 0) * Math.PI) / 180 };
  const { heldBy, quantity } = plan;
  if (heldBy === undefined) {
    // The editor rejects an owner of the wrong kind with a clear message.
    return asMistake(() => {
      if (kind === 'unit') return edit.createUnit(placed, owner as PlayerHandle | undefined);
      if (kind === 'projectile') return edit.createProjectile(placed, owner as UnitHandle | undefined);
      return edit.createItem(placed, quantity);
    });
  }
  const unit = unitOf(running.handle(heldBy));
  give(running, unit, type, quantity);
  // The item may have been merged into a stack, so return an item of the type that the unit now holds.
  return unit.items.find((item) => item.type === type);
}

export function give(running: RunningCase, unit: UnitHandle, item: string, quantity: number | undefined) {
  const type = running.lexicon.type('item', item);
  if (!running.edit.giveItem(unit, type, quantity)) {
    throw new ScenarioError(`The unit may not carry "${item}", or has no room for this item.`);
  }
}

/** The unit itself, or the selected unit of a player. Throws `ScenarioError` if there is none. */
export function unitOf(handle: AnyHandle): UnitHandle {
  if (handle.kind === 'unit') return handle;
  const unit = handle.kind === 'player' ? handle.unit : undefined;
  if (unit === undefined) throw new ScenarioError('Expected a unit, or a player that has a unit.');
  return unit;
}

export function moveEntity(running: RunningCase, handle: AnyHandle, at: Location) {
  const { x, y } = pointAt(running, at);
  asMistake(() => running.edit.move((handle.kind === 'player' ? unitOf(handle) : handle) as UnitHandle, x, y));
}

/** Runs a script. Returns false if neither the entity nor the game has it. */
export function tryRunScript(
  running: RunningCase,
  key: string,
  on: AnyHandle | undefined,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  try {
    running.edit.runScript(key, { on, payload });
    return true;
  } catch (error) {
    if (error instanceof UsageError && error.code === 'unknown-script') return false;
    throw error;
  }
}

/** Calls `work`, and turns the error of a rejected edit into a `ScenarioError`. */
function asMistake<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError) throw new ScenarioError(error.message);
    throw error;
  }
}

/**
 * The position that a location means, px. For a region, its centre; without a location, the centre of the map. Throws
 * `ScenarioError` for an entity without a position.
 */
export function pointAt(running: RunningCase, place: Location | undefined): { x: number; y: number } {
  const { sim } = running;
  if (place === undefined) {
    const { width, height } = sim.definition.cellSize;
    const map = mapOf(sim);
    return { x: (map.width * width) / 2, y: (map.height * height) / 2 };
  }
  if (typeof place !== 'string') return { x: place[0], y: place[1] };
  const there = running.handle(place);
  const point = centreOf(there.kind === 'player' ? unitOf(there) : there);
  if (point === undefined) throw new ScenarioError(`"${place}" has no position: it is a ${there.kind}.`);
  return point;
}

function setMembers(
  running: RunningCase,
  handle: AnyHandle,
  name: string,
  attributes: Values = {},
  variables: Values = {},
) {
  for (const [word, value] of Object.entries({ ...attributes, ...variables }))
    setMember(running, handle, name, word, value);
}

/**
 * Splits a path into the name of an entity and the member that the path sets; a global variable has no `holder`. The
 * last name may be in backticks, as in expressions.
 */
export function pathParts(
  lexicon: Lexicon,
  path: string,
): { readonly holder?: string | undefined; readonly word: string } {
  if (lexicon.isGlobal(path)) return { word: path };
  const [, holder, quoted, word = quoted] = /^(?:(.+)\.)?(?:`([^`]+)`|([^.]*))$/s.exec(path) ?? [];
  return { holder, word: word ?? path };
}

/**
 * Sets the variable or member at a path, such as `timeLeft`, `alice.score` or `alice.unit.health`. Throws
 * `ScenarioError` or `UnknownName` if that is not possible.
 */
export function setPath(running: RunningCase, path: string, given: unknown) {
  const { holder: of, word } = pathParts(running.lexicon, path);
  if (of === undefined) {
    // Throws for an unknown name, with a suggestion.
    running.lexicon.global(word);
    const value = valueFor(running, given, internalsOf(running.sim).world.globals.layout, word);
    asMistake(() => running.edit.setGlobal(word, value));
    return;
  }
  const holder = running.bind(of).value();
  if (!(holder instanceof EntityHandle)) throw new ScenarioError(`Cannot set ${word}: ${of} does not exist.`);
  setMember(running, holder as AnyHandle, of, word, given);
}

function setMember(running: RunningCase, handle: AnyHandle, name: string, word: string, given: unknown) {
  const { lexicon } = running;
  const { variables } = internalsOf(running.sim).world.components;
  const value = valueFor(running, given, variables[rowOf(handle.entity)]?.layout, word);
  const typed = handle as UnitHandle;
  for (const key of lexicon.attribute(word)) {
    if (!(key in handle.attributes)) continue;
    if (typeof value !== 'number')
      throw new ScenarioError(`${name}.${word} is an attribute; its value must be a number.`);
    running.edit.setAttribute(typed, key, value);
    return;
  }
  if (word in handle.variables) {
    try {
      running.edit.setVariable(typed, word, value);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new ScenarioError(`${name}.${word} cannot be set to ${running.valueText(value)}: it has a different type.`);
    }
    return;
  }
  if (word === 'type' && typeof value === 'string' && (handle.kind === 'unit' || handle.kind === 'player')) {
    running.edit.setType(handle, lexicon.type(handle.kind, value));
    return;
  }
  if (word === 'state' && typeof value === 'string' && kinds.some((kind) => kind === handle.kind)) {
    running.edit.setState(typed, lexicon.stateOf(typed.kind, typed.type ?? '', value));
    return;
  }
  lexicon.requireMember(word);
  throw new ScenarioError(`${name} has no attribute or variable "${word}" that can be set.`);
}

type Layout = ReturnType<typeof internalsOf>['world']['globals']['layout'];

const holdEntities = new Set('unit item projectile player entity debris sensor region'.split(' '));

/**
 * Resolves `@alice` to the entity with that name; `@@` escapes a string that starts with `@`. If the value is for the
 * variable `word` of a layout and that variable holds entities, any string is the name of an entity.
 */
function valueFor(running: RunningCase, given: unknown, layout?: Layout, word = ''): unknown {
  if (typeof given === 'string') {
    if (given.startsWith('@@')) return given.slice(1);
    const type = layout?.definitions[layout.slots.get(word) ?? -1]?.dataType;
    return given.startsWith('@') || holdEntities.has(type ?? '') ? running.handle(given) : given;
  }
  if (Array.isArray(given)) return given.map((each) => valueFor(running, each));
  if (typeof given === 'object' && given !== null) {
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueFor(running, value)]));
  }
  return given;
}
