import type { Action, Block, Node, Operand } from '../../../engine/index.ts';
import { conditionOf } from '../../model/index.ts';
import { areSame, draws, leaves } from '../nodes.ts';
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
  visit: ({ report }) => ({
    block({ actions }) {
      actions.forEach((action, i) => {
        for (const gone of destroyedBy(action)) afterwards(gone, actions.slice(i + 1));
      });

      function afterwards(gone: Operand, later: Block['actions']) {
        // A selected unit, a random one, or the unit in a variable can be another unit after the action.
        if (gone.kind !== 'call' || ![...nodesThatRun(gone)].every(isFixed)) return;
        const { operation } = gone.parent as Action;
        for (const node of later.flatMap((action) => [...nodesThatRun(action)])) {
          if (node.kind !== 'action' && node.kind !== 'call') continue;
          const { effects = [], params = {} } = node.rule ?? {};
          // A script that the action starts, or a loop, can select another entity.
          if (effects.some((each) => each.does === 'starts' || (each.does === 'runs' && each.selects))) return;
          const used = Object.keys(params).find(
            (key) => entity.test(params[key]!.name) && areSame(node.operand(key), gone),
          );
          if (used === undefined) continue;
          const isTarget = effects.some((each) => 'of' in each && each.of === used);
          const what = isTarget ? 'does nothing' : 'finds no entity here';
          report(
            node,
            `\`${node.operation}\` ${what}: the preceding \`${operation}\` has destroyed the entity.`,
            `before \`${operation}\``,
            'after it',
          );
          return;
        }
      }
    },
  }),
};

/** Matches the names of parameters whose operand must be an entity that exists. */
const entity = /^(unit|item|projectile|(movable )?entity|unit, item or projectile)$/;

/** The operands for the entities that no longer exist after an action. */
function destroyedBy(action: Action): readonly Operand[] {
  const own = action.effects.flatMap((effect) =>
    // A player who is kicked still exists until the end of the tick, so later uses of the player are no mistake.
    effect.does !== 'destroys' || effect.may || effect.of === undefined || isOfPlayer(action, effect.of)
      ? []
      : action.operand(effect.of),
  );
  const branches = conditionOf(action) === undefined || action.blocks.length < 2 ? [] : action.blocks;
  const [first = [], ...others] = branches
    .filter(({ actions }) => !actions.some(leaves))
    .map(({ actions }) => actions.flatMap(destroyedBy));
  const inAll = first.filter((gone) => others.every((other) => other.some((each) => areSame(each, gone))));
  return [...own, ...inAll];
}

function isFixed(node: Node) {
  return !draws(node) && (node.kind !== 'call' || node.rule?.reads.every(({ aspect }) => fixed.has(aspect)) === true);
}

/** Aspects that stay the same while a script runs, as long as no loop selects another element. */
const fixed = new Set(['payload', 'self', 'element']);
