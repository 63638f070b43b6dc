/** Expressions about a running game, such as `alice.health > 10`. */

// From a string to a tree:
export { nameText, parseExpression } from './parser.ts';
export { tokenize } from './tokens.ts';
export type { Detail, Node } from './node.ts';
export { expressionCodes, ExpressionError } from './expression-error.ts';

// The names of a game:
export { Lexicon, properties, type TypeKind, unknown, UnknownName } from './lexicon.ts';
export {
  entityById,
  type EntityNames,
  type ExpressionSource,
  GameSource,
  idOf,
  isEntityId,
} from './source.ts';

// Questions to a simulation:
export { bindExpression, bindMeasure, type BoundExpression, type Measure, partLines } from './bound-expression.ts';
export { comparePlain } from './comparison.ts';
export { centreOf } from './member.ts';
export { Missing } from './missing.ts';

// Values as strings:
export { answerText, entityText, recordable, valueText } from './value-text.ts';
