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
  notNegative,
  number,
  object,
  openEnum,
  positive,
  rawObject,
} from './schema.ts';
import { coordinates, name } from './shared-fields.ts';

const shapeData = object({
  radius: ['The radius, in pixels.', notNegative],
  halfWidth: ['Half the width, in pixels.', notNegative],
  halfHeight: ['Half the height, in pixels.', notNegative],
});

const fixture = object({
  density: ['The mass per area.', defaulted(notNegative, 0)],
  friction: ['The friction coefficient.', defaulted(notNegative, 0)],
  restitution: ['How much the body bounces: 0 not at all, 1 fully.', defaulted(notNegative, 0)],
  isSensor: ['Whether the body detects contacts without blocking them.', defaulted(countsAsTrue, false)],
  shape: [
    'The shape: circle or rectangle.',
    defaulted(
      object({
        type: [
          'Whether the shape is a rectangle or a circle.',
          defaulted(openEnum(['rectangle', 'circle']), 'rectangle'),
        ],
        data: ['The dimensions of the shape.', shapeData],
      }),
      Object.freeze({ type: 'rectangle', data: undefined }),
    ),
  ],
  /** In pixels, along the body's own axes, which rotate with the body; y points down. */
  offset: ['The offset from the centre.', position],
  /** In pixels; overrides the body's width and height for rectangles. */
  size: ['The size.', size],
  mass: ['The mass.', notNegative],
  overrideMass: ['Whether `mass` replaces the mass from the density.', boolean],
});

/**
 * The kinds of bodies that a body collides with. `unit` and `item`, which old definitions have, are read if the plural
 * is absent.
 */
export const collidesWith = object({
  units: ['Whether the body collides with units.', defaulted(countsAsTrue, false, { legacyKeys: ['unit'] })],
  items: ['Whether the body collides with items.', defaulted(countsAsTrue, false, { legacyKeys: ['item'] })],
  projectiles: ['Whether the body collides with projectiles.', defaulted(countsAsTrue, false)],
  walls: ['Whether the body collides with walls.', defaulted(countsAsTrue, false)],
  debris: ['Whether the body collides with debris.', defaulted(boolean, false)],
  sensors: ['Whether the body collides with sensors.', defaulted(isNotFalse, true)],
  ...ignoredFields({ props: 'Older name of `debris`.' }),
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
  ...coordinates,
  rotation: ['The angle, in degrees.', defaulted(number, 0)],
  ...ignoredFields({ z: 'The height.' }),
});
const itemAnchor = object({
  ...coordinates,
  lowerAngle: ['The smallest angle of the joint, in degrees.', number],
  upperAngle: ['The largest angle of the joint, in degrees.', number],
  ...ignoredFields({ z: 'The height.', rotation: 'The angle, in degrees.' }),
});

/** A body (specification, Body; reference: physics#bodies). */
export const body = entry('Body', 'The physical form of a unit, item or projectile in one of its states.', {
  name,
  /** `none` and `spriteOnly` have no physics; an item with `none` is also hidden. */
  type: [
    'How the body moves: dynamic, static or kinematic. With spriteOnly and none, there is no physical body.',
    defaulted(openEnum(['dynamic', 'static', 'kinematic', 'spriteOnly', 'none']), 'dynamic'),
  ],
  /** In pixels. */
  width: ['The width.', defaulted(notNegative, 0)],
  height: ['The height.', defaulted(notNegative, 0)],
  'z-index': ['The drawing order: layer and depth.', zIndex],
  fixedRotation: ['Whether the physics engine never rotates the body.', defaulted(countsAsTrue, false)],
  bullet: [
    'Whether a fast body uses continuous collision detection, so that it does not pass through thin obstacles.',
    defaulted(countsAsTrue, false),
  ],
  allowSleep: ['Whether the physics engine may put the body to sleep.', boolean],
  isFlying: ['Whether the body flies.', boolean],
  affectedByGravity: ['Whether gravity affects the body.', defaulted(differsFromFalse, true)],
  'constantSpeed +DestroyedOnCollisionWithWall/unit': ['Unused: no engine reads this field.', boolean],
  collidesWith: ['The kinds of entities that the body collides with.', defaulted(collidesWith, collidesWithNothing)],
  angularDamping: ['How quickly rotation slows down.', defaulted(notNegative, 0)],
  linearDamping: ['How quickly movement slows down.', defaulted(notNegative, 0)],
  rotationSpeed: ['The maximum turning speed.', notNegative],
  spriteScale: ['The size of the sprite relative to the body.', defaulted(positive, 1)],
  fixtures: ['The fixtures of the body.', defaulted(array(fixture), [])],
  jointType: ['The joint that attaches an item to its carrier.', openEnum(['weldJoint', 'none'])],
  unitAnchor: ['The anchor point on the carrier.', unitAnchor],
  itemAnchor: ['The anchor point on the item.', itemAnchor],
  ...ignoredFields({
    'bulletDestroyedOnCollisionWithWall/unit': 'Whether a projectile is destroyed when it hits a wall or a unit.',
    'destroyedOnCollisionWithWall/unit': 'Whether a projectile is destroyed when it hits a wall or a unit.',
    carriedBy: 'The unit types that may carry the item.',
    density: 'The mass per area.',
    friction: 'The friction coefficient.',
    restitution: 'How much the body bounces: 0 not at all, 1 fully.',
    depth: 'The drawing depth; larger numbers are drawn in front.',
    fixed: 'Whether the body stays in place.',
    globalSpace: 'Whether angles are relative to the map rather than the carrier.',
    holdPosition: 'Where the carrier holds the item.',
    isBillboard: 'Whether the entity always faces the camera in 3D.',
    isTangible: 'Whether the item collides while it is carried.',
    mountOffset: 'Unused: no engine has this feature.',
    mountRotation: 'Unused: no engine has this feature.',
    mountTarget: 'Unused: no engine has this feature.',
    rotate: 'Whether the item rotates with its carrier.',
    size: 'The size.',
    texture: 'A texture.',
    typeWhenDrop: 'The type of the body after the item is dropped.',
  }),
});
export type BodyType = Infer<typeof body>;
export const bodies = map(body);

const declaredState = entry('State', 'A state of an entity: which body and animation it uses.', {
  name,
  /** Undefined if there is no body. */
  body: ['The body of an entity without states, or the body of a state.', keyOrNone],
  /** Undefined if the state plays no animation. */
  animation: ['The animation to play.', keyOrNone],
  particles: ['Particles, by id.', rawObject],
  sound: ['Sounds, by id.', rawObject],
  ...ignoredFields({ isBillboard: 'Whether the entity always faces the camera in 3D.' }),
});
export interface State extends Infer<typeof declaredState> {
  /**
   * False if the state does not mention a body. A state whose body is `none` does mention one: the entity then has no
   * body.
   */
  readonly namesBody: boolean;
}
const state = convert(declaredState, (value, _place, given): State => {
  const body = (given as { readonly body?: unknown }).body;
  return Object.freeze({ ...value, namesBody: typeof body === 'string' && body !== '' });
});
/** States by id. An entry that is `""` is ignored. */
export const states = map(state, { renamed: { unSelected: 'unselected' } });
