/** Explores games: bots play them to find mistakes, or to reach goals. */

// Exploring a game.
export { exploreGame, replayAll, type Unexamined } from './explore.ts';
export { type Deadline, type ExplorePlan, goalWith } from './searching/plan.ts';
export { playersDefault } from './searching/players.ts';
export { openGame } from './playing/ground.ts';
export { newProgress } from './searching/progress.ts';

// The findings.
export type { Finding } from './finding/shrink.ts';
export { goalKey, looksFor } from './finding/detector.ts';
export {
  corpusPath,
  corpusText,
  identityOf,
  type KeptFinding,
  nameOf,
  readCorpus,
  readRecording,
  scenarioText,
} from './finding/corpus.ts';

// How near plays came to a goal.
export { rangeText, writersText } from './searching/goal-ranges.ts';

// Formatting results as text.
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
