import { type Definition, everyNode, type Node } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/internal.ts';
import { tokenize } from '../expression/tokens.ts';
import { variableOf } from '../run/script-text.ts';

interface Interests {
  readonly wanted: ReadonlySet<string>;
  /** The places of the scripts in which these were found. */
  readonly scripts: ReadonlySet<string>;
}

/** How many steps back it goes from a script to the scripts that write what its conditions read. */
const depthMax = 2;

/**
 * What players should look for to reach a goal: the keys of types and the names of regions that it names, and those in
 * the conditions of scripts that mention what it names.
 */
export function interestsOf(definition: Definition, expressions: readonly string[]): Interests {
  const { itemTypes, unitTypes, playerTypes, variables } = definition;
  const wanted = new Set<string>();
  const found = new Set<string>();
  const kinds = [...itemTypes, ...unitTypes] as [string, { readonly name: string }][];
  const note = (word: string): void => {
    for (const [key, { name }] of kinds) if (key === word || name === word) wanted.add(key);
    if (variables.get(word)?.dataType === 'region') wanted.add(word);
  };
  let words = new Set(expressions.flatMap((text) => tokenize(text).flatMap(wordOf)));
  for (const word of words) note(word);
  // Scripts know types and attributes by key.
  for (const key of wanted) words.add(key);
  for (const { attributes } of [...itemTypes.values(), ...unitTypes.values(), ...playerTypes.values()])
    for (const [key, { name }] of attributes) if (name !== undefined && words.has(name)) words.add(key);

  const unitKeys = [...unitTypes.keys()];
  const itemKeys = [...itemTypes.keys()];
  for (let depth = 0; depth < depthMax; depth++) {
    const next = new Set<string>();
    for (const { actions, conditions, owner, place } of scriptsOf(definition).scripts) {
      const nodes = [...everyNode(actions)];
      if (!nodes.some((node) => mentions(node, words))) continue;
      found.add(place);
      const own =
        owner.kind === 'unit' ? unitKeys[owner.type] : owner.kind === 'item' ? itemKeys[owner.type] : undefined;
      if (own !== undefined) wanted.add(own);
      for (const node of [...nodes, ...everyNode(conditions)]) {
        if (node.kind !== 'condition' || !node.isList || node.isJunction) continue;
        for (const side of node.sides) {
          const read = variableOf(side);
          if (read !== undefined) next.add(read);
          for (const each of everyNode(side)) if (each.kind === 'literal') note(String(each.json));
        }
      }
    }
    words = next;
  }
  return { wanted, scripts: found };
}

function wordOf(token: ReturnType<typeof tokenize>[number]): string[] {
  return token.kind === 'string' || token.kind === 'name' ? [token.value] : [];
}

/** Whether an action without inner actions mentions one of these words: it may write a value or create a unit. */
function mentions(node: Node, words: ReadonlySet<string>): boolean {
  if (node.kind !== 'action' || node.blocks.length > 0) return false;
  for (const each of everyNode(node)) if (each.kind === 'literal' && words.has(String(each.json))) return true;
  return false;
}
