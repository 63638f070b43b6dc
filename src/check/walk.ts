import type { Action, Call, Dialect, Node, ScriptNode } from '../../engine/index.ts';
import { isAbsentIn } from '../model/index.ts';

/**
 * A script with all its nodes that can run. Collected once and shared by all checks. Reading nodes that are scattered
 * over the memory takes most of the time of a check, so a check of only actions or calls reads a list of these.
 */
export interface WalkedScript {
  readonly script: ScriptNode;
  /** In the order of `nodesThatRun`, as are `actions` and `calls`. */
  readonly nodes: readonly Node[];
  readonly actions: readonly Action[];
  readonly calls: readonly Call[];
}

export function walked(script: ScriptNode, dialect: Dialect): WalkedScript {
  const nodes = [...nodesThatRun(script, dialect)];
  const actions = nodes.filter((node) => node.kind === 'action');
  return { script, nodes, actions, calls: nodes.filter((node) => node.kind === 'call') };
}

/** Yields a node and everything nested in it that can run (in a dialect), parents before children. Not recursive. */
export function* nodesThatRun(root: Node, dialect?: Dialect): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'action' && (!node.isOn || (dialect && isAbsentIn(node, dialect)))) continue;
    yield node;
    const children = node.kind === 'action' || node.kind === 'call' ? node.given : node.children();
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
  }
}
