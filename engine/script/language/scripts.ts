import type { Definition } from '../../definition/definition.ts';
import { projectileTypesOf } from '../../definition/projectile-types.ts';
import type { Script } from '../../definition/script.ts';
import type { ScriptOwner } from '../ast.ts';
import { ScriptTree } from '../script-tree.ts';
import { vocabulary } from './vocabulary.ts';

const trees = new WeakMap<Definition, ScriptTree>();

/** The scripts of a definition as a tree; read once for all who look at it. */
export function scriptsOf(definition: Definition): ScriptTree {
  let tree = trees.get(definition);
  if (tree === undefined) {
    tree = readScripts(definition);
    trees.set(definition, tree);
  }
  return tree;
}

/** The scripts of a definition, wherever they stand: those of the game, then of its types in the order of their indices. */
export function forEachScript(
  definition: Definition,
  visit: (script: Script, owner: ScriptOwner, place: string) => void,
): void {
  const all = (scripts: ReadonlyMap<string, Script>, owner: ScriptOwner, place: string): void => {
    for (const [key, script] of scripts) visit(script, owner, `${place}/${key}`);
  };
  all(definition.scripts, { kind: 'game', type: -1 }, 'scripts');
  const { unitTypes, itemTypes, projectileTypes } = definition;
  const ofTypes = (
    kind: ScriptOwner['kind'],
    types: ReadonlyMap<string, { readonly scripts: ReadonlyMap<string, Script> }>,
    section: (key: string) => string,
  ): void => {
    let type = 0;
    for (const [key, { scripts }] of types) all(scripts, { kind, type: type++ }, `${section(key)}/${key}/scripts`);
  };
  ofTypes('unit', unitTypes, () => 'unitTypes');
  ofTypes('item', itemTypes, () => 'itemTypes');
  // The keys of those within item types say in which.
  ofTypes('projectile', projectileTypesOf(definition), (key) =>
    projectileTypes.has(key) ? 'projectileTypes' : 'itemTypes',
  );
}

function readScripts(definition: Definition): ScriptTree {
  const tree = new ScriptTree(vocabulary);
  forEachScript(definition, (script, owner, place) => tree.add(script, owner, place));
  return tree;
}
