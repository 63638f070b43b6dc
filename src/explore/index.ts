/** Plays that look for mistakes, and for goals. */

// Exploring.
export { type Exploration, exploreGame, replayAll, type Unexamined } from './explore.ts';
export { type Deadline, type ExplorePlan, goalWith } from './plan.ts';
export { playersDefault } from './players.ts';
export { bindPlan } from './ground.ts';
export { newProgress } from './progress.ts';

// Findings.
export type { Finding } from './shrink.ts';
export { goalKey, looksFor } from './detector.ts';
export {
  CorpusError,
  corpusPath,
  corpusText,
  identityOf,
  type KeptFinding,
  nameOf,
  readCorpus,
  readRecording,
  scenarioText,
} from './corpus.ts';

// How near plays came to a goal.
export { rangeText, writersText } from './goal-ranges.ts';

// Text.
export {
  amountOfTime,
  type ExploreReport,
  exploreText,
  progressText,
  searchProgressText,
  sightingFacts,
} from './explore-text.ts';

// A game as an environment for learners.
export { Environment } from './environment.ts';
