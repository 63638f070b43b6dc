/** Checks a loaded game: built-in rules and rules of the project report its issues. */

// Checking a game:
export { checkGame, issueCodes, type Rules } from './check-game.ts';

// Rules of a project:
export { ownRules } from './own-rules.ts';
export { hostModuleIn, hostWordsIn, ProjectError } from './project-module.ts';

// The types that operands accept, which the published schema lists:
export { operandTypes } from './operand-types.ts';
