import { component } from '../ecs/component.ts';
import { point } from './point.ts';

/** Where a ray met the entity last, px. Of those that a ray has met. */
export const RayPoint = component('rayPoint', point);
