import { createRequire } from 'node:module';
import type * as Planck from 'planck';
import { atan2, cos, sin } from '../engine/core/dmath.ts';
import { type BodySpec, shapeOf } from '../engine/physics/body.ts';
import { maxTranslation } from '../engine/physics/flat/settings.ts';
import { pixelsPerMetre } from '../engine/physics/scale.ts';
import { sizesOf } from '../engine/physics/shape.ts';

/**
 * planck itself, to compare our step with its results and times. This instance uses our sine and cosine: planck copies
 * those of `Math` while it loads, and a `require` loads immediately.
 */
export const planck = load();
planck.Settings.maxTranslation = maxTranslation;

function load(): typeof Planck {
  const require = createRequire(import.meta.url);
  const { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 } = Math;
  delete require.cache[require.resolve('planck')];
  Object.assign(Math, { sin, cos, atan2 });
  try {
    return require('planck') as typeof Planck;
  } finally {
    Object.assign(Math, { sin: nativeSin, cos: nativeCos, atan2: nativeAtan2 });
  }
}

export type PlanckWorld = Planck.World;

/** Creates the planck equivalent of the body that `createBody` makes from a specification. */
export function planckBody(world: PlanckWorld, spec: BodySpec, entity: number, x: number, y: number, angle: number) {
  const { circle, width, height, middleX, middleY } = sizesOf(shapeOf(spec));
  const middle = { x: middleX, y: middleY };
  const body = world.createBody({
    type: spec.type,
    position: { x: x / pixelsPerMetre, y: y / pixelsPerMetre },
    angle,
    fixedRotation: spec.fixedRotation,
    bullet: spec.bullet,
    allowSleep: spec.allowSleep,
    gravityScale: spec.gravityScale,
    linearDamping: spec.linearDamping,
    angularDamping: spec.angularDamping,
    userData: entity,
  });
  body.createFixture({
    shape: circle ? new planck.CircleShape(middle, width) : new planck.BoxShape(width, height, middle, 0),
    density: spec.density,
    friction: spec.friction,
    restitution: spec.restitution,
    isSensor: spec.isSensor,
    filterCategoryBits: spec.category,
    filterMaskBits: spec.mask,
  });
  return body;
}
