import type { LoadedGame, Simulation, StateView } from '../../../engine/index.ts';
import { internalsOf, rowOf } from '../../../engine/tools.ts';
import type { FrameReader, Replica } from '../../../src/net/protocol/frames/frame-reader.ts';

type Plain = { [key: string]: unknown };

/** The state that a client of a stream must have, computed from the simulation's view, independently of frames. */
export interface Expected {
  /** By id. */
  readonly entities: Map<string, Plain>;
  /** Entities that a client may or may not know, because they are at the edge of its sight. */
  readonly maybe: Set<string>;
  readonly variables: Plain;
}

export interface Viewing {
  readonly player: string;
  readonly variables: readonly string[];
  /** The client's sight, px; Infinity for everything. */
  readonly sight?: number;
}

const quantum = 1 / 4;
const steps = 512;
/** How far a shown value may be from the exact one, in units of its last place. */
const shownError = 0.5 + 1 / 64 + 1e-6;

type Types = ReadonlyMap<string, { readonly attributes: ReadonlyMap<string, Shape> }>;
interface Shape {
  readonly decimalPlaces?: number | undefined;
  readonly streamMode?: number | undefined;
}

function near(value: number, unit: number): number {
  return Math.round(value / unit) * unit + 0;
}

function stepsOf(angle: number): number {
  const turns = angle / (2 * Math.PI);
  return Math.round((turns - Math.floor(turns)) * steps) % steps;
}

