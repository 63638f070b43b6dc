import { component } from '../ecs/component.ts';
import { f64, list, record, text } from '../schema/index.ts';

export const controlsState = record({
  /** Keys and buttons held down, in the order they were pressed. */
  keysDown: list(text()),
  /** The position of the mouse in the world, px; NaN until it has moved. */
  mouseX: f64(NaN),
  mouseY: f64(NaN),
  cameraYaw: f64(),
  absoluteAngle: f64(NaN),
});

/** The keys and the mouse of a player. Added with the first input of the player's client. */
export const Controls = component('controls', controlsState);
