import { dataTypes } from '../../engine/tools.ts';

/** The operand types that editors write (reference: conditions#conditions). Only some of them affect the comparison. */
export const operandTypes: ReadonlySet<string> = new Set([
  ...dataTypes,
  ...'and or undefined null unitTypeBase playerTypeBase attributeTypeBase itemTypeBase projectileTypeBase variableTypeBase'.split(
    ' ',
  ),
]);
