/** Predicts the own unit of a client; for pages and programs that play with `@reenact/server/client`. Contains the engine. */

export { Prediction, type PredictionObserver, type PredictionOptions } from './prediction.ts';
export type { GhostShot, HeldItem } from './shots.ts';
