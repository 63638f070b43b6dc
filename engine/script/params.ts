import type { Point } from '../components/point.ts';
import type { Area } from '../components/region.ts';
import type { Dictionary } from '../core/plain-object.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { type Block, literalText, type Operand, type Reference } from './ast.ts';
import type { Compilation } from './compiling/compilation.ts';
import { compileCondition } from './compiling/condition.ts';
import { constantOf, evaluateOf, type Run, Source, sourceOf } from './compiling/source.ts';
import { kind, measured, missing, optional, type ParamKind, type ParamSite } from './param-kind.ts';
import type { Evaluate, ScriptContext, Signal } from './running/context.ts';
import { isObjectValue, leadingNumber, toNumber, toPoint, toText } from './running/value.ts';
import { countCharacters } from './running/work.ts';

export type { ParamKind } from './param-kind.ts';
export { alias, faultIfMissing, measured, named, optional } from './param-kind.ts';

/** Any value, unconverted. */
export const any: ParamKind<unknown> = kind('any', (compiler, node) => compiler.value(node));

/** The JSON itself, never evaluated. */
export const raw: ParamKind<unknown> = kind(
  'raw',
  (_compiler, { json }) =>
    () =>
      json,
  { syntax: 'raw' },
);

/**
 * A literal string that is never evaluated, such as a script id or a variable name. Undefined for any other operand.
 */
export const rawText: ParamKind<string | undefined> = kind(
  'text literal',
  (compiler, node, place) => {
    const text = literalText(node);
    if (node.kind === 'nothing' && node.isNull) {
      compiler.issue('missing-parameter', node, `${place.operation} needs \`${place.key}\`.`, {
        expected: 'text literal',
        found: 'null',
      });
    } else if (node.kind === 'call' || node.kind === 'data') {
      compiler.issue(
        'wrong-parameter',
        node,
        `${place.operation}: \`${place.key}\` is not evaluated, so it must be a literal string.`,
        { expected: 'text literal', found: excerpt(node) },
      );
    }
    return () => text;
  },
  // Objects and arrays count as possible literals, because the code above reports them with a better message: the
  // operand is not evaluated, so even a call that returns a string is an error.
  { literals: ['string', 'object', 'array'] },
);

/**
 * Compiles a number. `ofText` converts a number that is given as a string: to the number, or to the string itself if
 * the operation distinguishes the two. `otherwise` converts a value that is not a number; without this function,
 * actions receive undefined.
 */
function numberOperand<T>(
  compiler: Compilation,
  node: Operand,
  place: ParamSite,
  ofText: (text: string, spelt: number) => T,
  otherwise?: (value: unknown) => number | undefined,
): Evaluate<number | T | undefined> {
  const text = literalText(node);
  if (text !== undefined && toNumber(text) === undefined && !(text === '' && place.optional)) {
    compiler.issue('wrong-parameter', node, `${place.operation}: \`${place.key}\` is a string that is not a number.`, {
      expected: 'number',
      found: excerpt(node),
    });
  }
  const reading: NumberReading = { place, ofText, otherwise };
  return evaluateOf(new Source(readNumber as Run<number | T | undefined>, reading, 0, sourceOf(compiler.value(node))));
}

interface NumberReading {
  readonly place: ParamSite;
  readonly ofText: (text: string, spelt: number) => unknown;
  readonly otherwise: ((value: unknown) => number | undefined) | undefined;
}

function readNumber({ left, value: reading }: Source, context: ScriptContext): unknown {
  const value = left.run(left, context);
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  const { place, ofText, otherwise } = reading as NumberReading;
  const converted = toNumber(value);
  if (converted !== undefined && !Number.isNaN(converted))
    return typeof value === 'string' ? ofText(value, converted) : converted;
  missing(context, place, 'missing-value', 'number');
  if (otherwise !== undefined) return otherwise(value);
  // Functions receive NaN, but actions do not: an action that stored NaN would corrupt the state.
  return place.faults ? undefined : converted;
}

const spelt = (_text: string, number: number) => number;
const asWritten = (text: string) => text;

export const number: ParamKind<number | undefined> = kind(
  'number',
  (compiler, node, place) => numberOperand<number>(compiler, node, place, spelt),
  { literals: ['number', 'string'] },
);

export const radians = measured('radians', number);
export const degrees = measured('degrees', number);
export const ms = measured('ms', number);
export const px = measured('px', number);

/** A number, or, in dialects without `numericTextAdds`, a numeric string unchanged. */
export const amount: ParamKind<number | string | undefined> = kind(
  'number',
  (compiler, node, place) =>
    numberOperand<number | string>(compiler, node, place, compiler.dialect.numericTextAdds ? spelt : asWritten),
  { literals: ['number', 'string'] },
);

