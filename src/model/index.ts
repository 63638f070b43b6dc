/**
 * A model of the scripts and rules of a game: what they use and do, under which conditions, and what starts scripts.
 * Plain data, built from the definition on demand.
 */

// A whole game:
export { GameModel, modelOf } from './game-model.ts';
export {
  areContrary,
  type Bound,
  conditionOf,
  inverses,
  isOperator,
  isPlain,
  mayHold,
  mirrored,
  negated,
  partsOf,
  type Plain,
  type Test,
  type Use,
  type UsedKind,
} from './script-uses.ts';
export { type Numbers, Prospects } from './prospects.ts';
export { namesIn, type NameUse } from './script-names.ts';
export { firesFor, readerOf } from './starts.ts';

// Built-in rules that change attributes:
export { carriedBonuses, rulesWithAmounts } from './attribute-rules.ts';

// A single action, from the effects that its row declares:
export {
  above,
  assignmentsBy,
  canFire,
  changesOf,
  creationsBy,
  happensIn,
  isAbsentIn,
  loopOf,
  mayCause,
  nameIn,
  readOf,
  rulesCausing,
  typesGivenBy,
  variableReadBy,
  variablesWrittenBy,
} from './effect-queries.ts';

// Types of values in scripts:
export { type BasicType, basicTypeOf, referenceOfType, ValueTypes } from './value-types.ts';

// Values inside a definition, and a definition with one change:
export { changedAt, valueAt } from './changed-at.ts';
