import type { Definition } from '../../definition/definition.ts';
import { headsOf, type ScriptHead, type TypeHead } from '../../definition/heads.ts';
import { projectileTypesOf } from '../../definition/projectile-types.ts';
import { haveSameData } from '../../definition/read-definition.ts';
import type { Script } from '../../definition/script.ts';
import type { ScriptOwner } from '../ast.ts';
import { ScriptTree } from '../script-tree.ts';
import { vocabulary } from './vocabulary.ts';

const trees = new WeakMap<Definition, ScriptTree>();

/** The syntax tree of a definition's scripts. Built once per definition and shared. */
export function scriptsOf(definition: Definition): ScriptTree {
  let tree = trees.get(definition);
  if (tree === undefined) {
    tree = readScripts(definition);
    trees.set(definition, tree);
  }
  return tree;
}

/**
 * Visits all scripts of a definition: first those of the game, then those of its types by type index. `read` parses the
 * script.
 */
function forEachScript(
  definition: Definition,
  visit: (head: ScriptHead, read: () => Script, owner: ScriptOwner, place: string) => void,
): void {
  type Scripts = ReadonlyMap<string, Script>;
  const all = (heads: TypeHead['scripts'], scripts: () => Scripts, owner: ScriptOwner, place: string): void => {
    for (const [key, head] of heads) visit(head, () => scripts().get(key)!, owner, `${place}/${key}`);
  };
  const game: ScriptOwner = { kind: 'game', type: -1 };
  all(headsOf<ScriptHead>(definition.scripts), () => definition.scripts, game, 'scripts');
  const { unitTypes, itemTypes, projectileTypes } = definition;
  const ofTypes = (
    kind: ScriptOwner['kind'],
    types: ReadonlyMap<string, TypeHead & { readonly scripts: Scripts }>,
    section: (key: string) => string,
  ): void => {
    let type = 0;
    for (const [key, { scripts }] of headsOf<TypeHead>(types))
      all(scripts, () => types.get(key)!.scripts, { kind, type: type++ }, `${section(key)}/${key}/scripts`);
  };
  ofTypes('unit', unitTypes, () => 'unitTypes');
  ofTypes('item', itemTypes, () => 'itemTypes');
  // A projectile type that is declared inside an item type has that item type's key.
  ofTypes('projectile', projectileTypesOf(definition), (key) =>
    projectileTypes.has(key) ? 'projectileTypes' : 'itemTypes',
  );
}

/**
 * Gives a definition the syntax trees of the scripts of an earlier version that are the same, if the data of the game
 * around all scripts is the same, too; returns whether it is. So what depends on one script and the data of the game
 * can be kept by the script's node. Must come before `scriptsOf`.
 */
export function keepScripts(definition: Definition, earlier: Definition): boolean {
  const hasSameData = haveSameData(definition, earlier);
  if (hasSameData) trees.set(definition, readScripts(definition, scriptsOf(earlier)));
  return hasSameData;
}

function readScripts(definition: Definition, earlier?: ScriptTree): ScriptTree {
  const tree = new ScriptTree(vocabulary);
  forEachScript(definition, (head, read, owner, place) => tree.add(head, read, owner, place, earlier));
  return tree;
}
