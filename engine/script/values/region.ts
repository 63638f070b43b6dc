import type { Area } from '../../components/region.ts';
import { cos, PI, sin } from '../../core/dmath.ts';
import type { Dictionary } from '../../core/plain-object.ts';
import { type Aspect, existing, reads } from '../../rules/effects.ts';
import { entitiesInArea, randomPositionIn } from '../../rules/entities/area.ts';
import { regionNamed } from '../../rules/entities/variable.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import type { Operand } from '../ast.ts';
import type { Compilation } from '../compiling/compilation.ts';
import { type About, compiledValue, family, nullary, type ValueRow, value, withOperand } from '../op.ts';
import * as P from '../params.ts';
import { type Evaluate, OperandFault, type ScriptContext } from '../running/context.ts';
import { isObjectValue, toText } from '../running/value.ts';
import { countEntities } from '../running/work.ts';
import { placeOf } from './entity.ts';
import { coerced, entity, isMissing, number, region, text, unit } from './operands.ts';

/**
 * Compiles the region operand of a function. In dialects that follow the reference, functions with such an operand fail
 * for a plain region (reference: variables#regions), except `getYCoordinateOfRegion`, whose value is then undefined.
 */
function answers(
  compiler: Compilation,
  node: Operand,
  operation: string,
  operand: Evaluate<Area | undefined>,
): Evaluate<Area | undefined> {
  if (compiler.dialect.plainRegionsHaveGeometry || node.calls('getEntireMapRegion')) return operand;
  const evaluate = compiler.value(node);
  return (context) => {
    const given = evaluate(context);
    if (!isObjectValue(given)) return P.regionOf(context, given);
    if (operation === 'getYCoordinateOfRegion') return undefined;
    throw new OperandFault('wrong-value', `${operation}: the operand is a plain region, not a region entity.`);
  };
}

/**
 * A function that returns a number of a region, such as its width. A missing region is a fault, but does not abort the
 * action.
 */
function ofRegion(about: About, operation: string, aspect: Aspect, read: (area: Area) => number): ValueRow {
  return compiledValue(
    about,
    { region: P.region },
    'number',
    ({ region: operand }, compiler, node) => {
      const area = answers(compiler, node.operand('region'), operation, operand);
      return (context) => {
        const asked = area(context);
        if (asked !== undefined) return read(asked);
        context.world.fault('missing-value', `${operation}: \`region\` is not a region.`);
        return undefined;
      };
    },
    reads(aspect, 'region'),
  );
}

/**
 * A function that tests whether a body overlaps a region. For region entities and the whole map, the reference reads a
 * table that is never filled, so the result is false there (reference: variables#regions).
 */
export function isInRegion(about: About, kind: 'unit' | 'item', member: P.ParamKind<Entity>): ValueRow {
  return compiledValue(
    about,
    { region, [kind]: member } as { region: typeof region } & Record<string, P.ParamKind<unknown>>,
    'boolean',
    (operands, { dialect }, node) => {
      const of = operands[kind] as Evaluate<Entity>;
      const given = operands.region;
      const asksRegister = node.operand('region').calls('getEntireMapRegion');
      if (!dialect.inRegionKnowsRegionEntities && asksRegister) return () => false;
      return (context) => {
        const asked = given(context);
        if (!dialect.inRegionKnowsRegionEntities && asked instanceof EntityRef) return false;
        const entity = of(context);
        if (entity === noEntity) return false;
        const area = dialect.queriesCheckOperands
          ? P.regionOf(context, asked)
          : searched(context, asked, `${kind}IsInRegion`);
        if (area === undefined) return false;
        const { entities: found } = context.game.scratch;
        entitiesInArea(context.game, area, found);
        countEntities(context, found.length);
        return found.includes(entity);
      };
    },
    reads('position', kind),
    reads('position', 'region'),
  );
}

