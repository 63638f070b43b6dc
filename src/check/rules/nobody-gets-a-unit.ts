import type { Rule } from '../rule.ts';

export const nobodyGetsAUnit: Rule = {
  about: 'Units have controls, but no script gives a unit to a player.',
  because:
    'People who join can only watch. Create a unit for the player in a script with the trigger `playerJoinsGame`.',
  wrong: `{ "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } } }`,
  right: `{
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  check({ definition, model, play, report }) {
    const { isSteered, givesUnits } = play;
    if (!isSteered || givesUnits) return;
    const isOff = model.uses('unit').some((use) => use.role === 'creates' && use.isOff);
    const why = isOff ? 'the action that would do so is disabled' : 'players who join can only watch';
    report(
      `${definition.pointer}/scripts`,
      `No script gives a unit to a player: ${why}.`,
      'createUnitAtPosition for the player of `playerJoinsGame`',
      'nothing',
    );
  },
};
