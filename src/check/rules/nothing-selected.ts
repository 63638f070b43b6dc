import { vocabulary } from '../../../engine/tools.ts';
import { loopOf, readOf } from '../../model/index.ts';
import { above } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const nothingSelected: Rule = {
  about: '`selectedUnit` or the like where no loop of the script has selected anything, or after its loop.',
  because: 'It has no value, or another one than is meant. Move the action into the loop.',
  wrong: `[{ "type": "destroyEntity", "entity": { "function": "selectedUnit" } }]`,
  right: `[{ "type": "forAllUnits", "unitGroup": { "function": "allUnits" }, "actions": [{ "type": "destroyEntity", "entity": { "function": "selectedUnit" } }] }]`,
  check({ scripts, uses, once, report }) {
    const called = new Set(uses('script').flatMap(({ role, key }) => (role === 'starts' ? [key] : [])));
    if (called.has(undefined)) return;
    const loopOfKind = once(loopsOfKinds);
    for (const { script, nodes } of scripts) {
      // A script that others call can inherit their selection.
      if (called.has(script.source.key)) continue;
      /** What the loops of the script so far select. */
      const selected = new Set<string>();
      for (const node of nodes) {
        if (node.kind === 'action') {
          const { selects } = loopOf(node) ?? {};
          if (selects !== undefined) selected.add(selects);
        } else if (node.kind === 'call') {
          const { kind } = readOf(node, 'element') ?? {};
          const loop = kind === undefined ? undefined : loopOfKind.get(kind);
          // Functions with operands only use the element in place of a missing one.
          if (kind === undefined || loop === undefined || node.operands.length > 0) continue;
          if (selected.has(kind)) {
            if ([...above(node)].some((at) => at.kind === 'action' && loopOf(at)?.selects === kind)) continue;
            report(
              node,
              `\`${node.operation}\` stands after its loop: it is only the last element that \`${loop}\` selected.`,
              { expected: `inside \`${loop}\`` },
            );
          } else
            report(node, `\`${node.operation}\` has no value here: no \`${loop}\` runs before it.`, {
              expected: `inside \`${loop}\``,
            });
        }
      }
    }
  },
};

/** The action that loops over the elements of each kind. */
function loopsOfKinds(): ReadonlyMap<string, string> {
  return new Map(
    [...vocabulary.actions].flatMap(([type, { effects }]) =>
      effects.flatMap((effect) => (effect.does === 'runs' && effect.selects ? [[effect.selects, type] as const] : [])),
    ),
  );
}