/**
 * A number for an attribute. Any other value records a fault and evaluates to undefined; in the reference, it records a
 * fault and evaluates to the result of `read`.
 */
function attributeNumber(read: (value: unknown) => number | undefined): ParamKind<number | undefined> {
  return {
    ...number,
    compile: (compiler, node, place) =>
      numberOperand<number>(compiler, node, place, spelt, compiler.dialect.attributesStayNumbers ? undefined : read),
  };
}

/**
 * The number for an attribute of a unit, item or projectile, or for a bound. In the reference, other values are
 * converted as by arithmetic, and a missing value sets nothing.
 */
export const attributeValue = attributeNumber((value) =>
  value === undefined || value === null ? undefined : typeof value === 'object' ? NaN : Number(value),
);

/**
 * The number for an attribute of a player. In the reference, another value is converted to the leading number of its
 * string form; a missing value becomes NaN.
 */
export const playerAttributeValue = attributeNumber(leadingNumber);

/** Any value converted to a string; only undefined and null count as missing. */
export const text: ParamKind<string | undefined> = kind('string', (compiler, node, place) => {
  const evaluate = compiler.value(node);
  return (context) => {
    const value = evaluate(context);
    if (value === undefined || value === null) {
      missing(context, place, 'missing-value', 'text');
      return undefined;
    }
    const written = toText(value);
    countCharacters(context, written.length);
    return written;
  };
});

/** A boolean: true and "true" are true; everything else, including a missing value, is false. */
export const boolean: ParamKind<boolean> = kind(
  'boolean',
  (compiler, node) => {
    const evaluate = compiler.value(node);
    return (context) => {
      const value = evaluate(context);
      return value === true || value === 'true';
    };
  },
  { literals: ['boolean', 'string'] },
);

type IsThere = (world: World, entity: Entity) => boolean;

function entityOf(name: string, accepts: readonly number[], isThere: IsThere = exists): ParamKind<Entity> {
  let mask = 0;
  for (const each of accepts) mask |= 1 << each;
  return kind(
    name,
    (compiler, node, place) => {
      const evaluate = compiler.value(node);
      const wanted: WantedEntity = { place, name, isThere };
      if (readsSelectedUnit(compiler, node)) return evaluateOf(new Source(selectedUnitOf, wanted, mask));
      return evaluateOf(new Source(entityFrom, wanted, mask, sourceOf(evaluate)));
    },
    { literals: [], none: noEntity },
  );
}

interface WantedEntity {
  readonly place: ParamSite;
  readonly name: string;
  readonly isThere: IsThere;
}

function selectedUnitOf({ slot: mask, value }: Source, context: ScriptContext): Entity {
  const ref = context.selectedUnit;
  const { isThere, place, name } = value as WantedEntity;
  if (ref !== undefined && isOneOf(context.world, ref.entity, mask, isThere)) return ref.entity;
  return noneOf(context, ref, mask, place, name);
}

function entityFrom({ slot: mask, value, left }: Source, context: ScriptContext): Entity {
  const ref = left.run(left, context);
  const { isThere, place, name } = value as WantedEntity;
  if (ref instanceof EntityRef && isOneOf(context.world, ref.entity, mask, isThere)) return ref.entity;
  return noneOf(context, ref, mask, place, name);
}

/**
 * Whether a node is a call to `getSelectedUnit`, the most frequent entity operand. Callers then read the selected unit
 * from the context directly, which saves a call. False if an observer must be notified of the value.
 */
export function readsSelectedUnit({ observedSteps }: Compilation, node: Operand): boolean {
  return observedSteps !== 'everything' && node.calls('getSelectedUnit', 'selectedUnit');
}

function exists(world: World, entity: Entity): boolean {
  return world.exists(entity);
}

function isOneOf(world: World, entity: Entity, mask: number, isThere: IsThere) {
  return isThere(world, entity) && ((mask >> world.kindOf(entity)) & 1) === 1;
}

function noneOf(context: ScriptContext, value: unknown, mask: number, place: ParamSite, name: string): Entity {
  if (!(value instanceof EntityRef) || ((mask >> Kind[value.kind]) & 1) === 0) {
    missing(context, place, 'no-such-entity', name);
  } else if (place.faults) {
    // Records a skip, not a fault: for example, two contacts of one step may both destroy the same bullet.
    context.world.skip('nothing-to-act-on', `${place.operation}: \`${place.key}\` no longer exists.`);
  }
  return noEntity;
}

