import { literalText } from '../../engine/index.ts';
import type { GameFacts } from './facts.ts';

/**
 * All string literals in scripts and in default values of variables. Any of them may be a reference, because names can
 * be computed.
 */
export function textsOf({ definition, scripts }: GameFacts): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      const text = node.kind === 'literal' ? literalText(node) : undefined;
      if (text !== undefined) texts.add(text);
    }
  }
  const { unitTypes, itemTypes, playerTypes } = definition;
  const types = [unitTypes, itemTypes, playerTypes].flatMap((each) => [...each.values()]);
  for (const { variables } of [definition, ...types])
    for (const { default: initial } of variables.values()) if (typeof initial === 'string') texts.add(initial);
  return texts;
}
