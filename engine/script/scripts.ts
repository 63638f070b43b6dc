import type { Definition } from '../definition/definition.ts';
import { readScripts, type ScriptTree } from './ast.ts';
import { vocabulary } from './vocabulary.ts';

const trees = new WeakMap<Definition, ScriptTree>();

/** The scripts of a definition as a tree; read once for all who look at it. */
export function scriptsOf(definition: Definition): ScriptTree {
  let tree = trees.get(definition);
  if (tree === undefined) {
    tree = readScripts(definition, vocabulary);
    trees.set(definition, tree);
  }
  return tree;
}