/**
 * A name to set. Undefined clears the name. In dialects with `namesNeedValues`, a missing name records a fault and
 * evaluates to null.
 */
export const name: ParamKind<string | undefined | null> = {
  ...text,
  compile: (compiler, node, place) => {
    if (!compiler.dialect.namesNeedValues) return optional(text).compile(compiler, node, { ...place, optional: true });
    const evaluate = text.compile(compiler, node, place);
    return (context) => evaluate(context) ?? null;
  },
};

/** An existing entity of one kind; 0 if there is none. */
export const unit = entityOf('unit', [Kind.unit]);
export const item = entityOf('item', [Kind.item]);
export const projectile = entityOf('projectile', [Kind.projectile]);
export const player = entityOf('player', [Kind.player]);
export const sensor = entityOf('sensor', [Kind.sensor]);
export const debris = entityOf('debris', [Kind.debris]);
/**
 * Kinds of entities with a position of their own. Sensors are left out, because they are at the position of their unit.
 */
export const placedKinds = [Kind.unit, Kind.item, Kind.projectile, Kind.region, Kind.wall, Kind.debris] as const;
/** An entity of any kind that has a position in the world. */
export const entity = entityOf('entity', [...placedKinds, Kind.sensor]);
const entityOrGone = entityOf('entity', [...placedKinds, Kind.sensor], (world, gone) => world.remembers(gone));
/** An entity. In the reference, it may already be destroyed (reference: creation#destruction). */
export const destroyed: ParamKind<Entity> = {
  ...entity,
  compile: (compiler, node, place) =>
    (compiler.dialect.entitiesAreDestroyedOnce ? entity : entityOrGone).compile(compiler, node, place),
};
/**
 * Entities that can be moved, hidden and shown: regions and walls stay where they are (reference:
 * operations#moveentity).
 */
export const movable = entityOf('movable entity', [Kind.unit, Kind.item, Kind.projectile, Kind.debris]);
/** Entities that have a type in the definition, and with it scripts, states and bodies. */
export const typedEntity = entityOf('unit, item or projectile', [Kind.unit, Kind.item, Kind.projectile]);
/** An entity or a player. */
export const entityOrPlayer = entityOf('entity or player', [...placedKinds, Kind.sensor, Kind.player]);
/** A reference to an entity that may no longer exist, for tests of existence and for lists. */
export const entityRef: ParamKind<EntityRef | undefined> = kind(
  'entity or player',
  (compiler, node) => {
    const evaluate = compiler.value(node);
    return (context) => {
      const value = evaluate(context);
      return value instanceof EntityRef ? value : undefined;
    };
  },
  { literals: [] },
);

/**
 * Reports the first member of a literal position or rectangle that is not a number. Members are not evaluated, so a
 * call is not a number either.
 */
function checkMembers(compiler: Compilation, node: Operand, { operation, key }: ParamSite, members: string[]) {
  if (node.kind !== 'data' || node.isList) return;
  const { json } = node as { readonly json: Dictionary };
  const wrong = members.find((member) => toNumber(json[member]) === undefined);
  if (wrong === undefined) return;
  const value = json[wrong];
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
  const number = typeof value === 'string' ? Number.parseFloat(value) : NaN;
  const isCall = typeof value === 'object' && value !== null;
  const hint = isCall ? '; for computed coordinates, use `xyCoordinate`' : '';
  compiler.issue(
    'wrong-parameter',
    node,
    `${operation}: \`${wrong}\` of \`${key}\` is not a number${hint}.`,
    { expected: 'a number of pixels', found, ...(!Number.isNaN(number) && { suggestion: String(number) }) },
    value === undefined ? undefined : wrong,
  );
}

export const position: ParamKind<Point | undefined> = kind(
  'position',
  (compiler, node, place) => {
    checkMembers(compiler, node, place, ['x', 'y']);
    const evaluate = compiler.value(node);
    return (context) => {
      const point = toPoint(evaluate(context));
      if (point === undefined) missing(context, place, 'missing-value', 'position');
      return point;
    };
  },
  { literals: ['object'] },
);

/**
 * The position at which something is created. In the reference, a coordinate that is not a number becomes 0 (reference:
 * creation#all-entities).
 */
export const creationPosition: ParamKind<Point | undefined> = {
  ...position,
  compile: (compiler, node, place) => {
    const at = position.compile(compiler, node, place);
    if (compiler.dialect.pointsNeedNumbers) return at;
    return (context) => {
      const point = at(context);
      return point && (Number.isNaN(point.x) || Number.isNaN(point.y)) ? { x: point.x || 0, y: point.y || 0 } : point;
    };
  },
};

