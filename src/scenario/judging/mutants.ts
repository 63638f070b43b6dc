import type { Action, Condition, Definition, Node, Operand } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { actionText, conditionText, constantOf, operandText, textWith } from '../../run/index.ts';

/** One change to the logic of a game. */
export interface Mutant {
  readonly script: string;
  /** The action that must run for the change to have an effect, such as `scripts/reset/2/then/0`. */
  readonly location: string;
  readonly kind: 'condition' | 'constant' | 'action';
  readonly text: string;
  /** The keys from the root of the document to the replaced value, and its replacement. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

const opposites: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  AND: 'OR',
  OR: 'AND',
};
const calculations: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };
/**
 * Operations whose effect is outside the simulated world, which few scenarios expect. Changing them does not change
 * logic.
 */
const cosmetic =
  /^(?:comment|playSound|playEntitySound|stopSound|playMusic|stopMusic|playEntityAnimation|emitParticle|startEmittingParticles|stopEmittingParticles|camera|positionCamera|playerCamera|changePlayerCamera|set\w*Opacity|setFadingTextOfUnit|setFloatingText|createFloatingText)/;

/** All mutants of a definition: conditions negated, constants changed, actions removed. */
export function mutantsOf(definition: Definition): Mutant[] {
  const mutants: Mutant[] = [];
  for (const script of scriptsOf(definition).scripts) {
    const addTo =
      (action: Action): Add =>
      (kind, { keys }, below, value, text) => {
        const location = `${script.place}/${action.path}`;
        mutants.push({ script: script.name, location, kind, text, path: [...keys, ...below], value });
      };
    const [first] = script.actions.actions;
    if (first !== undefined) mutateCondition(script.conditions, addTo(first));
    const waiting = [...script.actions.actions].reverse();
    for (let action = waiting.pop(); action !== undefined; action = waiting.pop()) {
      mutateAction(action, addTo(action));
      waiting.push(...action.blocks.flatMap(({ actions }) => actions).reverse());
    }
  }
  return mutants;
}

/** Adds a mutant. `below`: the keys from the node to the replaced value. */
type Add = (
  kind: Mutant['kind'],
  node: Node,
  below: readonly (string | number)[],
  value: unknown,
  text: string,
) => void;

function mutateAction(action: Action, add: Add) {
  const isCosmetic = cosmetic.test(action.type);
  if (!isCosmetic && action.type !== 'condition') {
    add('action', action, ['disabled'], true, `without "${actionText(action)}"`);
  }
  for (const operand of action.given) {
    if (operand.kind === 'condition') mutateCondition(operand, add);
    else if (!isCosmetic)
      mutateOperand(operand, (node, below, value, text) =>
        add('constant', node, below, value, `${actionText(action)}: ${text}`),
      );
  }
}

function mutateCondition(condition: Condition, add: Add) {
  if (!condition.isList || constantOf(condition) !== undefined) return;
  const { operator = '' } = condition;
  const opposite = opposites[operator];
  if (opposite === undefined) return;
  const whole = conditionText(condition);
  add('condition', condition, [0, 'operator'], opposite, `if ${textWith(condition, opposite)} instead of ${whole}`);
  if (condition.isJunction) {
    for (const side of condition.conditions) mutateCondition(side, add);
    return;
  }
  for (const side of condition.sides) {
    mutateOperand(side, (node, below, value, text) => add('constant', node, below, value, `if ${whole}: ${text}`));
  }
}

type AddConstant = (node: Node, below: readonly (string | number)[], value: unknown, text: string) => void;

/**
 * Mutates numbers, booleans and calculations, but not strings: a different name makes a different program, not a small
 * mistake.
 */
function mutateOperand(operand: Operand, add: AddConstant) {
  switch (operand.kind) {
    case 'literal': {
      const { json } = operand;
      if (typeof json === 'string') return;
      const changed = typeof json === 'number' ? moved(json) : !json;
      add(operand, [], changed, `${changed} instead of ${json}`);
      return;
    }
    case 'call':
      for (const inside of operand.given) mutateOperand(inside, add);
      return;
    case 'calculation': {
      const sign = calculations[String(operand.operator)];
      // The first element of a calculation is an object with `operator`, or the operator itself.
      const below = typeof operand.json[0] === 'string' ? [0] : [0, 'operator'];
      if (sign !== undefined)
        add(operand, below, sign, `${textWith(operand, sign)} instead of ${operandText(operand)}`);
      for (const side of operand.sides) mutateOperand(side, add);
    }
  }
}

/**
 * Adds one to small numbers, and half of its value to a large one: scenarios need not detect a change of a single
 * millisecond or pixel.
 */
function moved(value: number) {
  return Math.abs(value) < 10 ? value + 1 : Math.round(value * 1.5);
}
