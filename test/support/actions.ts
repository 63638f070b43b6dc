/** Actions and conditions as they stand in definitions, for those that tests write most. */

type Json = Record<string, unknown>;

export const setVariable = (variableName: string, value: unknown): Json => ({
  type: 'setVariable',
  variableName,
  value,
});

/** Appends a text to a text variable. */
export function append(variableName: string, text: unknown): Json {
  const textA = { function: 'getVariable', variableName };
  return setVariable(variableName, { function: 'concat', textA, textB: text });
}

/** Runs actions after a number of simulated ms. */
export const delayed = (duration: number, ...actions: readonly unknown[]): Json => ({
  type: 'setTimeOut',
  duration,
  actions,
});

export const when = (conditions: unknown, then: readonly unknown[], otherwise: readonly unknown[] = []): Json => ({
  type: 'condition',
  conditions,
  then,
  else: otherwise,
});

export const createUnitAt = (unitType: unknown, owner: unknown, position: unknown, angle: unknown = 0): Json => ({
  type: 'createUnitAtPosition',
  unitType,
  entity: owner,
  position,
  angle,
});
