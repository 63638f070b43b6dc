import type { Action } from '../../../engine/index.ts';
import type { UnitType } from '../../../engine/tools.ts';
import { changesOf } from '../../model/index.ts';
import { reacts } from '../ai.ts';
import { isPhysical } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const uselessAi: Rule = {
  about: 'An AI that never does what its settings say: it is not enabled, cannot move, or senses nothing.',
  because: 'The units stand still. The message says which setting is missing.',
  wrong: `{ "unitTypes": { "wolf": { "name": "Wolf", "ai": { "enabled": true, "idleBehaviour": "wander" } } } }`,
  right: `{ "unitTypes": { "wolf": { "name": "Wolf", "attributes": { "speed": { "min": 0, "max": 9, "value": 5 } }, "ai": { "enabled": true, "idleBehaviour": "wander" } } } }`,
  check({ definition, types, scripts, uses, play, aiScripts, report, isGiven }) {
    // Units without a weapon can do damage if scripts give them items, or react when units touch something.
    const canHurt =
      uses('item').some(({ role }) => role === 'creates') ||
      uses('items').some(({ role, isGiven: gives }) => role === 'changes' && gives) ||
      scripts.some(({ script }) => script.source.triggers.some((trigger) => /Touches(Unit|Projectile)$/.test(trigger)));
    const { enable, orders } = aiScripts;
    if (!enable) orders.forEach(order);
    for (const type of definition.unitTypes.values()) {
      if (type.ai?.enabled || enable) settings(type);
      // Editors always write `enabled`. Settings without that field were written by hand and have no effect.
      if (type.ai === undefined || type.ai.enabled || isGiven(`${type.pointer}/ai/enabled`) || !acts(type)) continue;
      report(
        `${type.pointer}/ai`,
        `The AI of ${titleOf(type)} has settings but is not \`enabled\`, so it acts only after the action \`enableAI\`.`,
        '`enabled`: true',
        'nothing',
      );
    }

    /** Reports an order to a unit whose type has no AI. */
    function order(node: Action) {
      const unit = node.operand(changesOf(node, 'ai')[0]!.of!);
      const of = types.typesOf(unit);
      const without = of?.types.filter((type) => !('ai' in type) || type.ai?.enabled !== true) ?? [];
      if (of === undefined || without.length < of.types.length) return;
      report(
        unit,
        `${node.operation} does nothing: the AI of units of type ${titleOf(without[0]!)} is not enabled.`,
        '`ai.enabled`, or `enableAI`',
        'neither',
      );
    }

    function settings(type: UnitType) {
      const { pointer, ai } = type;
      if (ai === undefined) return;
      const add = (what: string, expected: string, found: string | number, field = '') =>
        report(`${pointer}/ai${field}`, `The AI of ${titleOf(type)} ${what}.`, expected, found);
      const still = acts(type) ? play.whyStill(type) : undefined;
      if (still !== undefined) add(`cannot move: ${still.why}`, still.expected, still.found);
      if (ai.sensorResponse === 'fight' && type.defaultItems.length === 0 && !canHurt && isPassive(type))
        add('fights without an item, and hurts nobody', '`defaultItems`', 'none');
      if (ai.sensorResponse !== 'fight' && ai.sensorResponse !== 'flee') return;
      const radius = ai.sensorRadius ?? 0;
      const letGo = ai.letGoDistance ?? 0;
      const own = ownRadius(type);
      if (radius <= own)
        add(
          `senses nothing: its \`sensorRadius\` of ${radius} px lies within its own body`,
          `px, more than ${own}`,
          radius,
          '/sensorRadius',
        );
      else if (letGo > 0 && letGo < radius)
        add(
          'gives up a target as soon as it has sensed it: `letGoDistance` is less than `sensorRadius`',
          `at least ${radius}`,
          letGo,
          '/letGoDistance',
        );
    }
  },
};

/** Whether the own scripts of a type run only when an attribute of the entity reaches zero. */
function isPassive({ scripts }: UnitType) {
  return [...scripts.values()].every(({ triggers }) => triggers.every((trigger) => trigger.endsWith('BecomesZero')));
}

function acts(type: UnitType) {
  return reacts(type) || type.ai?.idleBehaviour === 'wander';
}

/** Half of the smaller side of the first physical body of a type, px. */
function ownRadius({ bodies }: UnitType) {
  const body = [...bodies.values()].find(isPhysical);
  return body === undefined ? 0 : Math.min(body.width, body.height) / 2;
}
