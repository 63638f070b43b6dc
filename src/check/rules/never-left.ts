import type { Rule } from '../rule.ts';

export const neverLeft: Rule = {
  severity: 'info',
  about:
    'A variable switches between values, but once it has a certain value, nothing sets it to another value or ends the game.',
  because: 'The variable keeps this value forever, so no new round begins. Set it back to its initial value.',
  wrong: `{
  "variables": { "phase": { "dataType": "string", "default": "wait" } },
  "scripts": { "s": { "triggers": [{ "type": "secondTick" }], "actions": [
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "wait"], "then": [{ "type": "setVariable", "variableName": "phase", "value": "fight" }], "else": [] },
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "fight"], "then": [{ "type": "setVariable", "variableName": "phase", "value": "over" }], "else": [] },
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "over"], "then": [{ "type": "sendChatMessage", "message": "Over" }], "else": [] }
  ] } }
}`,
  right: `{
  "variables": { "phase": { "dataType": "string", "default": "wait" } },
  "scripts": { "s": { "triggers": [{ "type": "secondTick" }], "actions": [
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "wait"], "then": [{ "type": "setVariable", "variableName": "phase", "value": "fight" }], "else": [] },
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "fight"], "then": [{ "type": "setVariable", "variableName": "phase", "value": "over" }], "else": [] },
    { "type": "condition", "conditions": [{ "operandType": "string", "operator": "==" }, { "function": "getVariable", "variableName": "phase" }, "over"], "then": [{ "type": "setVariable", "variableName": "phase", "value": "wait" }], "else": [] }
  ] } }
}`,
  check({ definition, actions, model, report }) {
    if (actions.some(({ effects }) => effects.some(({ does }) => does === 'ends'))) return;
    for (const key of model.switches) {
      const { pointer, dataType } = definition.variables.get(key)!;
      const all = model.transitions(key);
      const values = new Set(all.flatMap(({ from, to }) => [...from, to]));
      const stuck = [...values].filter((value) => !all.some(({ from, to }) => to !== value && from.includes(value)));
      // A variable with two values is often a flag that is set once, so it is not reported.
      if (dataType === 'boolean' || values.size < 3 || stuck.length !== 1) continue;
      const found = JSON.stringify(stuck[0]);
      report(
        pointer,
        `Once "${key}" is ${found}, nothing sets it to another value.`,
        'an action that sets it to another value',
        found,
      );
    }
  },
};