/**
 * Like `creationPosition`, but in the reference an item without a position is created at 0, 0 (reference:
 * creation#items).
 */
export const itemPlace: ParamKind<Point | undefined> = {
  ...position,
  compile: (compiler, node, place) => {
    const at = creationPosition.compile(compiler, node, place);
    return compiler.dialect.pointsNeedNumbers ? at : (context) => at(context) ?? { x: 0, y: 0 };
  },
};

/**
 * A vector `{x, y}` whose components are operands. A component that is not a number is 0 (reference:
 * operations#applyforceonentityxy). The result object is reused by the next evaluation: do not keep it.
 */
export const vector: ParamKind<Readonly<Point> | undefined> = kind(
  'vector',
  (compiler, node, place) => {
    const result: Point = { x: 0, y: 0 };
    if (node.kind === 'data' && !('function' in node.json)) {
      const ex = component(compiler, node.member('x'));
      const ey = component(compiler, node.member('y'));
      return (context) => {
        result.x = toNumber(ex(context)) ?? 0;
        result.y = toNumber(ey(context)) ?? 0;
        return result;
      };
    }
    const evaluate = position.compile(compiler, node, place);
    return (context) => {
      const point = evaluate(context);
      if (point === undefined) return undefined;
      result.x = point.x;
      result.y = point.y;
      return result;
    };
  },
  { literals: ['object'] },
);

/** Compiles one component of a vector. A component that is null or absent evaluates to undefined, without an issue. */
function component(compiler: Compilation, node: Operand): Evaluate<unknown> {
  return node.kind === 'nothing' ? () => undefined : compiler.value(node);
}

/** The rectangle of a region entity or of a plain `{x, y, width, height}`; x, y is the top-left corner. */
export const region: ParamKind<Area | undefined> = kind(
  'region',
  (compiler, node, place) => {
    checkMembers(compiler, node, place, ['x', 'y', 'width', 'height']);
    const evaluate = compiler.value(node);
    return (context) => {
      const rectangle = regionOf(context, evaluate(context));
      if (rectangle === undefined) missing(context, place, 'missing-value', 'region');
      return rectangle;
    };
  },
  { literals: ['object'] },
);

export function regionOf(context: ScriptContext, value: unknown): Area | undefined {
  if (value instanceof EntityRef)
    return context.world.exists(value.entity) ? context.world.components.region[rowOf(value.entity)] : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const { x, y, width, height } = value as Record<string, unknown>;
  const nx = toNumber(x);
  const ny = toNumber(y);
  const nw = toNumber(width);
  const nh = toNumber(height);
  if (nx === undefined || ny === undefined || nw === undefined || nh === undefined) return undefined;
  return { x: nx, y: ny, width: nw, height: nh };
}

/** Like `region`, but in the reference any truthy value is accepted, and missing members are NaN. */
export const regionOrPart: typeof region = {
  ...region,
  compile: (compiler, node, place) => {
    if (compiler.dialect.pointsNeedNumbers) return region.compile(compiler, node, place);
    const evaluate = compiler.value(node);
    return (context) => {
      const given = evaluate(context);
      const whole = regionOf(context, given);
      if (whole !== undefined || !given) return whole;
      const member = (key: string) => (isObjectValue(given) ? toNumber(given[key]) : undefined) ?? NaN;
      return { x: member('x'), y: member('y'), width: member('width'), height: member('height') };
    };
  },
};

function keyOf(name: string, refersTo: Reference): ParamKind<string | undefined> {
  return kind(
    name,
    (compiler, node, place) => {
      const literal = literalText(node);
      if (literal !== undefined) return constantOf(literal);
      const evaluate = compiler.value(node);
      return (context) => {
        const value = evaluate(context);
        if (typeof value === 'string') return value;
        // Some editors wrote numeric ids as JSON numbers.
        if (typeof value === 'number') return String(value);
        missing(context, place, 'missing-value', name);
        return undefined;
      };
    },
    { literals: ['string', 'number'], refersTo },
  );
}

/**
 * Parameter kinds for keys of the definition, as strings. The operation checks whether a key exists, because the key
 * may be computed.
 */
export const attribute = keyOf('attribute', 'attribute');
export const unitType = keyOf('unit type', 'unitType');
export const itemType = keyOf('item type', 'itemType');
export const projectileType = keyOf('projectile type', 'projectileType');
export const playerType = keyOf('player type', 'playerType');
export const shop = keyOf('shop', 'shop');
export const dialogue = keyOf('dialogue', 'dialogue');
export const state = keyOf('state', 'state');
export const sound = keyOf('sound', 'sound');
export const music = keyOf('music', 'music');
export const particle = keyOf('particle type', 'particle');
export const animation = keyOf('animation', 'animation');

