import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The values that physics needs of an entity beside its transform. The body itself is planck's. */
export const Body = component('body', {
  /** Factor on the body's size, set by script; 1 unless changed. */
  scale: f64(1),
  /** 1 after a step that found the centre outside the map; re-arms the touches-wall triggers. */
  outside: u8(),
});
