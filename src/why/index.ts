/** Why a value is what it is: the causes of each change in a recorded play. */

// The recorded play that answers questions.
export { RecordedPlay } from './recorded-play.ts';
export { isPlain, type PlayEvent, type PlayRecord } from './play-record.ts';
export { Series, type SeriesValue } from './series.ts';
export { type Answer, type Cause, isFirstValue, type Read, type Write } from './answer.ts';
export { storyOf } from './story.ts';

// Positions within a tick, and conditions at which playing stops.
export { beforeStep, nextStep, type StepPosition, stepsOf, type TickStep } from './tick-steps.ts';
export { stopCondition } from './stop-condition.ts';

// Answers as text.
export { paintedWhy, whyText, writeText } from './why-text.ts';
