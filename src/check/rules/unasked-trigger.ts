import type { Action, Call, TriggerType } from '../../../engine/index.ts';
import type { CompiledScript } from '../../../engine/tools.ts';
import { readerOf, readOf } from '../../model/index.ts';
import type { Rule } from '../rule.ts';
import { attributeOwners, attributeTrigger } from '../triggers.ts';

type Operation = Action | Call;

const regionTrigger = /(Enters|Leaves)Region$/;

export const unaskedTrigger: Rule = {
  about:
    'A trigger starts the script for every attribute, region or entity, and the script never tests for which of them it runs.',
  because:
    'The script also runs for other attributes, regions or entities than intended. Begin the script with a condition that tests which of them fired the trigger.',
  wrong: `{
  "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 9, "value": 9 }, "mana": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "death": { "triggers": [{ "type": "unitAttributeBecomesZero" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 9, "value": 9 } } } },
  "scripts": { "death": { "triggers": [{ "type": "unitAttributeBecomesZero" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringUnit" } }] } }
}`,
  check({ definition, program, scripts, model, report }) {
    const { variables } = definition;
    const regions = [...variables.values()].filter(({ dataType }) => dataType === 'region').length;
    for (const script of program.scripts) {
      // A script with several triggers has several purposes, and an empty script need not ask for anything.
      const [trigger, ...more] = script.triggers;
      if (trigger === undefined || more.length > 0 || script.node.actions.actions.length === 0) continue;
      const { kind } = script.node.owner;
      const { types, rows } = script.triggerTable;
      const found = types[trigger]!;
      if (!rows[found].scopes.includes(kind === 'game' ? 'g' : kind.slice(0, 1))) continue;
      const [, of, end] = attributeTrigger.exec(found) ?? [];
      if (kind !== 'game' && of !== undefined && of !== 'entity' && of !== 'player') anyEntity(script, found, of, end!);
      else if (of !== undefined) anyAttribute(script, found, of);
      else if (regionTrigger.test(found)) anyRegion(script, found);
    }

    /**
     * Whether a script, or one that it runs, reads a member of the payload, or contains an operation for which
     * `decides` is true.
     */
    function asks(script: CompiledScript, payload: string, decides: (node: Operation) => boolean) {
      const all = new Set([script.place]);
      for (const place of all) {
        for (const use of model.usesIn(place)) {
          if (use.isOff) continue;
          if (use.kind === 'payload' && use.key === payload) return true;
          if (use.role === 'starts') for (const callee of model.startedBy(use)) all.add(callee);
        }
      }
      return program.scripts.some(({ place, index }) => all.has(place) && uses(index, decides));
    }

    function uses(index: number, is: (node: Operation) => boolean) {
      const { actions, calls } = scripts[index]!;
      return actions.some(is) || calls.some(is);
    }

    function add(script: CompiledScript, message: string, expected: string, found: string, suggestion?: string) {
      report(`${script.pointer}/triggers/0`, message, expected, found, suggestion);
    }

    function anyAttribute(script: CompiledScript, trigger: TriggerType, of: string) {
      const { owner } = script.node;
      const keys = attributeOwners(definition, owner, of).flatMap(({ attributes }) =>
        [...attributes.values()].flatMap(({ key, min, max, value }) => {
          // An attribute that cannot reach the bound is a constant, like the `speed` of most units.
          const can = trigger.endsWith('Full') ? max !== undefined : (min ?? 0) <= 0;
          return can && value !== undefined && key !== 'speed' ? key : [];
        }),
      );
      const attributes = [...new Set(keys)];
      // A script that reads attributes of the entity can tell from their values which one reached its bound.
      if (attributes.length < 2 || asks(script, 'attribute', (node) => readsAttribute(node, of === 'player'))) return;
      const some = attributes.slice(0, 3).map((key) => `"${key}"`);
      const asked = readerOf('attribute')!;
      const message = `"${script.name}" runs for every attribute (${some.join(', ')}${attributes.length > 3 ? ' …' : ''}) and never tests for which attribute it runs: compare \`${asked}\`.`;
      add(script, message, asked, trigger);
    }

    function anyRegion(script: CompiledScript, trigger: TriggerType) {
      if (regions < 2 || asks(script, 'region', (node) => isAbout(node, /region/i))) return;
      const asked = readerOf('region')!;
      const message = `"${script.name}" runs for each of ${regions} regions and never tests for which region it runs: compare \`${asked}\`.`;
      add(script, message, asked, trigger);
    }

    /**
     * Reports an own script of an entity that runs when something happens to any entity, but acts on its own entity.
     */
    function anyEntity(script: CompiledScript, trigger: TriggerType, payload: string, end: string) {
      if (!uses(script.index, (node) => node.kind === 'call' && readOf(node, 'self') !== undefined)) return;
      if (asks(script, payload, () => false)) return;
      const own = `entityAttribute${end}`;
      const message = `"${script.name}" runs for this entity when an attribute of any ${payload} reaches its bound. \`${own}\` fires only for attributes of this entity.`;
      add(script, message, own, trigger, own);
    }
  },
};

function readsAttribute({ rule }: Operation, isOfPlayer: boolean) {
  return (rule?.reads ?? []).some(
    ({ aspect, key, of = '' }) =>
      aspect.startsWith('attribute') && key !== undefined && (rule!.params[of]?.name === 'player') === isOfPlayer,
  );
}

/** Whether an operation is about a kind of thing: whether it takes, returns, reads, creates or loops over one. */
function isAbout({ rule }: Operation, kind: RegExp) {
  if (rule === undefined) return false;
  const words = [
    ...Object.values(rule.params).flatMap(({ name, refersTo }) => [name, refersTo]),
    ...rule.reads.flatMap((read) => [read.kind, read.aspect === 'self' ? 'entity' : '']),
    ...rule.effects.map((each) =>
      each.does === 'runs' ? each.selects : each.does === 'creates' || each.does === 'destroys' ? 'entity' : '',
    ),
  ];
  return [rule.returns, ...words].some((word) => kind.test(word ?? ''));
}
