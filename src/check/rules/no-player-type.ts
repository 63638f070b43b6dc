import type { Rule } from '../rule.ts';

export const noPlayerType: Rule = {
  about: 'No script assigns a player type to people who join, so they have no attributes and no relationships.',
  because:
    'Prices, hostility and scores depend on the player type. Assign one in a script with the trigger `playerJoinsGame`.',
  wrong: `{
  "playerTypes": { "human": {} },
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 9, "y": 9 }, "angle": 0 }] } }
}`,
  right: `{
  "playerTypes": { "human": {} },
  "unitTypes": { "hero": { "controls": { "movementControlScheme": "wasd" } } },
  "scripts": { "join": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [
    { "type": "assignPlayerType", "entity": { "function": "getTriggeringPlayer" }, "playerType": "human" },
    { "type": "createUnitAtPosition", "entity": { "function": "getTriggeringPlayer" }, "unitType": "hero", "position": { "x": 9, "y": 9 }, "angle": 0 }
  ] } }
}`,
  check({ definition, play, report }) {
    const { isSteered, givesUnits, givesTypes } = play;
    if (!isSteered || givesTypes || !givesUnits || definition.playerTypes.size === 0) return;
    report(
      `${definition.pointer}/scripts`,
      'No script assigns a player type to people who join, so they have no attributes and no relationships.',
      'assignPlayerType for the player of `playerJoinsGame`',
      'nothing',
    );
  },
};
