import type { Rule } from '../rule.ts';

export const danglingBinding: Rule = {
  about:
    'A key binding of a unit type that players control refers to something that is neither a script nor an ability, or it stops an ability when the key is pressed and starts it when the key is released.',
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
  check({ definition, play, report, near }) {
    const { mayGet } = play;
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
