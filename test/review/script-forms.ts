/** Actions and conditions, each with the only text that means it. */
type Form = readonly [text: string, action: Record<string, unknown>];

const unit = { function: 'getTriggeringUnit' };
const player = { function: 'getOwner', entity: unit };
export const scriptForms: readonly Form[] = [
  ['set getTriggeringUnit().health = 5', { type: 'setEntityAttribute', entity: unit, attribute: 'health', value: 5 }],
  [
    'set getOwner(getTriggeringUnit()).score = null',
    { type: 'setPlayerAttribute', entity: player, attribute: 'score', value: null },
  ],
  [
    'set getTriggeringUnit()[kills] = "a"',
    {
      type: 'setEntityVariable',
      entity: unit,
      variable: { function: 'getEntityVariable', variable: { key: 'kills' } },
      value: 'a',
    },
  ],
  [
    'set `my score` += getOwner(getTriggeringUnit())[kills]',
    {
      type: 'increaseVariableByNumber',
      variable: 'my score',
      number: {
        function: 'getValueOfPlayerVariable',
        player,
        variable: { function: 'getPlayerVariable', variable: { key: 'kills' } },
      },
    },
  ],
  [
    'addPlayerToPlayerGroup player: getOwner(getTriggeringUnit()), playerGroup: "alive"',
    { type: 'addPlayerToPlayerGroup', player, playerGroup: 'alive' },
  ],
  ['if x == y as number', condition([{ operandType: 'number', operator: '==' }, variable('x'), variable('y')])],
  ['if x == y', condition([{ operator: '==' }, variable('x'), variable('y')])],
  [
    'if (x == 1 and getPlayerCount() != `true`)',
    condition([
      { operandType: 'and', operator: 'AND' },
      [{ operandType: 'number', operator: '==' }, variable('x'), 1],
      [{ operandType: 'number', operator: '!=' }, { function: 'getPlayerCount' }, variable('true')],
    ]),
  ],
  [
    'createUnitAtPosition position: {"x":1,"y":[2]}, angle: -1.5',
    { type: 'createUnitAtPosition', position: { x: 1, y: [2] }, angle: -1.5 },
  ],
];

function variable(variableName: string) {
  return { function: 'getVariable', variableName };
}

function condition(conditions: unknown) {
  return { type: 'condition', conditions, then: [], else: [] };
}
