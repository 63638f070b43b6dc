import type { Action, Block, Node } from '../../../engine/index.ts';
import { areSame, draws } from '../nodes.ts';
import { isOfPlayer } from '../play.ts';
import type { Rule } from '../rule.ts';
import { nodesThatRun } from '../walk.ts';

export const useAfterDestroy: Rule = {
  about: 'An action uses an entity that an earlier action has destroyed.',
  because: 'The entity is gone, so nothing happens. Move the action before the action that destroys the entity.',
  wrong: `{ "scripts": { "s": { "triggers": [{ "type": "unitTouchesUnit" }], "actions": [
    { "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } },
    { "type": "moveEntity", "entity": { "function": "getTriggeringUnit" }, "position": { "x": 9, "y": 9 } }
  ] } } }`,
  right: `{ "scripts": { "s": { "triggers": [{ "type": "unitTouchesUnit" }], "actions": [
    { "type": "moveEntity", "entity": { "function": "getTriggeringUnit" }, "position": { "x": 9, "y": 9 } },
    { "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }
  ] } } }`,
  visit({ report }) {
    return {
      block({ actions }) {
        actions.forEach((action, i) => {
          // A player who is kicked still exists until the end of the tick, so later uses of the player are no mistake.
          for (const effect of action.effects)
            if (effect.does === 'destroys' && !effect.may && effect.of !== undefined && !isOfPlayer(action, effect.of))
              afterwards(action, effect.of, actions.slice(i + 1));
        });
      },
    };

    function afterwards(destroying: Action, of: string, later: Block['actions']) {
      const gone = destroying.operand(of);
      // A selected unit, a random one, or the unit in a variable can be another unit after the action.
      if (gone.kind !== 'call' || ![...nodesThatRun(gone)].every(isFixed)) return;
      for (const action of later) {
        for (const node of nodesThatRun(action)) {
          if (node.kind !== 'action') continue;
          // A script that the action starts, or a loop, can select another entity.
          if (node.effects.some((each) => each.does === 'starts' || (each.does === 'runs' && each.selects))) return;
          const effect = node.effects.find(
            (each) => 'of' in each && each.of !== undefined && areSame(node.operand(each.of), gone),
          );
          if (effect === undefined) continue;
          report(
            node,
            `\`${node.operation}\` does nothing: the preceding \`${destroying.operation}\` has destroyed the entity.`,
            `before \`${destroying.operation}\``,
            'after it',
          );
          return;
        }
      }
    }
  },
};

function isFixed(node: Node): boolean {
  return !draws(node) && (node.kind !== 'call' || node.rule?.reads.every(({ aspect }) => fixed.has(aspect)) === true);
}

/** Aspects that stay the same while a script runs, as long as no loop selects another element. */
const fixed: ReadonlySet<string> = new Set(['payload', 'self', 'element']);
