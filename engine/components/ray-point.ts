import { component } from '../ecs/component.ts';
import { point } from './point.ts';

/** The point at which a ray last hit the entity, px. Only on entities that a ray has hit. */
export const RayPoint = component('rayPoint', point);
