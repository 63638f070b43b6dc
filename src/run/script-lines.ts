import type { Action, Block, Condition, Operand, ScriptNode } from '../../engine/index.ts';
import { actionText, conditionText } from './script-text.ts';

export interface ScriptLine {
  readonly depth: number;
  readonly text: string;
  readonly node: Condition | Action | Operand;
}

interface LineOptions {
  /** Whether to include what never runs (disabled actions and comments), and long actions in full. */
  readonly isComplete?: boolean;
  /** Whether a nested list has a line of its own, such as `then`. If not, its actions follow directly. */
  readonly hasLine?: (block: Block) => boolean;
}

/**
 * A script as readable lines: its condition, its actions, and a line for each nested list (`then`, `else`, `do`). This
 * is the only form in which scripts are shown. Not recursive, because documents can nest arbitrarily deep.
 */
export function scriptLines(script: ScriptNode, options: LineOptions = {}): ScriptLine[] {
  const { isComplete = false, hasLine = (block) => block.elements.length > 0 } = options;
  const lines: ScriptLine[] = [];
  const { conditions } = script;
  if (constantOf(conditions) !== true) {
    lines.push({ depth: 0, text: `only if ${conditionText(conditions)}`, node: conditions });
  }
  const waiting: { readonly node: Action | Operand; readonly depth: number }[] = [{ node: script.actions, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    let { depth } = next;
    let inside: readonly (Action | Operand)[] = [];
    if (node.kind === 'action') {
      lines.push({
        depth: depth++,
        text: isComplete ? completeText(node) : actionText(node),
        node,
      });
      inside = node.blocks.filter(({ json }) => json !== undefined || node.type === 'condition');
    } else if (node.kind === 'block') {
      inside = isComplete ? node.elements : node.actions;
      const text = node.key === 'actions' ? 'do' : String(node.key);
      if (node !== script.actions && hasLine(node)) lines.push({ depth: depth++, text, node });
    } else lines.push({ depth, text: `not an action: ${JSON.stringify(node.json)}`, node });
    for (let i = inside.length - 1; i >= 0; i--) waiting.push({ node: inside[i]!, depth });
  }
  return lines;
}

/** The value of a condition that is empty or compares two literals by `==` or `!=`; undefined for any other. */
export function constantOf(condition: Condition): boolean | undefined {
  if (condition.isEmpty) return true;
  if (!condition.isList || condition.isJunction) return undefined;
  const [left, right] = condition.sides;
  if (left.kind !== 'literal' || right.kind !== 'literal') return undefined;
  if (condition.operator === '==') return left.json === right.json;
  return condition.operator === '!=' ? left.json !== right.json : undefined;
}

function completeText(action: Action) {
  const { type, json, isOn } = action;
  const { comment } = json;
  const said = typeof comment === 'string' && comment !== '' ? `# ${comment.replaceAll(/\s+/g, ' ')}` : '';
  if (type === 'comment') return said || '#';
  const off = isOn ? '' : 'off: ';
  return `${off}${actionText(action, Infinity)}${said === '' ? '' : `  ${said}`}`;
}
