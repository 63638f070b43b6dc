import type { Node, ScriptNode } from './ast.ts';

/** A script with all its nodes that can run. Collected once and shared by all checks, because walking the tree takes most of their time. */
export interface WalkedScript {
  readonly script: ScriptNode;
  /** In the order of `nodesThatRun`. */
  readonly nodes: readonly Node[];
}

export function walked(script: ScriptNode): WalkedScript {
  return { script, nodes: [...nodesThatRun(script)] };
}

/** Yields a node and everything nested in it that can run, parents before children. Not recursive. */
export function* nodesThatRun(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'action' && !node.isOn) continue;
    yield node;
    const children = node.kind === 'action' || node.kind === 'call' ? node.given : node.children();
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
  }
}