const variableKey = keyOf('variable name', 'variable');
/**
 * The name of a global variable: a literal or an expression. A call to `getVariable` is reported, because it is almost
 * always a mistake.
 */
export const variableName: ParamKind<string | undefined> = {
  ...variableKey,
  compile(compiler, node, place) {
    if (node.calls('getVariable')) {
      compiler.issue(
        'wrong-parameter',
        node,
        `${place.operation}: \`${place.key}\` must be the name of a variable, not its value.`,
        {
          expected: 'variable name',
          found: 'getVariable',
        },
      );
    }
    return variableKey.compile(compiler, node, place);
  },
};
/** The id of a script; a literal. */
export const scriptName: ParamKind<string | undefined> = { ...rawText, name: 'script', refersTo: 'script' };

function descriptor(name: string, refersTo: Reference): ParamKind<string | undefined> {
  return kind(
    name,
    (compiler, node, place) => {
      // The usual form is `{function: getEntityVariable, variable: {key}}`, whose key is known at load.
      const literal = descriptorKey(node);
      if (literal !== undefined) return constantOf(literal);
      const evaluate = compiler.value(node);
      return (context) => {
        const value = evaluate(context);
        const key = value !== null && typeof value === 'object' ? (value as { key?: unknown }).key : value;
        if (typeof key === 'string') return key;
        missing(context, place, 'missing-value', name);
        return undefined;
      };
    },
    { refersTo },
  );
}

/** The key in a literal reference to an entity or player variable; undefined if it must be computed at run time. */
export function descriptorKey(node: Operand): string | undefined {
  const key = descriptorKeyNode(node);
  return key && literalText(key);
}

/** The node of the key that `descriptorKey` returns. */
export function descriptorKeyNode(node: Operand): Operand | undefined {
  let at = node;
  while (at.kind === 'call' && at.calls('getEntityVariable', 'getPlayerVariable')) at = at.member('variable');
  if (at.kind !== 'data' || at.isList || at.member('function').kind !== 'nothing') return undefined;
  return at.member('key');
}

/** The key of an entity's variable (reference: variables#descriptors). */
export const entityVariable = descriptor('entity variable', 'entityVariable');
export const playerVariable = descriptor('player variable', 'playerVariable');

/** A list of any values; undefined if the operand is not a list. */
export const group: ParamKind<readonly unknown[] | undefined> = kind(
  'group',
  (compiler, node, place) => {
    const evaluate = compiler.value(node);
    return (context) => {
      const value = evaluate(context);
      if (Array.isArray(value)) return value;
      if (value === undefined || value === null) missing(context, place, 'no-such-entity', 'list');
      else if (place.faults) context.world.fault('wrong-value', `${place.operation}: \`${place.key}\` is not a list.`);
      return undefined;
    };
  },
  { literals: ['array'] },
);

/** A plain object, not copied. */
export const record: ParamKind<Record<string, unknown> | undefined> = kind(
  'object',
  (compiler, node, place) => {
    const evaluate = compiler.value(node);
    return (context) => {
      const value = evaluate(context);
      if (value !== null && typeof value === 'object' && !(value instanceof EntityRef))
        return value as Record<string, unknown>;
      missing(context, place, 'missing-value', 'object');
      return undefined;
    };
  },
  { literals: ['object'] },
);

/** Actions that run inside the action; evaluates to their signal. Missing actions are an empty list. */
export const actions: ParamKind<Signal> = optional(
  kind('actions', (compiler, node) => compiler.actions(blockOf(node)), { syntax: 'actions' }),
);

/** Actions that the action defers to run later. Missing actions are an empty list. */
export const deferred: ParamKind<Signal> = optional(
  kind('actions', (compiler, node) => compiler.actions(blockOf(node)), { syntax: 'deferred' }),
);

/** A condition; if it is missing, it counts as true. */
export const condition: ParamKind<boolean> = optional(
  kind(
    'condition',
    (compiler, node) => {
      if (node.kind !== 'condition') throw new Error('Expected a node of the kind condition.');
      return evaluateOf(compileCondition(compiler, node));
    },
    { syntax: 'condition' },
  ),
);

function blockOf(node: Operand): Block {
  if (node.kind !== 'block') throw new Error('Expected a node of the kind block.');
  return node;
}

/** The JSON of a node, shortened for issues. */
function excerpt({ json }: Operand) {
  return JSON.stringify(json).slice(0, 80);
}
