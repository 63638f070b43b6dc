import type { Definition } from '../../definition/definition.ts';
import { projectileTypesOf } from '../../definition/projectile-types.ts';
import type { Script } from '../../definition/script.ts';
import { type Action, type Block, type Rule, ScriptNode, type ScriptOwner, type ScriptTree } from '../ast.ts';
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
  const tree = { scripts: [] as ScriptNode[], locations: [] as Action[], jobs: [] as Block[] };
  forEachScript(definition, (script, owner, place) => {
    const node = new ScriptNode(tree.scripts.length, script, owner, place, vocabulary);
    tree.scripts.push(node);
    numberAll(node.actions, tree);
  });
  return tree;
}

/** Gives numbers to what can run. Without recursion, because lists nest as deep as documents may. */
function numberAll(body: Block, { locations, jobs }: { readonly locations: Action[]; readonly jobs: Block[] }): void {
  const waiting: (Action | Block)[] = [];
  const enter = ({ actions }: Block): void => {
    for (let i = actions.length - 1; i >= 0; i--) waiting.push(actions[i]!);
  };
  enter(body);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'block') {
      next.job = jobs.push(next) - 1;
      continue;
    }
    next.location = locations.push(next) - 1;
    if (next.rule === undefined || !hasBlocks(next.rule)) continue;
    const { operands } = next;
    for (let i = operands.length - 1; i >= 0; i--) {
      const operand = operands[i]!;
      if (operand.kind !== 'block') continue;
      if (operand.isDeferred) waiting.push(operand);
      enter(operand);
    }
  }
}

/** By rule, because there are thousands of actions and few rules. */
const holders = new WeakMap<Rule, boolean>();

function hasBlocks(rule: Rule): boolean {
  let found = holders.get(rule);
  if (found === undefined) {
    found = Object.values(rule.params).some(({ syntax }) => syntax === 'actions' || syntax === 'deferred');
    holders.set(rule, found);
  }
  return found;
}
