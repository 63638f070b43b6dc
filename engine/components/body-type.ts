import type { BodyType as BodyDescription } from '../definition/body.ts';
import { component } from '../ecs/component.ts';
import { optional, part } from '../schema/index.ts';

/** The body description of the entity's current state; undefined if the state has no body. */
export const BodyType = component('bodyType', optional(part<BodyDescription>('body')));
