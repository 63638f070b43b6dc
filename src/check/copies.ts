import type { Issues } from '../../engine/core/issue.ts';
import type { Action, Condition, Node, Operand, ScriptNode } from '../../engine/index.ts';
import { nameIn, readOf } from '../../engine/internal.ts';
import { nodesThatRun, type WalkedScript } from './walk.ts';

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
    branches(node);
    for (const effect of node.effects) {
      if (effect.does !== 'changes' || effect.key === undefined || effect.to === undefined || effect.by) continue;
      const value = node.operand(effect.to);
      const read = readOf(value, effect.aspect);
      if (value.kind !== 'call' || read?.key === undefined) continue;
      const isSameOwner =
        effect.of === undefined || read.of === undefined
          ? effect.of === read.of
          : areSame(node.operand(effect.of), value.operand(read.of));
      const name = nameIn(node.operand(effect.key));
      if (!isSameOwner || !areSame(node.operand(effect.key), value.operand(read.key))) continue;
      const message = `${name === undefined ? 'The value' : `"${name}"`} is set to the value that it already has.`;
      issues.add('self-assignment', () => node.pointer, message);
    }
  }

  function branches(node: Action): void {
    const [then, otherwise, more] = node.blocks;
    if (then === undefined || otherwise === undefined || more !== undefined || then.isDeferred) return;
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
  for (const node of nodesThatRun(root)) if (node.kind === 'call' && readOf(node, 'chance') !== undefined) return true;
  return false;
}