export function expectedOf(
  sim: Simulation,
  { player, variables, sight = Number.POSITIVE_INFINITY }: Viewing,
): Expected {
  const view = sim.view();
  const { definition } = sim;
  const entities = new Map<string, Plain>();
  const maybe = new Set<string>();
  const self = view.players.find(({ clientId }) => clientId === player);
  const shownUnits = new Map(view.units.filter(({ hidden }) => !hidden).map((unit) => [unit.id, unit]));
  const focus = shownUnits.get(self?.camera ?? '') ?? shownUnits.get(self?.selected ?? '');
  const owns = (unitId: string | null): boolean => {
    const unit = view.units.find(({ id }) => id === unitId);
    return unit !== undefined && self !== undefined && unit.owner === self.id;
  };
  const at = (of: Plain & { body: StateView['units'][number]['body']; x: number; y: number }) =>
    of.body ?? [of.x, of.y];
  const attributesOf = (
    of: { type: string | null; attributes: object; bounds: object },
    types: Types,
    own: boolean,
  ) => {
    const shapes = types.get(of.type ?? '')?.attributes ?? new Map<string, Shape>();
    const result: Plain = {};
    for (const [key, { decimalPlaces = 0, streamMode }] of shapes) {
      const isScore = types === (definition.playerTypes as unknown) && key === definition.settings.scoreAttributeId;
      const shown =
        streamMode === undefined || streamMode === 1 || streamMode === 4 || isScore || (streamMode === 3 && own);
      const value = (of.attributes as Record<string, number>)[key];
      if (!shown || value === undefined) continue;
      const bounds = (of.bounds as Record<string, readonly [number, number]>)[key]!;
      result[key] = { value, bounds, decimals: decimalPlaces };
    }
    return result;
  };
  /** Whether a client sees a position; undefined at the edge of its sight. */
  const sees = (place: readonly number[]): boolean | undefined => {
    if (sight === Number.POSITIVE_INFINITY || focus === undefined)
      return sight === Number.POSITIVE_INFINITY ? true : undefined;
    const middle = at(focus as never);
    const distance = Math.max(Math.abs(place[0]! - middle[0]!), Math.abs(place[1]! - middle[1]!));
    return distance < sight - 1 ? true : distance > sight * 1.2 + 1 ? false : undefined;
  };
  const add = (id: string, seen: boolean | undefined, plain: Plain): void => {
    if (seen === false) return;
    entities.set(id, plain);
    if (seen === undefined) maybe.add(id);
  };
  const placeOf = (of: { body: readonly number[] | null; x: number; y: number; angle: number }) => {
    const [x, y] = of.body ?? [of.x, of.y];
    return { x: near(x!, quantum), y: near(y!, quantum), steps: stepsOf(of.angle) };
  };
  // The view does not contain appearances.
  const { world } = internalsOf(sim);
  const byId = new Map(
    world.components.handle.flatMap((ref) => (ref === undefined ? [] : [[ref.id, ref.entity] as const])),
  );
  const looksOf = (id: string): Plain => {
    const entity = byId.get(id)!;
    return { flip: world.components.facing.flip[rowOf(entity)]!, look: lookText(world.shown.looks.get(entity)) };
  };
  for (const each of view.players) {
    add(each.id, true, {
      kind: 'player',
      type: each.type,
      name: each.name,
      human: each.kind === 'human',
      bot: each.isBot,
      selected: shownUnits.has(each.selected ?? '') ? each.selected : null,
      points: each.points,
      attributes: attributesOf(each, definition.playerTypes as never, each === self),
    });
  }
  for (const unit of shownUnits.values()) {
    const own = owns(unit.id);
    add(unit.id, own || sees(at(unit as never)), {
      kind: 'unit',
      type: unit.type,
      state: unit.state,
      name: unit.name,
      owner: view.players.some(({ id }) => id === unit.owner) ? unit.owner : null,
      currentSlot: unit.slot,
      width: near(unit.width, quantum),
      height: near(unit.height, quantum),
      ...placeOf(unit),
      ...looksOf(unit.id),
      attributes: attributesOf(unit, definition.unitTypes as never, own),
    });
  }
  for (const item of view.items) {
    const carrier = view.units.find(({ id }) => id === item.owner);
    const own = carrier !== undefined && owns(carrier.id);
    const isHeld = carrier?.holding === item.id;
    if (carrier === undefined ? item.hidden : isHeld ? carrier.hidden : !own) continue;
    const seen = carrier === undefined ? sees(at(item as never)) : own || sees(at(carrier as never));
    add(item.id, seen, {
      kind: 'item',
      type: item.type,
      state: item.state,
      name: item.name,
      owner: carrier === undefined || carrier.hidden ? null : carrier.id,
      slot: carrier === undefined ? null : item.slotIndex,
      held: isHeld,
      used: item.used,
      quantity: item.quantity === null ? null : Math.max(0, Math.round(item.quantity)),
      width: near(item.width, quantum),
      height: near(item.height, quantum),
      ...(carrier === undefined ? placeOf(item) : {}),
      ...looksOf(item.id),
      attributes: attributesOf(item, definition.itemTypes as never, own),
    });
  }
  for (const projectile of view.projectiles) {
    if (projectile.hidden) continue;
    add(projectile.id, sees(at(projectile as never)), {
      kind: 'projectile',
      state: projectile.state,
      owner: shownUnits.has(projectile.source ?? '') ? projectile.source : null,
      ...placeOf(projectile),
      ...looksOf(projectile.id),
      attributes: attributesOf(projectile, definition.projectileTypes as never, owns(projectile.source)),
    });
  }
  for (const { id, x, y, width, height } of view.regions) {
    add(id, true, {
      kind: 'region',
      name: id.slice('r:'.length),
      x: near(x, quantum),
      y: near(y, quantum),
      width: near(width, quantum),
      height: near(height, quantum),
      look: looksOf(id)['look'],
      attributes: {},
    });
  }
  return {
    entities,
    maybe,
    variables: Object.fromEntries(variables.map((name) => [name, view.variables[name]])),
  };
}

/** The decoded state of an entity, in the same form. */
function plainOf(replica: Replica): Plain {
  const { kind } = replica;
  const seenOwner = replica.owner?.id ?? null;
  const place = replica.isPlaced ? { x: replica.x, y: replica.y, steps: replica.steps } : {};
  const common = { kind, attributes: Object.fromEntries(replica.attributes) };
  const sized = { width: replica.width, height: replica.height };
  const type = replica.type?.key ?? null;
  const looks = { flip: (replica.isMirrored ? 1 : 0) + (replica.isUpsideDown ? 2 : 0), look: lookText(replica.look) };
  switch (kind) {
    case 'region':
      return { ...common, ...sized, name: replica.name, x: replica.x, y: replica.y, look: looks.look };
    case 'player':
      return {
        ...common,
        type,
        name: replica.name,
        human: replica.isHuman,
        bot: replica.isBot,
        selected: replica.selectedUnit?.id ?? null,
        points: replica.points,
      };
    case 'unit':
      return {
        ...common,
        ...sized,
        ...place,
        ...looks,
        type,
        state: replica.state,
        name: replica.name,
        owner: seenOwner,
        currentSlot: replica.currentSlot,
      };
    case 'item':
      return {
        ...common,
        ...sized,
        ...place,
        ...looks,
        type,
        state: replica.state,
        name: replica.name,
        owner: seenOwner,
        slot: replica.slotIndex,
        held: replica.isHeld,
        used: replica.isUsed,
        quantity: replica.quantity,
      };
    default:
      return { ...common, ...place, ...looks, state: replica.state, owner: seenOwner };
  }
}

