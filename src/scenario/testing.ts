import { registerMatchers } from './register.ts';

/** The module `reenact/testing`. To import it is to have the matchers. */

export type { FailureReport } from '../run/failure-report.ts';
export { ScenarioFailure } from './failure.ts';
export { matchers, type ScenarioMatchers } from './matchers.ts';
export { Actor, Play, type ScenarioOptions, scenario, type Time } from './play.ts';
export type { Step } from './schema.ts';

await registerMatchers();
