import type { DebrisState } from '../components/debris.ts';
import type { BodyType } from '../definition/body.ts';
import { f64, flag, type Infer, oneOf, record } from '../schema/index.ts';
import type { Entity } from '../world/entity.ts';
import {
  type BodyCategory,
  categoryBits,
  collisionMask,
  debrisMask,
  regionMask,
  sensorMask,
  wallMask,
} from './filter.ts';
import type { Space } from './flat/space.ts';
import { pixelsPerMetre } from './scale.ts';
import { type Shape, shapeOfSizes } from './shape.ts';

/** The description from which a body is created. Lengths are px, everything else is in physics units (m, kg, s). */
export const anyBodySpec = record({
  type: oneOf(['dynamic', 'static', 'kinematic']),
  category: f64(),
  mask: f64(),
  circle: flag(),
  /**
   * The size of a box, px, already multiplied by the entity's scale; `width` is also the diameter of a circle. A fixed
   * size other than 0 takes precedence.
   */
  width: f64(),
  height: f64(),
  /** Sizes that do not scale, px, 0 for none: the sides of a box, and the radius of a circle. */
  fixedWidth: f64(),
  fixedHeight: f64(),
  fixedRadius: f64(),
  offsetX: f64(),
  offsetY: f64(),
  density: f64(),
  friction: f64(),
  restitution: f64(),
  isSensor: flag(),
  fixedRotation: flag(),
  bullet: flag(),
  allowSleep: flag(true),
  gravityScale: f64(1),
  linearDamping: f64(),
  angularDamping: f64(),
});
export type BodySpec = Readonly<Infer<typeof anyBodySpec>>;

const plain = anyBodySpec.create();

/** Whether the body of a definition is physical. */
export function hasForm(body: BodyType | undefined): body is BodyType {
  return body !== undefined && body.type !== 'none' && body.type !== 'spriteOnly';
}

/**
 * The body that a definition describes; undefined if it is not physical. Only the first fixture counts, and a body
 * without fixtures has density, friction and restitution 0 (reference: physics#fixtures). A dynamic body of density 0
 * has mass 1 and turns freely. In the reference, these bodies never sleep; in the specification, `allowSleep` decides.
 */
export function bodySpec(body: BodyType | undefined, category: BodyCategory, scale = 1): BodySpec | undefined {
  if (!hasForm(body)) return undefined;
  const fixture = body.fixtures[0];
  const shape = fixture?.shape;
  return {
    ...plain,
    type: body.type === 'static' || body.type === 'kinematic' ? body.type : 'dynamic',
    category: categoryBits[category],
    mask: collisionMask(body.collidesWith),
    circle: shape?.type === 'circle',
    width: body.width * scale,
    height: body.height * scale,
    fixedWidth: fixture?.size?.width ?? 0,
    fixedHeight: fixture?.size?.height ?? 0,
    fixedRadius: shape?.data?.radius ?? 0,
    offsetX: fixture?.offset?.x ?? 0,
    offsetY: fixture?.offset?.y ?? 0,
    density: fixture?.density ?? 0,
    friction: fixture?.friction ?? 0,
    restitution: fixture?.restitution ?? 0,
    isSensor: fixture?.isSensor ?? false,
    fixedRotation: body.fixedRotation,
    bullet: body.bullet,
    allowSleep: body.allowSleep === true,
    gravityScale: body.affectedByGravity ? 1 : 0,
    linearDamping: body.linearDamping,
    angularDamping: body.angularDamping,
  };
}

/** The body of a wall (reference: physics#walls). */
export function wallSpec(width: number, height: number): BodySpec {
  return { ...plain, type: 'static', category: categoryBits.wall, mask: wallMask, width, height, friction: 0.1 };
}

/**
 * The body of debris; numbers that are 0 count as absent (reference: physics#props). It may sleep, unlike in the
 * reference.
 */
export function debrisSpec(
  { type, density, friction, restitution }: DebrisState,
  width: number,
  height: number,
): BodySpec {
  return {
    ...plain,
    type,
    category: categoryBits.debris,
    mask: debrisMask,
    width,
    height,
    density: density || 1,
    friction: friction || 0.01,
    restitution: restitution || 0,
    linearDamping: 5,
    angularDamping: 5,
  };
}

/** The body of a region (reference: physics#regions). */
export function regionSpec(width: number, height: number): BodySpec {
  return { ...plain, type: 'static', category: categoryBits.region, mask: regionMask, width, height, isSensor: true };
}

/**
 * The body of a sensor (reference: physics#sensors). The body may sleep while it is not moved, which saves time and
 * changes no contact, because `Physics` wakes the bodies around a static body that it moves. A sensor that gravity
 * pulls (`falls`) is put back in each turn and never sleeps.
 */
export function sensorSpec(radius: number, falls = false): BodySpec {
  return {
    ...plain,
    type: 'dynamic',
    category: categoryBits.sensor,
    mask: sensorMask,
    circle: true,
    width: radius * 2,
    height: radius * 2,
    isSensor: true,
    fixedRotation: true,
    allowSleep: !falls,
    gravityScale: falls ? 1 : 0,
  };
}

/**
 * Minimum and maximum side of a box: the mass of a box without area is NaN, and doubles are too coarse for much larger
 * boxes.
 */
const sidePixelsMin = 1;
const sidePixelsMax = 1e6;

/** Converts a side to metres, within the limits. `fixedPixels` takes precedence over `pixels` unless it is 0. */
function length(fixedPixels: number, pixels: number): number {
  const side = fixedPixels !== 0 ? fixedPixels : pixels;
  return (side >= sidePixelsMin ? Math.min(side, sidePixelsMax) : sidePixelsMin) / pixelsPerMetre;
}

/** The shape that the specification of a body describes. */
export function shapeOf(spec: BodySpec): Shape {
  const { circle } = spec;
  return shapeOfSizes({
    circle,
    width: (circle ? length(spec.fixedRadius * 2, spec.width) : length(spec.fixedWidth, spec.width)) / 2,
    height: circle ? 0 : length(spec.fixedHeight, spec.height) / 2,
    middleX: spec.offsetX / pixelsPerMetre,
    middleY: spec.offsetY / pixelsPerMetre,
  });
}

/** Creates a body at rest. x and y in px, angle in radians. */
export function createBody(space: Space, spec: BodySpec, entity: Entity, x: number, y: number, angle: number): number {
  const place = { x: x / pixelsPerMetre, y: y / pixelsPerMetre, angle };
  return space.createBody({ ...spec, ...place, entity, maySleep: spec.allowSleep, shape: shapeOf(spec) });
}
