/** The module `reenact/testing`. */

export type { FailureReport } from '../run/index.ts';
export { Actor, Play, type ScenarioOptions, scenario, type Time } from './playing/play.ts';
export type { Step } from './reading/schema.ts';
export { ScenarioFailure } from './telling/failure.ts';