/** The members that are set, sorted. */
function lookText(look: object | undefined): string {
  const said = Object.entries(look ?? {}).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify(said.sort());
}

/** The differences between a client's decoded state and the expected one, as sentences. */
export function differences(reader: FrameReader, expected: Expected): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const kind of ['player', 'unit', 'item', 'projectile', 'region'] as const) {
    for (const replica of reader.all(kind)) {
      const { id } = replica;
      if (seen.has(id)) found.push(`${id} is there twice`);
      seen.add(id);
      const wanted = expected.entities.get(id);
      if (wanted === undefined) found.push(`${id} is known and must not be`);
      else compare(id, plainOf(replica), wanted, expected, found);
    }
  }
  for (const id of expected.entities.keys()) {
    if (!seen.has(id) && !expected.maybe.has(id)) found.push(`${id} is missing`);
  }
  for (const [name, value] of Object.entries(expected.variables)) {
    if (JSON.stringify(reader.variables.get(name)) !== JSON.stringify(value)) {
      found.push(`${name} is ${JSON.stringify(reader.variables.get(name))}, not ${JSON.stringify(value)}`);
    }
  }
  if (reader.variables.size !== Object.keys(expected.variables).length) found.push('there are other variables');
  return found;
}

function compare(id: string, got: Plain, wanted: Plain, expected: Expected, found: string[]): void {
  const { attributes: gotAttributes, ...gotRest } = got;
  const { attributes: wantedAttributes, ...wantedRest } = wanted;
  for (const [key, value] of Object.entries(wantedRest)) {
    // A reference to an entity at the edge may be unknown.
    if ((key === 'owner' || key === 'selected') && gotRest[key] === null && isMaybe(value, expected)) continue;
    if (!Object.is(gotRest[key], value)) found.push(`${id}.${key} is ${String(gotRest[key])}, not ${String(value)}`);
  }
  for (const key of Object.keys(gotRest)) {
    if (!(key in wantedRest) && gotRest[key] !== undefined) found.push(`${id}.${key} is known and must not be`);
  }
  const shown = gotAttributes as Record<string, { value: number; min: number; max: number }>;
  const real = wantedAttributes as Record<
    string,
    { value: number; bounds: readonly [number, number]; decimals: number }
  >;
  for (const [key, { value, bounds, decimals }] of Object.entries(real)) {
    const it = shown[key];
    const unit = 10 ** -decimals;
    if (it === undefined) found.push(`${id}.${key} is missing`);
    else if (!isShown(it.value, value, unit)) found.push(`${id}.${key} shows ${it.value}, and is ${value}`);
    else if (!isShown(it.min, bounds[0], unit) || !isShown(it.max, bounds[1], unit))
      found.push(`${id}.${key} has other bounds`);
  }
  for (const key of Object.keys(shown)) if (!(key in real)) found.push(`${id}.${key} is known and must not be`);
}

/** Whether a client may lack the entity with this id. */
function isMaybe(value: unknown, { entities, maybe }: Expected): boolean {
  return typeof value === 'string' && (!entities.has(value) || maybe.has(value));
}

function isShown(shown: number, value: number, unit: number): boolean {
  return Object.is(shown, value) || Math.abs(shown - value) <= shownError * unit;
}

/** The names of all global variables of a game, for streams that send all of them. */
export function variablesOf(game: LoadedGame): string[] {
  return [...game.definition.variables.keys()];
}
