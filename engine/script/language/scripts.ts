import { cached } from '../../core/cached.ts';
import type { Definition } from '../../definition/definition.ts';
import { projectileTypesOf } from '../../definition/projectile-types.ts';
import { haveSameData } from '../../definition/read-definition.ts';
import type { Script } from '../../definition/script.ts';
import type { ScriptOwner } from '../ast.ts';
import { ScriptTree } from '../script-tree.ts';
import { vocabularyOf } from './host.ts';

const trees = new WeakMap<Definition, ScriptTree>();

/** The syntax tree of a definition's scripts. Built once per definition and shared. */
export function scriptsOf(definition: Definition): ScriptTree {
  return cached(trees, definition, () => readScripts(definition));
}

/**
 * Lets a definition reuse the syntax trees of unchanged scripts of an earlier version. Does so, and returns true, only
 * if all data of the game apart from the scripts is unchanged, too. Results that depend only on one script and on that
 * data can then be cached by the node of the script. Must be called before `scriptsOf`.
 */
export function keepScripts(definition: Definition, earlier: Definition): boolean {
  const hasSameData = haveSameData(definition, earlier);
  if (hasSameData) trees.set(definition, readScripts(definition, scriptsOf(earlier)));
  return hasSameData;
}

/** Reads the scripts of the game first, then those of its types in the order of their indices. */
function readScripts(definition: Definition, earlier?: ScriptTree): ScriptTree {
  const tree = new ScriptTree(vocabularyOf(definition));
  const add = (scripts: ReadonlyMap<string, Script>, owner: ScriptOwner, place: string) => {
    for (const [key, script] of scripts) tree.add(script, owner, `${place}/${key}`, earlier);
  };
  add(definition.scripts, { kind: 'game', type: -1 }, 'scripts');
  const { unitTypes, itemTypes, projectileTypes } = definition;
  const addOwn = (
    kind: ScriptOwner['kind'],
    types: ReadonlyMap<string, { readonly scripts: ReadonlyMap<string, Script> }>,
    section: (key: string) => string,
  ) => {
    let type = 0;
    for (const [key, { scripts }] of types) add(scripts, { kind, type: type++ }, `${section(key)}/${key}/scripts`);
  };
  addOwn('unit', unitTypes, () => 'unitTypes');
  addOwn('item', itemTypes, () => 'itemTypes');
  // A projectile type that is declared inside an item type has that item type's key.
  addOwn('projectile', projectileTypesOf(definition), (key) =>
    projectileTypes.has(key) ? 'projectileTypes' : 'itemTypes',
  );
  return tree;
}
