/** What a game's scripts and rules use and do, under which conditions, and what starts them. Plain data, built from the definition on demand. */
export { carriedBonuses, rulesWithAmounts } from './attribute-rules.ts';
export { type GameModel, modelOf } from './game-model.ts';
export { type NameUse, namesIn } from './script-names.ts';
export type { Use, UsedKind } from './script-uses.ts';
export { firesFor, readerOf } from './starts.ts';