/** Entities of the given kinds whose bodies overlap an area, oldest first. */
function listIn(context: ScriptContext, area: Area, mask: number): EntityRef[] {
  const { world } = context;
  const refs: EntityRef[] = [];
  const { entities: found } = context.game.scratch;
  entitiesInArea(context.game, area, found);
  countEntities(context, found.length);
  for (const each of found) {
    if (((mask >> world.kindOf(each)) & 1) === 0) continue;
    const ref = world.ref(each);
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

const unitsOnly = 1 << Kind.unit;
const embodied =
  unitsOnly | (1 << Kind.item) | (1 << Kind.projectile) | (1 << Kind.region) | (1 << Kind.wall) | (1 << Kind.debris);

/**
 * A coordinate outside any map, px. In a search for bodies, it replaces NaN: a comparison with NaN is false, so a side
 * of the area at NaN excludes no body.
 */
const faraway = 1e7;

/**
 * The area that the reference searches if `given` is the operand. An entity that is not a region makes the action fail.
 */
function searched(context: ScriptContext, given: unknown, operation: string): Area | undefined {
  if (!given) return undefined;
  if (given instanceof EntityRef) {
    const area = P.regionOf(context, given);
    if (area === undefined)
      throw new OperandFault('wrong-value', `${operation}: \`region\` is an entity that is not a region.`);
    return area;
  }
  const { x, y, width, height } = given as Dictionary;
  return searchedBox(x, y, width, height);
}

function searchedBox(x: unknown, y: unknown, width: unknown, height: unknown): Area {
  const left = bounded(coerced(x), -faraway);
  const top = bounded(coerced(y), -faraway);
  const right = bounded(coerced(appended(x, width)), faraway);
  const bottom = bounded(coerced(appended(y, height)), faraway);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function bounded(number: number, otherwise: number) {
  return Number.isNaN(number) ? otherwise : Math.max(-faraway, Math.min(faraway, number));
}

/** Adds like `+` in JavaScript: concatenates if either value is a string. */
function appended(a: unknown, b: unknown): unknown {
  return typeof a === 'string' || typeof b === 'string' ? `${toText(a)}${toText(b)}` : coerced(a) + coerced(b);
}

const inFront = { entity, distance: number, width: number, height: number };
const noRectangle = 'The rectangle in front of the entity has an invalid position or size.';

/** The axis-aligned rectangle whose centre is at a distance in front of an entity. */
function areaInFront(world: World, of: Entity, distance: unknown, givenWidth: unknown, givenHeight: unknown): Area {
  const at = placeOf(world, of);
  const direction = world.components.transform.angle[rowOf(of)]! - PI / 2;
  const width = coerced(givenWidth);
  const height = coerced(givenHeight);
  return {
    x: at.x + coerced(distance) * cos(direction) - width / 2,
    y: at.y + coerced(distance) * sin(direction) - height / 2,
    width,
    height,
  };
}

/**
 * The rectangle in front of an entity. Undefined if an operand is missing; null, with a fault, if the rectangle would
 * have an invalid position or size.
 */
function rectangle(
  { world }: ScriptContext,
  of: Entity,
  distance: unknown,
  width: unknown,
  height: unknown,
): Area | undefined | null {
  if (of === noEntity || distance === undefined || width === undefined || height === undefined) return undefined;
  const area = areaInFront(world, of, distance, width, height);
  if (area.width > 0 && area.height > 0 && Number.isFinite(area.x) && Number.isFinite(area.y)) return area;
  world.fault('wrong-value', noRectangle);
  return null;
}

/**
 * The rectangle as the reference computes it. The reference does not convert the sizes, and refuses only coordinates
 * and sizes that are 0 or NaN.
 */
function roughRectangle(
  { world }: ScriptContext,
  of: Entity,
  distance: unknown,
  width: unknown,
  height: unknown,
): Readonly<Record<keyof Area, unknown>> | undefined | null {
  if (of === noEntity || isMissing(distance) || isMissing(width) || isMissing(height)) return undefined;
  const area = areaInFront(world, of, distance, width, height);
  if (area.x && area.y && area.width && area.height) return { ...area, width, height };
  // The reference prints the rectangle in its error message. Printing fails if the rectangle contains an entity.
  if (width instanceof EntityRef || height instanceof EntityRef) {
    throw new OperandFault('wrong-value', 'The width and height of a rectangle must be numbers, not entities.');
  }
  world.fault('wrong-value', noRectangle);
  return null;
}

/** The rectangle for the overlap test: for a region entity, the rectangle of its body; missing members count as 0. */
function rectangleOf({ game, world }: ScriptContext, given: unknown): Area | undefined {
  if (given instanceof EntityRef) {
    const region = world.exists(given.entity) ? world.components.region[rowOf(given.entity)] : undefined;
    return region && game.rules.regionBox(game, region);
  }
  if (!isObjectValue(given)) return undefined;
  const member = (key: string) => coerced(given[key]) || 0;
  return { x: member('x'), y: member('y'), width: member('width'), height: member('height') };
}

function overlap(a: Area, b: Area) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const playableTries = 20;
/** Free space that a playable position needs to its right and below, px. */
const playableRoom = 100;

/**
 * A random point in an area. If neither of its coordinates is a number, the point is the top-left corner of the map, as
 * in the reference.
 */
function randomPoint(context: ScriptContext, area: Area): { x: number; y: number } {
  const at = randomPositionIn(context.game, area);
  return Number.isNaN(at.x) && Number.isNaN(at.y) ? { x: 0, y: 0 } : at;
}

function randomPlayable(context: ScriptContext, area: Area): { x: number; y: number } | undefined {
  const { game } = context;
  for (let tries = 0; tries < playableTries; tries++) {
    const at = randomPoint(context, area);
    if (game.physics.isWall(at.x, at.y)) continue;
    const room = { x: at.x, y: at.y, width: playableRoom, height: playableRoom };
    if (listIn(context, room, unitsOnly).length === 0) return at;
  }
  context.world.fault('missing-value', `No free position was found in the region in ${playableTries} attempts.`);
  return undefined;
}

/** Regions, whether entities or plain `{x, y, width, height}` (px, top-left corner), and what is inside them. */
export const regionValues = family<ValueRow>('region', {
  getRegionByName: value(
    {
      sentence: 'The region with a given name.',
      example: { name: 'home' },
      operands: { name: 'The name of the region.' },
    },
    { name: text },
    'region',
    (called, context) => (typeof called === 'string' && called !== '' ? regionNamed(context.world, called) : undefined),
    existing('region'),
  ),
  /** The members of the region are the values of the operands, unchecked. */
  dynamicRegion: compiledValue(
    'A region, given by its top-left corner and its size, px.',
    { x: number, y: number, width: number, height: number },
    'region',
    ({ x, y, width, height }) =>
      (context) => ({ x: x(context), y: y(context), width: width(context), height: height(context) }),
  ),
  getEntireMapRegion: nullary('The entire map as a region.', 'region', ({ game: { physics } }) => ({
    x: 0,
    y: 0,
    width: physics.mapWidth,
    height: physics.mapHeight,
  })),
  /** The value is the name of the region's variable, or the `key` of a plain region. */
  nameOfRegion: value(
    'The name of a region.',
    { region },
    'string',
    (given, context) => {
      if (given instanceof EntityRef) return context.world.components.region[rowOf(given.entity)]?.name;
      return isObjectValue(given) ? given['key'] : undefined;
    },
    reads('name', 'region'),
  ),
  centerOfRegion: compiledValue(
    'The centre of a region.',
    { region: P.region },
    'position',
    ({ region: operand }, compiler, node) => {
      const area = answers(compiler, node.operand('region'), 'centerOfRegion', operand);
      return (context) => {
        const asked = area(context);
        return asked && { x: asked.x + asked.width / 2, y: asked.y + asked.height / 2 };
      };
    },
    reads('position', 'region'),
  ),
  getXCoordinateOfRegion: ofRegion('The left edge of a region.', 'getXCoordinateOfRegion', 'position', ({ x }) => x),
  getYCoordinateOfRegion: ofRegion('The top edge of a region.', 'getYCoordinateOfRegion', 'position', ({ y }) => y),
  getWidthOfRegion: ofRegion('The width of a region.', 'getWidthOfRegion', 'size', ({ width }) => width),
  getHeightOfRegion: ofRegion('The height of a region.', 'getHeightOfRegion', 'size', ({ height }) => height),
  /** The position is in whole px. The left and top edges are included, the right and bottom ones are not. */
  getRandomPositionInRegion: value(
    'A random position in a region.',
    { region: P.regionOrPart },
    'position',
    (area, context) => area && randomPoint(context, area),
    reads('position', 'region'),
    reads('chance'),
  ),
  /**
   * The function returns a position that is not in a wall and has no units in the 100 px to its right and below;
   * undefined if twenty attempts fail.
   */
  getRandomPlayablePositionInRegion: value(
    'A random position in a region that is not in a wall and has no units within 100 px to its right and below.',
    { region: P.regionOrPart },
    'position',
    (area, context) => area && randomPlayable(context, area),
    reads('position', 'region'),
    reads('tiles'),
    reads('chance'),
  ),
  /** Regions whose edges touch do not overlap. */
  regionOverlapsWithRegion: compiledValue(
    'Whether two regions overlap.',
    { regionA: region, regionB: region },
    'boolean',
    ({ regionA, regionB }, { dialect }, node) => {
      // In the reference, the region of the whole map stores its rectangle in members with other names, so it overlaps
      // with nothing.
      const isMap = (key: string) => !dialect.rectanglesAreValidated && node.operand(key).calls('getEntireMapRegion');
      if (isMap('regionA') || isMap('regionB')) return () => false;
      return (context) => {
        const a = rectangleOf(context, regionA(context));
        const b = rectangleOf(context, regionB(context));
        return a !== undefined && b !== undefined && overlap(a, b);
      };
    },
    reads('position', 'regionA'),
    reads('position', 'regionB'),
  ),
  unitIsInRegion: isInRegion('Whether the body of a unit overlaps a region.', 'unit', unit),
  allUnitsInRegion: areaList('All units whose bodies overlap a region.', unitsOnly),
  entitiesInRegion: areaList('All entities whose bodies overlap a region.', embodied),
  regionInFrontOfEntityAtDistance: compiledValue(
    'A region with a given size, whose centre is at a given distance in front of an entity.',
    inFront,
    'region',
    ({ entity: of, distance, width, height }, { dialect }) => {
      const make = dialect.rectanglesAreValidated ? rectangle : roughRectangle;
      return (context) => make(context, of(context), distance(context), width(context), height(context)) ?? undefined;
    },
    reads('position', 'entity'),
    reads('angle', 'entity'),
  ),
  entitiesInRegionInFrontOfEntityAtDistance: compiledValue(
    'All entities whose bodies overlap a region with a given size, whose centre is at a given distance in front of an entity.',
    inFront,
    'entities',
    ({ entity: of, distance, width, height }, { dialect }) => {
      const { rectanglesAreValidated } = dialect;
      const make = rectanglesAreValidated ? rectangle : roughRectangle;
      return (context) => {
        const area = make(context, of(context), distance(context), width(context), height(context));
        if (area === undefined) return undefined;
        if (area === null) return [];
        const asked = rectanglesAreValidated ? (area as Area) : searchedBox(area.x, area.y, area.width, area.height);
        return listIn(context, asked, embodied);
      };
    },
    reads('entities'),
    reads('position'),
    reads('angle', 'entity'),
  ),
});

/** Lists entities in a region. The list is empty if there is no region. */
function areaList(about: About, mask: number): ValueRow {
  const list = (context: ScriptContext, area: Area | undefined) =>
    area === undefined ? [] : listIn(context, area, mask);
  return compiledValue(
    about,
    { region: P.region },
    mask === unitsOnly ? 'units' : 'entities',
    withOperand(
      (area: Area | undefined, context) => list(context, area),
      (given, context) => list(context, searched(context, given, 'the query for entities in a region')),
    ),
    mask === unitsOnly ? existing('unit') : reads('entities'),
    reads('position'),
  );
}
