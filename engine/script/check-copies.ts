import type { Issues } from '../core/issue.ts';
import { type Action, type Condition, literalText, type Node, type Operand, type ScriptNode } from './ast.ts';
import { nodesThatRun, type WalkedScript } from './walk.ts';

/** Functions whose value differs from call to call. */
const random = /random/i;

/** Actions that set a value, and the function that reads the same value from the same operands. */
const readerOf: ReadonlyMap<string, readonly [reader: string, operands: readonly string[]]> = new Map([
  ['setVariable', ['getVariable', ['variableName']]],
  ['setEntityAttribute', ['getEntityAttribute', ['entity', 'attribute']]],
  ['setPlayerAttribute', ['getPlayerAttribute', ['entity', 'attribute']]],
]);

/**
 * Reports likely copy-and-paste mistakes: equal scripts, equal branches, a value compared with or assigned to itself.
 */
export function checkCopies(scripts: readonly WalkedScript[], issues: Issues): void {
  const seen = new Map<string, ScriptNode[]>();
  for (const { script, nodes } of scripts) {
    twin(script);
    for (const node of nodes) {
      if (node.kind === 'condition') comparison(node);
      else if (node.kind === 'action') action(node);
    }
  }

  /** Reports a script that does the same as an earlier one of the same owner, for the same trigger. */
  function twin(script: ScriptNode): void {
    const { owner, source } = script;
    if (source.triggers.length === 0 || script.actions.actions.length === 0) return;
    const start = `${owner.kind} ${owner.type} ${[...source.triggers].sort().join()}`;
    const others = seen.get(start) ?? [];
    seen.set(start, others);
    const first = others.find(
      (other) => areSame(other.conditions, script.conditions) && areSame(other.actions, script.actions),
    );
    if (first === undefined) {
      others.push(script);
      return;
    }
    const message = `The script "${source.key}" does the same as "${first.source.key}", for the same trigger: everything happens twice.`;
    issues.add('same-script', () => script.pointer, message, { found: first.source.key });
  }

  function comparison(node: Condition): void {
    if (node.isJunction || !node.isList || node.sideCount !== 2) return;
    const [left, right] = node.sides;
    if (left.kind !== 'call' || right.kind !== 'call' || !areSame(left, right) || isRandom(left)) return;
    const message = 'Both sides are the same, so this condition always has the same result.';
    issues.add('constant-condition', () => node.pointer, message, { found: left.operation });
  }

  function action(node: Action): void {
    if (node.operation === 'condition') branches(node);
    const reader = readerOf.get(node.operation);
    if (reader === undefined) return;
    const value = node.operand('value');
    const [name, operands] = reader;
    if (value.kind !== 'call' || !value.calls(name)) return;
    if (!operands.every((key) => areSame(node.operand(key), value.operand(key)))) return;
    const what = literalText(node.operand(operands.at(-1)!));
    const message = `${what === undefined ? 'The value' : `"${what}"`} is set to the value that it already has.`;
    issues.add('self-assignment', () => node.pointer, message);
  }

  function branches(node: Action): void {
    const [then, otherwise] = [node.block('then'), node.block('else')];
    if (then.actions.length === 0 || !areSame(then, otherwise)) return;
    const message = '`then` and `else` are the same, so the condition makes no difference.';
    issues.add('same-branches', () => node.pointer, message);
  }
}

function areSame(a: Operand, b: Operand): boolean {
  return isSameJson(a.json, b.json);
}

/** Whether two values are written alike, members in the same order. Large games have many long branches, and most differ early. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && isSameJson(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}

function isRandom(root: Node): boolean {
  for (const node of nodesThatRun(root)) if (node.kind === 'call' && random.test(node.operation)) return true;
  return false;
}
