import { damage } from '../../../engine/internal.ts';
import { attributeUsesOf } from '../attributes.ts';
import { playFactsOf } from '../play.ts';
import type { Context, Rule } from '../rule.ts';

export const outOfRange: Rule = {
  because: 'The number is clamped, or makes something else useless. The message says what.',
  wrong: `{ "itemTypes": { "bow": { "quantity": 20, "maxQuantity": 10 } } }`,
  right: `{ "itemTypes": { "bow": { "quantity": 10, "maxQuantity": 10 } } }`,
  check(context) {
    const { definition, once, report } = context;
    for (const { quantity, maxQuantity, name, pointer } of definition.itemTypes.values()) {
      if (maxQuantity === null || maxQuantity <= 0 || quantity === null || quantity <= maxQuantity) continue;
      const message = `"${name}" starts with ${quantity}, more than its \`maxQuantity\`.`;
      report(`${pointer}/quantity`, message, { expected: `at most ${maxQuantity}`, found: String(quantity) });
    }
    damaged(context);
    const { map, cellSize } = definition;
    for (const { name, states, bodies } of once(playFactsOf).played) {
      const body = bodies.get((states.get('default') ?? states.values().next().value)?.body ?? '');
      if (map === undefined || body === undefined) continue;
      const side = (['width', 'height'] as const).find(
        (each) => map[each] !== 0 && body[each] >= map[each] * cellSize[each],
      );
      if (side !== undefined)
        report(`${body.pointer}/${side}`, `The body of "${name}" is larger than the map.`, {
          expected: `px, less than ${map[side] * cellSize[side]}`,
          found: String(body[side]),
        });
    }
  },
};

/**
 * Reports attributes of units that have one possible value although damage or scripts change them, and those that damage cannot lower, because they start
 * at their minimum and nothing raises them.
 */
function damaged({ definition, model, once, report }: Context): void {
  const { declared, changedByScripts, movedByScripts, changed } = once(attributeUsesOf);
  if (changed.has(undefined)) return;
  const raised = new Set(changedByScripts);
  const lowered = new Set<string>();
  for (const { by, key, of, amount = 1 } of model.attributeRules) {
    if (amount > 0) raised.add(key);
    else if (by === damage.name && of === 'unit') lowered.add(key);
  }
  for (const { name: typeName, attributes } of definition.unitTypes.values()) {
    for (const { key, name, min, max, value, pointer } of attributes.values()) {
      const isScripted = changedByScripts.has(key);
      if (value === undefined || min === undefined || !(lowered.has(key) || isScripted)) continue;
      const what = `"${name === '' ? key : name}" of "${typeName}"`;
      // Where another type has a range, the scripts are about that one.
      const isFixed = min === max && !movedByScripts.has(key);
      if (isFixed && (!isScripted || declared.get(key)!.every((each) => each.min === each.max))) {
        const message = `${isScripted ? 'No script ever changes' : 'Damage never changes'} ${what}: its minimum and its maximum are both ${min}.`;
        report(`${pointer}/min`, message, { expected: `less than ${max}`, found: String(min) });
      } else if (value <= min && !raised.has(key) && !isScripted) {
        const message = `${what} starts at its minimum, ${min}, and nothing raises it: damage changes nothing.`;
        report(`${pointer}/value`, message, { expected: `more than ${min}`, found: String(value) });
      }
    }
  }
}
