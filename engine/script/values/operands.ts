import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { type Evaluate, type Frame, OperandFault } from '../frame.ts';
import type { ParamKind } from '../params.ts';
import * as P from '../params.ts';

/**
 * Operands of functions where they are read otherwise than in actions. Functions ask, they do not act: an entity that was destroyed in this
 * tick can still be asked about, numbers are read the way the function reads them, and what is known at load says so.
 */

const constants = new WeakMap<object, unknown>();

/** An operand whose value is known at load. */
function known<T>(value: T): Evaluate<T> {
  const evaluate = () => value;
  constants.set(evaluate, value);
  return evaluate;
}

/** The value of an operand, if it is known at load. */
export function constantOf<T>(operand: Evaluate<T>): T | undefined {
  return constants.get(operand) as T | undefined;
}

function knownText(kind: ParamKind<string | undefined>): ParamKind<string | undefined> {
  return {
    ...kind,
    compile: (compiler, node, place) => (typeof node === 'string' ? known(node) : kind.compile(compiler, node, place)),
  };
}

/** Keys and names; see `constantOf`. */
export const attribute = knownText(P.attribute);
export const unitType = knownText(P.unitType);
export const variableName = knownText(P.variableName);

function descriptor(kind: ParamKind<string | undefined>): ParamKind<string | undefined> {
  return {
    ...kind,
    compile: (compiler, node, place) => {
      const key = P.descriptorKey(node);
      return key === undefined ? kind.compile(compiler, node, place) : known(key);
    },
  };
}

/** The key inside a variable descriptor; see `constantOf`. */
export const entityVariable = descriptor(P.entityVariable);
export const playerVariable = descriptor(P.playerVariable);

/** Whatever it evaluates to, meant to be a number: the function converts it as the reference does. */
export const number: ParamKind<unknown> = { ...P.any, name: 'number', literals: ['number', 'string'] };
export const text: ParamKind<unknown> = { ...P.any, name: 'string', literals: ['string', 'number'] };
export const json: ParamKind<unknown> = { ...P.any, name: 'JSON text', literals: ['string'] };
export const position: ParamKind<unknown> = { ...P.any, name: 'position', literals: ['object'] };
export const region: ParamKind<unknown> = { ...P.any, name: 'region', literals: ['object'] };

function remembered(name: string, ...kinds: readonly number[]): ParamKind<Entity> {
  let mask = 0;
  for (const kind of kinds) mask |= 1 << kind;
  return {
    ...P.entity,
    name,
    compile: (compiler, node) => {
      const evaluate = compiler.value(node);
      return (frame) => {
        const value = evaluate(frame);
        if (!(value instanceof EntityRef)) return noEntity;
        const { entity } = value;
        const { world } = frame.game;
        if (!world.remembers(entity)) return noEntity;
        return (mask >> world.columns.kind[rowOf(entity)]!) & 1 ? entity : noEntity;
      };
    },
  };
}

/** Entities of a kind, also destroyed in this tick; 0 when the operand gives none. */
export const unit = remembered('unit', Kind.unit);
export const player = remembered('player', Kind.player);
export const item = remembered('item', Kind.item);
export const projectile = remembered('projectile', Kind.projectile);
export const sensor = remembered('sensor', Kind.sensor);
/** Anything with a place in the world. */
export const entity = remembered('entity', Kind.unit, Kind.item, Kind.projectile, Kind.region, Kind.wall, Kind.debris);
export const entityOrPlayer = remembered(
  'entity or player',
  Kind.unit,
  Kind.item,
  Kind.projectile,
  Kind.region,
  Kind.wall,
  Kind.debris,
  Kind.sensor,
  Kind.player,
);

/**
 * For the few functions that the reference aborts the action for when they are asked about nothing: the action does nothing and the fault
 * says why. All others give no value.
 */
export function demanded(found: Entity, operation: string, key: string): Entity {
  if (found === noEntity) throw new OperandFault('no-such-entity', `${operation}: \`${key}\` is nothing there is.`);
  return found;
}

/** As arithmetic converts it: texts as a whole, true and false to 1 and 0, null to 0; NaN for what is no number. */
export function coerced(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
      return Number(value);
    case 'boolean':
      return value ? 1 : 0;
    default:
      return value === null ? 0 : Number.NaN;
  }
}

export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** A text as long as a script may build. */
export function limited(frame: Frame, text: string): string {
  const { stringLength } = frame.game.world.limits;
  if (text.length <= stringLength) return text;
  frame.fault('limit-string', `A text of ${text.length} characters is longer than ${stringLength}.`);
  return text.slice(0, stringLength);
}
