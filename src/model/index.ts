/** What a game's scripts use and do, under which conditions, and what starts them. Plain data, built from the definition on demand. */
export { type GameModel, modelOf } from './game-model.ts';
export { type NameUse, namesIn } from './script-names.ts';
export type { Use } from './script-uses.ts';
