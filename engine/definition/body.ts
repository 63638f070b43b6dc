import { position, size, zIndex } from './geometry.ts';
import { countsAsTrue, differsFromFalse, isNotFalse } from './reference-reading.ts';
import {
  array,
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  keyOrNone,
  map,
  number,
  object,
  openEnum,
  rawObject,
  string,
} from './schema.ts';

const shapeData = object({ radius: number, halfWidth: number, halfHeight: number });

const fixture = object({
  density: defaulted(number, 0),
  friction: defaulted(number, 0),
  restitution: defaulted(number, 0),
  isSensor: defaulted(countsAsTrue, false),
  shape: defaulted(
    object({ type: defaulted(openEnum(['rectangle', 'circle']), 'rectangle'), data: shapeData }),
    Object.freeze({ type: 'rectangle', data: undefined }),
  ),
  /** Pixels, in the body's own frame, y down. */
  offset: position,
  /** Pixels; overrides the body's width and height for rectangles. */
  size,
  mass: number,
  overrideMass: boolean,
});

/** The kinds of bodies that a body collides with. The singular spellings are used if the plural is absent. */
export const collidesWith = object({
  units: defaulted(countsAsTrue, false, { legacyKeys: ['unit'] }),
  items: defaulted(countsAsTrue, false, { legacyKeys: ['item'] }),
  projectiles: defaulted(countsAsTrue, false, { legacyKeys: ['projectile'] }),
  walls: defaulted(countsAsTrue, false, { legacyKeys: ['wall'] }),
  debris: defaulted(boolean, false),
  sensors: defaulted(isNotFalse, true),
  ...ignoredFields('props'),
});
export type CollidesWith = Infer<typeof collidesWith>;
const collidesWithNothing: CollidesWith = Object.freeze({
  units: false,
  items: false,
  projectiles: false,
  walls: false,
  debris: false,
  sensors: true,
  props: undefined,
});

const unitAnchor = object({
  x: defaulted(number, 0),
  y: defaulted(number, 0),
  rotation: defaulted(number, 0),
  ...ignoredFields('z'),
});
const itemAnchor = object({
  x: defaulted(number, 0),
  y: defaulted(number, 0),
  lowerAngle: number,
  upperAngle: number,
  ...ignoredFields('z', 'rotation'),
});

/** Specification, Body; reference: physics#bodies. */
export const body = entry('Body', 'The physical form of a unit, item or projectile in one of its states.', {
  name: defaulted(string, ''),
  /** `none` and `spriteOnly` have no physics; an item with `none` is also hidden. */
  type: defaulted(openEnum(['dynamic', 'static', 'kinematic', 'spriteOnly', 'none']), 'dynamic'),
  /** Pixels. */
  width: defaulted(number, 0),
  height: defaulted(number, 0),
  'z-index': zIndex,
  fixedRotation: defaulted(countsAsTrue, false),
  bullet: defaulted(countsAsTrue, false),
  allowSleep: boolean,
  isFlying: boolean,
  affectedByGravity: defaulted(differsFromFalse, true),
  'constantSpeed +DestroyedOnCollisionWithWall/unit': boolean,
  collidesWith: defaulted(collidesWith, collidesWithNothing),
  angularDamping: defaulted(number, 0),
  linearDamping: defaulted(number, 0),
  rotationSpeed: number,
  spriteScale: defaulted(number, 1),
  fixtures: defaulted(array(fixture), []),
  jointType: openEnum(['weldJoint', 'none']),
  unitAnchor,
  itemAnchor,
  ...ignoredFields(
    'bulletDestroyedOnCollisionWithWall/unit',
    'destroyedOnCollisionWithWall/unit',
    'carriedBy',
    'density',
    'friction',
    'restitution',
    'depth',
    'fixed',
    'globalSpace',
    'holdPosition',
    'isBillboard',
    'isTangible',
    'mountOffset',
    'mountRotation',
    'mountTarget',
    'rotate',
    'size',
    'texture',
    'typeWhenDrop',
  ),
});
export type BodyType = Infer<typeof body>;
export const bodies = map(body);

const declaredState = entry('State', 'A state of an entity: which body and animation it uses.', {
  name: defaulted(string, ''),
  /** Undefined for none. */
  body: keyOrNone,
  /** Undefined for none. */
  animation: keyOrNone,
  particles: rawObject,
  sound: rawObject,
  ...ignoredFields('isBillboard'),
});
export interface State extends Infer<typeof declaredState> {
  /** False if the state does not mention a body. `none` does mention one: the entity then has no body. */
  readonly namesBody: boolean;
}
const state = convert(declaredState, (value, _place, given): State => {
  const body = (given as { readonly body?: unknown }).body;
  return Object.freeze({ ...value, namesBody: typeof body === 'string' && body !== '' });
});
/** An entry that is `""` is ignored. */
export const states = map(state, { renamed: { unSelected: 'unselected' } });
