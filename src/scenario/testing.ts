import { registerMatchers } from './register.ts';

/** The module `reenact/testing`. Importing it registers the matchers. */

export type { FailureReport } from '../run/index.ts';
export { ScenarioFailure } from './failure.ts';
export { matchers, type ScenarioMatchers } from './matchers.ts';
export { Actor, Play, type ScenarioOptions, scenario, type Time } from './play.ts';
export type { Step } from './schema.ts';

await registerMatchers();
