/** Bots: players that the program controls. */

// All bots of a game, in groups, some of which play to win:
export { Bots, subscribedIn } from './bots.ts';
export { type BotGroup, countBots, readGroup, triesDefault } from './groups.ts';

// Single bots, for rooms that run them themselves:
export { Bot, botIds, type BotTraits, defaultTraits, type SharedByBots } from './bot.ts';
export { Habits, type Interests } from './habits.ts';
export { type Repertoire, repertoires, repertoiresByType } from './repertoire.ts';
export { deviceOf } from './key-state.ts';

// What a bot sees and says:
export type { Rectangle, Surroundings, Walls } from './surroundings.ts';
export { PathFinder } from './path-finder.ts';
export { type Phrases, phrasesIn, phrasesOf } from './phrases.ts';
export { promptKinds } from './prompt-responder.ts';

// Loaded when some bots play to win:
export { loadObjectives } from './on-demand.ts';
