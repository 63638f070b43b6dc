import type { KeyBinding } from '../../../engine/tools.ts';
import type { Rule } from '../rule.ts';

export const danglingBinding: Rule = {
  about:
    'A key binding of a unit type that players control refers to something that is neither a script nor an ability, or it stops an ability or the use of an item when the key is pressed.',
  because: 'Players press the key and nothing happens.',
  wrong: `{
  "unitTypes": { "hero": { "controls": { "abilities": { "e": { "keyDown": { "scriptName": "dig" } } } } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 99, "y": 99 }, "angle": 0 }] } }
}`,
  right: `{
  "unitTypes": { "hero": { "controls": { "abilities": { "e": { "keyDown": { "scriptName": "dig" } } } } } },
  "scripts": {
    "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 99, "y": 99 }, "angle": 0 }] },
    "dig": { "triggers": [], "actions": [] }
  }
}`,
  check({ definition, play, model, report, near }) {
    const { mayGet } = play;
    /** For each action with which a binding always starts or stops the use of an item: whether it starts. */
    const startsUse = (type: string, binding: KeyBinding['keyDown']) => {
      const place = binding?.kind === 'script' && model.called(`unitTypes/${type}/scripts/`, binding.scriptName);
      const all = place ? model.usesIn(place).filter(({ kind, isOff }) => kind === 'use' && !isOff) : [];
      return all.map(({ guards, after, value }) => guards.length > 0 || after !== undefined || value !== false);
    };
    for (const { key: type, scripts, controls, legacyAbilities } of definition.unitTypes.values()) {
      if (!mayGet(type)) continue;
      const abilities = [...definition.abilities.keys(), ...(controls?.unitAbilities.keys() ?? [])];
      const all = [...scripts.keys(), ...definition.scripts.keys(), ...abilities];
      // The legacy map is used only if there is no `controls` (reference: units#legacy-abilities).
      for (const { keyDown, keyUp, pointer } of (controls?.abilities ?? legacyAbilities).values()) {
        if (keyDown?.kind === 'cast' && keyUp?.kind === 'cast' && keyDown.event > keyUp.event)
          report(
            `${pointer}/keyDown/event`,
            'Pressing this key stops the ability, and releasing the key starts it.',
            'startCasting',
            keyDown.event,
          );
        const [down = true, ...more] = startsUse(type, keyDown);
        const [up] = startsUse(type, keyUp);
        if (up !== undefined && !down && !more.includes(true))
          report(
            `${pointer}/keyDown/scriptName`,
            `Pressing this key only stops the use of an item, and releasing the key ${up ? 'starts' : 'also stops'} it.`,
          );
        for (const [edge, binding] of Object.entries({ keyDown, keyUp })) {
          if (binding === undefined) continue;
          const { kind } = binding;
          const [found, below, known] =
            kind === 'script'
              ? [binding.scriptName, '/scriptName', all]
              : kind === 'cast'
                ? [binding.abilityId, '/abilityId', abilities]
                : [binding.abilityKey, '', all];
          if (known.includes(found)) continue;
          report(`${pointer}/${edge}${below}`, `There is no ${kind === 'script' ? kind : 'ability'} "${found}".`, {
            found,
            suggestion: near(found, known),
          });
        }
      }
    }
  },
};
