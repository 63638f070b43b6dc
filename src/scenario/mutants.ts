import type { Definition } from '../../engine/index.ts';
import { constantOf } from './coverage.ts';
import { isRecord } from './is-record.ts';
import { actionText, conditionText, noise, operandText } from './script-text.ts';
import { blockKeys, liveActions, scriptsOf } from './script-walk.ts';

/** One change of the game's logic. */
export interface Mutant {
  readonly script: string;
  /** The action that must run for the change to matter: `scripts/reset/2/then/0`. */
  readonly location: string;
  readonly kind: 'condition' | 'constant' | 'action';
  readonly text: string;
  /** Keys from the document's root to what is replaced, and by what. */
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
/** Operations whose effect is outside of the simulated world and that few scenarios expect: a picture more or less is no change of logic. */
const cosmetic =
  /^(?:comment|playSound|playEntitySound|stopSound|playMusic|stopMusic|playEntityAnimation|emitParticle|startEmittingParticles|stopEmittingParticles|camera|positionCamera|playerCamera|changePlayerCamera|set\w*Opacity|setFadingTextOfUnit|setFloatingText|createFloatingText)/;

/** Every single change of a definition's scripts: a condition turned round, a constant moved, an action left out. */
export function mutantsOf(definition: Definition): Mutant[] {
  const mutants: Mutant[] = [];
  for (const script of scriptsOf(definition)) {
    const root = script.pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const walk = (list: unknown, path: readonly (string | number)[]): void => {
      for (const { index, node } of liveActions(list)) {
        const own = [...path, index];
        const place = [...root, 'actions', ...own];
        const location = `${script.place}/${own.join('/')}`;
        const add = (kind: Mutant['kind'], at: readonly (string | number)[], value: unknown, text: string): void => {
          mutants.push({ script: script.name, location, kind, text, path: [...place, ...at], value });
        };
        if (!cosmetic.test(node.type) && node.type !== 'condition') {
          add('action', ['disabled'], true, `without "${actionText(node)}"`);
        }
        for (const [key, value] of Object.entries(node)) {
          if ((blockKeys as readonly string[]).includes(key) || noise.has(key)) continue;
          if (key === 'conditions') mutateCondition(value, [key], add);
          else if (!cosmetic.test(node.type))
            mutateOperand(value, [key], (at, changed, text) =>
              add('constant', at, changed, `${actionText(node)}: ${text}`),
            );
        }
        for (const key of blockKeys) walk(node[key], [...own, key]);
      }
    };
    const [first] = liveActions(script.actions);
    if (first !== undefined) {
      mutateCondition(script.conditions, [], (kind, at, value, text) => {
        const location = `${script.place}/${first.index}`;
        mutants.push({ script: script.name, location, kind, text, path: [...root, 'conditions', ...at], value });
      });
    }
    walk(script.actions, []);
  }
  return mutants;
}

type Add = (kind: Mutant['kind'], at: readonly (string | number)[], value: unknown, text: string) => void;

function mutateCondition(node: unknown, at: readonly (string | number)[], add: Add): void {
  if (!Array.isArray(node) || constantOf(node) !== undefined) return;
  const [head, left, right] = node as unknown[];
  const operator = isRecord(head) ? String(head['operator']) : '';
  const opposite = opposites[operator];
  if (opposite === undefined) return;
  const whole = conditionText(node);
  add(
    'condition',
    [...at, 0, 'operator'],
    opposite,
    `if ${conditionText([{ operator: opposite }, left, right])} instead of ${whole}`,
  );
  if (operator === 'AND' || operator === 'OR') {
    mutateCondition(left, [...at, 1], add);
    mutateCondition(right, [...at, 2], add);
    return;
  }
  const note = (path: readonly (string | number)[], value: unknown, text: string): void =>
    add('constant', path, value, `if ${whole}: ${text}`);
  mutateOperand(left, [...at, 1], note);
  mutateOperand(right, [...at, 2], note);
}

type AddConstant = (at: readonly (string | number)[], value: unknown, text: string) => void;

/** Numbers, truth values and calculations; texts and names are left alone, because another name is another program and no near miss. */
function mutateOperand(node: unknown, at: readonly (string | number)[], add: AddConstant): void {
  if (typeof node === 'number') add(at, moved(node), `${moved(node)} instead of ${node}`);
  if (typeof node === 'boolean') add(at, !node, `${!node} instead of ${node}`);
  if (!isRecord(node) || typeof node['function'] !== 'string') return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'items' && Array.isArray(value)) {
      const [head, left, right] = value as unknown[];
      const sign = isRecord(head) ? calculations[String(head['operator'])] : undefined;
      if (sign !== undefined) {
        const changed = operandText({ function: 'calculate', items: [{ operator: sign }, left, right] });
        add([...at, key, 0, 'operator'], sign, `${changed} instead of ${operandText(node)}`);
      }
      mutateOperand(left, [...at, key, 1], add);
      mutateOperand(right, [...at, key, 2], add);
    } else if (!noise.has(key)) mutateOperand(value, [...at, key], add);
  }
}

/** By one; what is large by half of it, because nobody has to notice a millisecond or a pixel. */
function moved(value: number): number {
  return Math.abs(value) < 10 ? value + 1 : Math.round(value * 1.5);
}

/** The document with one change; everything else is shared. */
export function mutated(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = mutated(copy[key], rest, value);
  return copy;
}
