import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/**
 * The transform that scripts see: px and radians. Read back from the body before each physics step (reference:
 * tick#physics-update), or set by scripts.
 */
export const Transform = component('transform', { x: f64(), y: f64(), angle: f64(), width: f64(), height: f64() });
