/** The operand types that editors write (reference: conditions#conditions). Only some of them affect the comparison. */
export const operandTypes: ReadonlySet<string> = new Set([
  ...['boolean', 'number', 'string', 'and', 'or', 'undefined', 'null', 'any', 'object', 'array', 'color', 'time'],
  ...['unit', 'player', 'item', 'projectile', 'debris', 'sensor', 'entity', 'region', 'position', 'attribute'],
  ...['itemType', 'unitType', 'playerType', 'projectileType', 'attributeType', 'variableType', 'particleType'],
  ...['unitTypeBase', 'playerTypeBase', 'attributeTypeBase', 'itemTypeBase', 'projectileTypeBase', 'variableTypeBase'],
  ...['state', 'shop', 'dialogue', 'sound', 'music', 'animation', 'animationType', 'script', 'ability', 'particle'],
  ...['unitGroup', 'itemGroup', 'projectileGroup', 'playerGroup', 'entityGroup', 'unitTypeGroup', 'itemTypeGroup'],
]);
