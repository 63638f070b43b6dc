import { type AttributeDefinition, type CompiledScript, regeneration } from '../../../engine/tools.ts';
import { canFire } from '../../model/index.ts';
import { concerns } from '../attributes.ts';
import type { GameContext } from '../context.ts';
import { bindingsOf } from '../controls.ts';
import { bothWays, wordOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { attributeOwners, attributeTrigger, isDeaf, isForClients, kindNames } from '../triggers.ts';

const ofUse: ReadonlySet<string> = new Set('unitUsesItem thisUnitUsesItem itemIsUsed unitStartsUsingAnItem'.split(' '));

export const noEmittedTrigger: Rule = {
  about:
    'None of the triggers of a script ever fires for this kind of script, or nothing in the game makes these triggers fire.',
  because: 'The script never runs. Use a trigger that fires, or add what makes this trigger fire.',
  wrong: `{ "scripts": { "sold": { "triggers": [{ "type": "playerPurchasesUnit" }], "actions": [{ "type": "endGame" }] } } }`,
  right: `{
  "scripts": {
    "sold": { "triggers": [{ "type": "playerPurchasesUnit" }], "actions": [{ "type": "endGame" }] },
    "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "openShopForPlayer", "shop": "stable", "player": { "function": "getTriggeringPlayer" } }] }
  },
  "shops": { "stable": { "unitTypes": { "horse": { "price": { "coins": 5 } } } } },
  "unitTypes": { "horse": {} }
}`,
  check(context) {
    const { program, definition, uses, dialect, once, report, reportAs } = context;
    const enabled = new Set(uses('input').flatMap(({ key }) => key ?? []));
    for (const script of program.scripts) {
      if (isDeaf(script)) {
        reportAs(
          isForClients(script) ? 'unheard-trigger' : 'no-emitted-trigger',
          `${script.pointer}/triggers`,
          `"${script.name}" is ${kindNames[script.owner.kind]}, for which none of its triggers ever fires.`,
          { found: script.triggers.map((each) => script.triggerTable.types[each]!).join(', ') },
        );
      }
      // A script with several triggers has several purposes, so one dead trigger is no mistake. An empty script does
      // nothing anyway.
      const [trigger] = script.triggers;
      if (trigger === undefined || script.node.actions.actions.length === 0) continue;
      const found = script.triggerTable.types[trigger]!;
      const missing = ofUse.has(found)
        ? once(usesItems) || 'nothing in the game uses an item'
        : found === 'playerCustomInput'
          ? uses('output', 'ui.modal').length > 0 || 'no script asks a player for input'
          : found.startsWith('playerPurchases') && definition.shops.size === 0
            ? 'the game has no shop'
            : found === 'raycastItemFired' &&
                ![...definition.itemTypes.values()].some(({ bulletType }) => bulletType === 'raycast')
              ? 'no item fires rays'
              : /Sensor$/.test(found) && !sensed(script, context)
                ? 'no unit has a sensor'
                : canFire(found, enabled, dialect) || 'nothing in the game causes this trigger';
      if (typeof missing !== 'string') continue;
      report(`${script.pointer}/triggers/0`, `\`${found}\` never fires: ${missing}.`, { found });
    }
  },
  /** Reports a script that waits for an attribute to reach a bound that the attribute never reaches. */
  visit({ definition, types, references, bounds, attributeChanges: changes, report }) {
    return {
      condition(node) {
        const { source, owner } = node.script;
        const waited = source.triggers.map((each) => attributeTrigger.exec(each) ?? []);
        const [[, of = '', end] = []] = waited;
        if (node.operator !== '==' || waited.some((each) => each.length === 0)) return;
        const owners = waited.flatMap(([, each]) => attributeOwners(definition, owner, each!));
        for (const [literal, other] of bothWays(node)) {
          const key = wordOf(literal) ?? '';
          if (types.typeOf(other) !== 'attribute') continue;
          const all = owners.filter(({ attributes }) => attributes.has(key));
          // Another rule reports a name that is no attribute at all.
          if (owners.length > 0 && all.length === 0 && references.missing('attribute', key) === undefined)
            report(
              literal,
              `\`${source.triggers[0]}\` never fires for "${key}": no type of ${of === 'entity' ? owner.kind : of} for which the script runs has it.`,
              { found: key },
            );
          if (all.length === 0 || waited.length > 1) continue;
          const isFull = end === 'BecomesFull';
          const min = bounds.of(key, all)?.min ?? 0;
          const own = changes.filter((each) => all.some((type) => concerns(each, key, type)));
          const isBack = own.some((each) => (isFull ? each.falls : each.rises));
          const isThere = all.every(({ attributes }) => isAtEnd(attributes.get(key)!, isFull));
          // An attribute that begins at this bound reaches the bound again only after it has left it.
          const isMoved = own.some(
            ({ rises, falls, rule }) =>
              (isFull ? rises : falls) && (isBack || !isThere || (isFull && rule !== regeneration.name)),
          );
          // If nothing but regeneration changes the attributes of these types, the game is not finished yet.
          const isUsed = changes.some(
            (each) => each.rule !== regeneration.name && all.some(({ attributes }) => attributes.has(each.key ?? key)),
          );
          const why = isMoved
            ? !isFull && min > 0 && `its minimum is ${min}`
            : isUsed &&
              `${isThere ? 'it starts there, and ' : ''}nothing ${isFull === (isThere && !isBack) ? 'lowers' : 'raises'} it`;
          if (why) report(literal, `"${key}" never becomes ${isFull ? 'full' : 'zero'}: ${why}.`, { found: key });
        }
      },
    };
  },
};

/** Whether an attribute begins at its maximum, or at 0. */
function isAtEnd({ value = 0, max }: AttributeDefinition, isFull: boolean): boolean {
  return isFull ? value === max : value <= 0;
}

/** Whether any unit that the script concerns can have a sensor, from its AI or from a script. */
function sensed({ node: { owner } }: CompiledScript, { definition, changes }: GameContext): boolean {
  const all = [...definition.unitTypes.values()];
  const types = owner.kind === 'unit' && changes('type').length === 0 ? [all[owner.type]!] : all;
  return changes('sensorRadius').length > 0 || types.some(({ ai }) => (ai?.sensorRadius ?? 0) > 0);
}

/** Whether units can use items: because of scripts, abilities or AI, or as soon as they pick them up. */
function usesItems(game: GameContext) {
  const { abilities, itemTypes, unitTypes } = game.definition;
  return (
    abilities.size > 0 ||
    [...itemTypes.values()].some(({ isUsedOnPickup, bonus }) => isUsedOnPickup || bonus?.isConsumedImmediately) ||
    game.changes('use').some(({ value }) => value !== false) ||
    [...unitTypes.values()].some(
      (type) =>
        type.ai?.enabled ||
        bindingsOf(type).some(({ keyDown, keyUp }) =>
          [keyDown, keyUp].some((binding) => binding !== undefined && binding.kind !== 'script'),
        ),
    )
  );
}
