import type { PlayerState } from '../../components/player.ts';
import { RayHits } from '../../physics/ray.ts';
import { rememberRay } from '../../rules/combat/ray.ts';
import { existing, reads, type Selection } from '../../rules/effects.ts';
import { readGlobal } from '../../rules/entities/variable.ts';
import { drawFromGroup } from '../../rules/types/type-group.ts';
import { playerTypeKey } from '../../rules/types/type-key.ts';
import { type Entity, type EntityRef, Kind, Life, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { memberText, type Operand } from '../ast.ts';
import { type About, compiledValue, family, nullary, type ValueRow, value, valueOfTwo } from '../op.ts';
import * as P from '../params.ts';
import { type Evaluate, OperandFault, type ScriptContext } from '../running/context.ts';
import { isObjectValue, toPoint } from '../running/value.ts';
import { countEntities } from '../running/work.ts';
import { player, position } from './operands.ts';
import { propertyOf } from './property.ts';

type Accept = (row: number, entity: Entity) => boolean;

/** A new list, in creation order, of the entities that exist now. */
export function listOf(context: ScriptContext, kind: number, accept?: Accept): EntityRef[] {
  const refs: EntityRef[] = [];
  forEach(context, kind, accept, (each) => refs.push(context.world.ref(each)!));
  return refs;
}

function countOf(context: ScriptContext, kind: number, accept?: Accept) {
  let count = 0;
  forEach(context, kind, accept, () => count++);
  return count;
}

function forEach(context: ScriptContext, kind: number, accept: Accept = () => true, visit: (each: Entity) => void) {
  const { world } = context;
  const { entries } = world.lists[kind]!;
  countEntities(context, entries.length);
  for (let i = 0; i < entries.length; i++) {
    const each = entries[i]!;
    if (isPresent(world, each) && accept(rowOf(each), each)) visit(each);
  }
}

/**
 * An entity that is being destroyed can still be found by name, but is no longer in lists (reference:
 * creation#destruction).
 */
function isPresent(world: World, entity: Entity) {
  return world.exists(entity) && world.components.rows.life[rowOf(entity)] === Life.alive;
}

/** A function that returns all entities of a kind. */
export function all(about: About, kind: Kind & Selection, returns: string): ValueRow {
  return nullary(about, returns, (context) => listOf(context, Kind[kind]), existing(kind));
}

/** A function that returns the number of entities of a kind. */
export function numberOf(about: About, kind: Kind & Selection): ValueRow {
  return nullary(about, 'number', (context) => countOf(context, Kind[kind]), existing(kind));
}

function playersWho(
  about: About,
  test: (state: PlayerState) => boolean,
  kind: 'player' | 'computer' = 'player',
): ValueRow {
  return nullary(
    about,
    'players',
    (context) => {
      const { player } = context.world.components;
      return listOf(context, Kind.player, (row) => test(player[row]!));
    },
    existing(kind),
  );
}

/** The key of a player type. A missing value selects players without a type. */
const playerType = { ...P.any, name: 'player type', literals: ['string'], refersTo: 'playerType' } as const;

function ofPlayerType(
  about: About,
  returns: string,
  read: (context: ScriptContext, accept: Accept) => unknown,
): ValueRow {
  return value(
    about,
    { playerType },
    returns,
    (key, context) => read(context, (_row, entity) => playerTypeKey(context.world, entity) === key),
    existing('player', 'playerType'),
  );
}

function ofUnitType(
  about: About,
  returns: string,
  read: (context: ScriptContext, accept: Accept) => unknown,
): ValueRow {
  return value(
    about,
    { unitType: P.unitType },
    returns,
    (key, context) => {
      const index = key === undefined ? -1 : (context.world.types.unit.get(key)?.index ?? -1);
      const { identity, unknownType } = context.world.components;
      return read(context, (row) =>
        unknownType[row] === undefined ? index >= 0 && identity.type[row] === index : unknownType[row] === key,
      );
    },
    existing('unit', 'unitType'),
  );
}

const placedKinds: ReadonlySet<string> = new Set('unit item projectile wall debris'.split(' '));

/** Reused by every call of the functions for rays. */
const hits = new RayHits();

/** A group of types: an operand, or a bare `{variableName}` as some editors write. */
export const typeGroup: P.ParamKind<unknown> = {
  ...P.any,
  name: 'type group',
  compile: (compiler, node) => {
    const name = node.kind === 'data' ? memberText(node, 'variableName') : undefined;
    if (name !== undefined) {
      return (context) => readGlobal(context.world, name);
    }
    return compiler.value(node);
  },
};

/**
 * A function that returns all types of the definition by key. Scripts loop over the keys, and see only the name of each
 * type.
 */
export function allTypes(about: About, kind: 'unit' | 'item'): ValueRow {
  return compiledValue(about, {}, `${kind} type group`, (_operands, { definition }) => {
    const types = [...definition[`${kind}Types`]].map(([key, { name }]) => [key, Object.freeze({ name })] as const);
    const group = Object.freeze(Object.fromEntries(types));
    return () => group;
  });
}

/** A function that returns the count of a type in a group. */
export function quantityInGroup(about: About, groupKey: string, typeKey: string, type: typeof P.itemType): ValueRow {
  return valueOfTwo(
    about,
    { [groupKey]: typeGroup, [typeKey]: type },
    'number',
    (group, key) => {
      if (!isObjectValue(group) || typeof key !== 'string' || !Object.hasOwn(group, key)) return undefined;
      const entry = group[key];
      return isObjectValue(entry) ? entry['quantity'] : undefined;
    },
    reads('variable', undefined, { key: groupKey }),
  );
}

/** References to those entities of a list that still exist, in the same order. */
function refsOf(world: World, entities: readonly Entity[]): EntityRef[] {
  const refs: EntityRef[] = [];
  for (const entity of entities) {
    const ref = world.ref(entity);
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

/** Lists of entities and players, and groups of types. */
export const groupValues = family<ValueRow>('group', {
  getUnitCount: numberOf('The number of units.', 'unit'),
  getNumberOfUnitsOfUnitType: ofUnitType('The number of units of a given type.', 'number', (context, accept) =>
    countOf(context, Kind.unit, accept),
  ),
  allUnits: all('All units.', 'unit', 'units'),
  allUnitsOfUnitType: ofUnitType('All units of a given type.', 'units', (context, accept) =>
    listOf(context, Kind.unit, accept),
  ),
  /** The units are in the order in which the player acquired them. */
  allUnitsOwnedByPlayer: propertyOf(player, 'player')(
    'All units of a player.',
    'units',
    (_player, row, { world }) => refsOf(world, world.components.ownedUnits[row]!.units),
    existing('unit'),
    reads('owner'),
  ),

  getPlayerCount: nullary(
    'The number of human players and bots, without computer players.',
    'number',
    (context) => {
      const { player } = context.world.components;
      return countOf(context, Kind.player, (row) => player[row]!.controlledBy === 'human');
    },
    existing('player'),
  ),
  getNumberOfPlayersOfPlayerType: ofPlayerType('The number of players of a given type.', 'number', (context, accept) =>
    countOf(context, Kind.player, accept),
  ),
  allPlayers: all('All players, including computer players.', 'player', 'players'),
  humanPlayers: playersWho('All human players and bots.', ({ controlledBy }) => controlledBy === 'human'),
  computerPlayers: playersWho('All computer players.', ({ controlledBy }) => controlledBy === 'computer', 'computer'),
  botPlayers: playersWho('All bots.', ({ isBot }) => isBot),
  playersOfPlayerType: ofPlayerType('All players of a given type.', 'players', (context, accept) =>
    listOf(context, Kind.player, accept),
  ),

  /** The list includes entities that are being destroyed. */
  allEntities: nullary(
    'All units, items, projectiles and walls.',
    'entities',
    (context) => {
      const { world } = context;
      const { entries } = world.order;
      countEntities(context, entries.length);
      const refs = refsOf(world, entries).filter(({ kind }) => placedKinds.has(kind));
      // `order` is the update order, in which a unit comes after entities that were created with it; this list is in
      // creation order.
      const { serial } = world.components.rows;
      return refs.sort((a, b) => serial[rowOf(a.entity)]! - serial[rowOf(b.entity)]!);
    },
    reads('entities'),
  ),
  allRegions: all('All regions.', 'region', 'regions'),
  allDebris: all('All debris of the map.', 'debris', 'debris'),
  /** The debris is found by its own id or by the id of its map object. */
  getDebrisVariable: value(
    { sentence: 'The piece of debris with a given id.', example: { debrisId: 'd1' } },
    { debrisId: P.rawText },
    'debris',
    (id, context) => {
      const { world } = context;
      return listOf(context, Kind.debris).find(
        (ref) => ref.id === id || world.components.debris[rowOf(ref.entity)]?.name === id,
      );
    },
    existing('debris'),
  ),
  /** The list contains units and walls on the line, nearest to A first. The result is stored as the last ray. */
  entitiesBetweenTwoPositions: compiledValue(
    'The units and walls whose bodies intersect the line between two positions.',
    { positionA: position, positionB: position },
    'entities',
    ({ positionA, positionB }, { dialect }) => {
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const [from, to] = [positionA(context), positionB(context)];
        const a = toPoint(from);
        const b = toPoint(to);
        if (a !== undefined && b !== undefined) context.game.physics.castRayBothWays(a.x, a.y, b.x, b.y, hits);
        // In the reference, a ray from or to a value that is not a position hits nothing.
        else if (!queriesCheckOperands && from && to) hits.clear();
        else return undefined;
        rememberRay(context.game, hits);
        return lastRay(context);
      };
    },
    reads('entities'),
    reads('position'),
    reads('last'),
  ),
  entitiesCollidingWithLastRaycast: compiledValue(
    'The units and walls that the last raycast hit, nearest first.',
    {},
    'entities',
    (_operands, { dialect: { noRaycastIsEmptyList } }) =>
      noRaycastIsEmptyList ? lastRay : (context) => (context.world.memory.hasCastRay ? lastRay(context) : undefined),
    reads('last'),
  ),

  allUnitTypesInGame: allTypes('All unit types, each with a count of 1.', 'unit'),
  getQuantityOfUnitTypeInUnitTypeGroup: quantityInGroup(
    'The count of a unit type in a group of unit types.',
    'unitTypeGroup',
    'unitType',
    P.unitType,
  ),
  getRandomUnitTypeFromUnitTypeGroup: compiledValue(
    'A random unit type of a group, weighted by the counts.',
    { unitTypeGroup: typeGroup },
    'unit type',
    ({ unitTypeGroup }, { dialect }, node) => {
      const read = dialect.queriesCheckOperands ? unitTypeGroup : variableOnly(node.operand('unitTypeGroup'));
      return (context) => drawnFrom(context, read(context), dialect.queriesCheckOperands);
    },
    reads('variable', undefined, { key: 'unitTypeGroup' }),
    reads('chance'),
  ),
});

/** In the reference, a group of unit types is read from the operand's `variableName`, regardless of its function. */
function variableOnly(operand: Operand): Evaluate<unknown> {
  const name = memberText(operand, 'variableName');
  return (context) => (name === undefined ? undefined : readGlobal(context.world, name));
}

/**
 * Draws a random type from a group. For an empty group, returns undefined if `toleratesEmpty`; otherwise aborts the
 * action, as in the reference.
 */
export function drawnFrom(context: ScriptContext, group: unknown, toleratesEmpty: boolean): string | undefined {
  if (!isObjectValue(group)) return undefined;
  const drawn = drawFromGroup(context.game, group);
  if (drawn === undefined && !toleratesEmpty) throw new OperandFault('wrong-value', 'The group of types is empty.');
  return drawn;
}

function lastRay({ world }: ScriptContext): EntityRef[] {
  return refsOf(world, world.memory.lastRaycast);
}
