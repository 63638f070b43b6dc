import { registerMatchers } from './judging/vitest-registration.ts';

/** The module `reenact/testing`. Importing it registers the matchers. */

export type { FailureReport } from '../run/index.ts';
export { matchers, type ScenarioMatchers } from './judging/matchers.ts';
export { Actor, Play, type ScenarioOptions, scenario, type Time } from './playing/play.ts';
export type { Step } from './reading/schema.ts';
export { ScenarioFailure } from './telling/failure.ts';

await registerMatchers();
