import type { Call, Node, Operand } from '../../../engine/index.ts';
import { vocabulary } from '../../../engine/tools.ts';
import { above, creationsBy, loopOf, readOf } from '../../model/index.ts';
import { listIn } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const nothingSelected: Rule = {
  about:
    '`selectedUnit` or a similar function is used before or after the loop that selects, or a function for the last created unit or item before the action that creates it.',
  because:
    'The function then returns nothing, or the wrong entity. Move the action into the loop, or after the action that creates the entity.',
  wrong: `[{ "type": "destroyEntity", "entity": { "function": "selectedUnit" } }]`,
  right: `[{ "type": "forAllUnits", "unitGroup": { "function": "allUnits" }, "actions": [{ "type": "destroyEntity", "entity": { "function": "selectedUnit" } }] }]`,
  check({ scripts, uses, once, report }) {
    const called = new Set(uses('script').flatMap(({ role, key }) => (role === 'starts' ? [key] : [])));
    if (called.has(undefined)) return;
    const loopOfKind = once(loopsOfKinds);
    for (const { script, nodes } of scripts) {
      // A script that other scripts call can inherit their loop variables.
      if (called.has(script.source.key)) continue;
      /** The kinds of elements that the loops so far have selected. */
      const selected = new Set<string>();
      if (script.source.triggers.every((trigger) => trigger === 'playerJoinsGame' || trigger === 'gameStart'))
        createdLater(nodes);
      for (const node of nodes) {
        if (node.kind === 'action') {
          const { selects } = loopOf(node) ?? {};
          if (selects !== undefined) selected.add(selects);
        } else if (node.kind === 'call') {
          const { kind } = readOf(node, 'element') ?? {};
          const loop = kind === undefined ? undefined : loopOfKind.get(kind);
          // Functions with operands use the element only if the operand is missing.
          if (kind === undefined || loop === undefined || node.operands.length > 0) continue;
          if (selected.has(kind)) {
            if ([...above(node)].some((at) => at.kind === 'action' && loopOf(at)?.selects === kind)) continue;
            report(
              node,
              `\`${node.operation}\` is used after its loop, where it returns the last element that \`${loop}\` selected.`,
              `inside \`${loop}\``,
            );
          } else
            report(
              node,
              `\`${node.operation}\` has no value here: no \`${loop}\` runs before it.`,
              `inside \`${loop}\``,
            );
        }
      }
    }

    /**
     * Reports a function for the last created entity that stands before the action that creates the entity. Called only
     * for scripts that run at the start of a game or for a new player, where an earlier entity cannot be meant.
     */
    function createdLater(nodes: readonly Node[]) {
      const made = new Map<string, Node[]>();
      const isMade = (member: string, at: Node) => made.get(member)?.some((each) => !areBranches(each, at)) === true;
      const early: (readonly [node: Call, member: string])[] = [];
      for (const node of nodes) {
        const { kind: member = '' } = readOf(node as Operand, 'last') ?? {};
        if (node.kind === 'call' && member.startsWith('created') && !isMade(member, node)) early.push([node, member]);
        if (node.kind !== 'action') continue;
        if (node.effects.some(({ does }) => does === 'starts')) return;
        for (const { kind = '' } of creationsBy(node)) {
          const creating = `created${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
          for (const [read, of] of early) {
            if (of !== creating || isMade(of, read) || ![...above(read)].includes(node.parent as Node)) continue;
            if ([...above(read)].includes(node)) continue;
            report(
              read,
              `\`${read.operation}\` is called before \`${node.operation}\` creates the ${kind}.`,
              `after \`${node.operation}\``,
            );
          }
          listIn(made, creating).push(node);
        }
      }
    }
  },
};

/** Whether only one of two nodes can run, because they are in different branches of a condition. */
function areBranches(one: Node, other: Node) {
  const branches = [...above(one)].filter(({ kind }) => kind === 'block');
  return [...above(other)].some(
    (each) => each.kind === 'block' && branches.some((at) => at !== each && at.parent === each.parent),
  );
}

/** The name of the action that loops over each kind of element. */
function loopsOfKinds(): ReadonlyMap<string, string> {
  return new Map(
    [...vocabulary.actions].flatMap(([type, { effects }]) =>
      effects.flatMap((effect) => (effect.does === 'runs' && effect.selects ? [[effect.selects, type] as const] : [])),
    ),
  );
}
