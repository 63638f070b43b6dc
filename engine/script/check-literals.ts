import type { Issues } from '../core/issue.ts';
import type { Definition } from '../definition/definition.ts';
import { type Condition, literalText, type Operand } from './ast.ts';
import { variablesWrittenBy } from './check-kinds.ts';
import type { Vocabulary } from './compiler.ts';
import type { Reference } from './param-kind.ts';
import type { References } from './references.ts';
import type { ValueTypes } from './value-types.ts';
import type { WalkedScript } from './walk.ts';

/** What a text refers to when it is compared with a value of this type. */
export const referenceOfType: ReadonlyMap<string, Reference> = new Map([
  ['unit type', 'unitType'],
  ['item type', 'itemType'],
  ['projectile type', 'projectileType'],
  ['player type', 'playerType'],
  ['state', 'state'],
  ['particle type', 'particle'],
]);

/** Reports comparisons with a literal that the other side can never equal: the key of a type that does not exist, a text that no script assigns. */
export function checkLiterals(
  definition: Definition,
  scripts: readonly WalkedScript[],
  vocabulary: Vocabulary,
  types: ValueTypes,
  references: References,
  issues: Issues,
): void {
  const assigned = assignedTexts(definition, scripts, vocabulary);
  const compare = (node: Condition, literal: Operand, other: Operand): void => {
    const text = literalText(literal);
    if (text === undefined || text === '') return;
    const reference = referenceOfType.get(types.typeOf(other) ?? '');
    if (reference !== undefined) {
      const missing = references.missing(reference, text);
      if (missing === undefined) return;
      const suggestion = missing.key ?? issues.near(missing.code, text, missing.known);
      issues.add(missing.code, () => literal.pointer, missing.message, {
        found: text,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
      return;
    }
    if (other.kind !== 'call' || !other.calls('getVariable', 'getGlobalVariable')) return;
    const name = literalText(other.operand('variableName'));
    const texts = name === undefined ? undefined : assigned.get(name);
    if (texts === undefined || texts.has(text)) return;
    const suggestion = issues.near('never-assigned', text, texts);
    const details = {
      expected: [...texts]
        .slice(0, 8)
        .map((each) => JSON.stringify(each))
        .join(', '),
      found: JSON.stringify(text),
      ...(suggestion === undefined ? {} : { suggestion }),
    };
    issues.add(
      'never-assigned',
      () => literal.pointer,
      `Nothing sets "${name}" to "${text}": \`${node.operator}\` always has the same result.`,
      details,
    );
  };
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      if (node.kind !== 'condition' || node.isJunction || !node.isList || node.sideCount !== 2) continue;
      if (node.operator !== '==' && node.operator !== '!=') continue;
      const [left, right] = node.sides;
      compare(node, left, right);
      compare(node, right, left);
    }
  }
}

/**
 * The texts that each global text variable can hold: its default and all literals that scripts assign. Variables that a script sets to anything computed,
 * or whose name is computed, are left out.
 */
function assignedTexts(
  definition: Definition,
  scripts: readonly WalkedScript[],
  vocabulary: Vocabulary,
): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { key, dataType, default: initial } of definition.variables.values()) {
    if (dataType === 'string') texts.set(key, new Set(typeof initial === 'string' ? [initial] : []));
  }
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      if (node.kind !== 'action') continue;
      const text = node.operation === 'setVariable' ? literalText(node.operand('value')) : undefined;
      for (const name of variablesWrittenBy(node, vocabulary)) {
        if (name === undefined) return new Map();
        if (text === undefined) texts.delete(name);
        else texts.get(name)?.add(text);
      }
    }
  }
  return texts;
}
