import type { IssueDetails, Issues } from '../../engine/core/issue.ts';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { type Action, type Block, type Call, literalText, type Node, type Operand } from '../../engine/index.ts';
import { creationsBy, isSeconds, toNumber } from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/** Whether an action ends the list that contains it. */
export function leaves(action: Action): boolean {
  return action.effects.some(({ does }) => does === 'leaves');
}

/** Triggers that fire again and again. */
const periodic: ReadonlySet<string> = new Set(['secondTick', 'frameTick']);

/** Angles above this are taken for degrees: more than one turn in radians, and what nobody writes as a literal. */
const radiansMax = 7;

/**
 * Reports actions that never run or run without end: after `return`, in loops over an empty range, `break` without a loop, timers that a repeated script
 * adds each time; and literal numbers in another unit than the operation's.
 */
export function checkFlow(scripts: readonly WalkedScript[], issues: Issues): void {
  for (const walkedScript of scripts) new FlowCheck(walkedScript, issues).check();
}

class FlowCheck {
  private readonly walked: WalkedScript;
  private readonly issues: Issues;

  constructor(walkedScript: WalkedScript, issues: Issues) {
    this.walked = walkedScript;
    this.issues = issues;
  }

  check(): void {
    for (const node of this.walked.nodes) {
      if (node.kind === 'block') this.block(node);
      else if (node.kind === 'action') this.action(node);
      else if (node.kind === 'call') this.call(node);
    }
  }

  private add(code: IssueCode, at: Node, message: string, details?: IssueDetails): void {
    this.issues.add(code, () => at.pointer, message, details);
  }

  private block({ actions }: Block): void {
    const last = actions.findIndex(leaves);
    const next = last < 0 ? undefined : actions[last + 1];
    if (next === undefined) return;
    const rest = actions.length - last - 1;
    const what = rest === 1 ? 'This action never runs' : `These ${rest} actions never run`;
    const message = `${what}: \`${actions[last]!.operation}\` before it ends the list.`;
    this.add('unreachable-action', next, message, { found: next.operation, ...(rest === 1 ? {} : { count: rest }) });
  }

  private action(node: Action): void {
    for (const effect of node.effects) {
      if (effect.does === 'leaves' && effect.what !== 'script' && !isInLoop(node)) {
        const message = `\`${node.operation}\` is not in a loop: it ends the script, as \`return\` does.`;
        this.add('break-outside-loop', node, message, { expected: 'inside a loop', suggestion: 'return' });
      } else if (effect.does === 'runs' && effect.count !== undefined) this.repeat(node.operand(effect.count));
      else if (effect.does === 'starts' && effect.of === undefined) this.chain(node, node.operand(effect.script));
      else if (effect.does === 'changes' && effect.to !== undefined && effect.upTo !== undefined)
        this.range(node, node.operand(effect.to), node.operand(effect.upTo));
    }
    if (creationsBy(node).some(({ kind }) => kind === 'unit' || kind === 'item')) this.creation(node);
    this.units(node);
  }

  private call(node: Call): void {
    this.units(node);
    if (!node.calls('getRandomNumberBetween')) return;
    const [min, max] = [numberOf(node.operand('min')), numberOf(node.operand('max'))];
    if (min === undefined || max === undefined || min <= max) return;
    const message = `The minimum, ${min}, is greater than the maximum, ${max}.`;
    this.add('crossed-range', node, message, { expected: 'min <= max', found: `${min} to ${max}` });
  }

  private repeat(operand: Operand): void {
    const count = numberOf(operand);
    if (count === undefined || count > 0) return;
    this.add('empty-loop', operand, `The actions run ${count} times: never.`, {
      expected: '1 or more',
      found: String(count),
    });
  }

  private range(node: Action, from: Operand, to: Operand): void {
    const [start, stop] = [numberOf(from), numberOf(to)];
    if (start === undefined || stop === undefined || start <= stop) return;
    const message = `\`for\` counts up, and ${start} is already above ${stop}: the actions never run.`;
    this.add('empty-loop', node, message, { expected: 'start <= stop', found: `${start} to ${stop}` });
  }

  /** Reports a script that runs each second and also starts itself again later, so that each run adds another chain of runs. */
  private chain(node: Action, scriptName: Operand): void {
    const { source, name } = this.walked.script;
    if (literalText(scriptName) !== source.key) return;
    const trigger = source.triggers.find((type) => periodic.has(type));
    if (trigger === undefined || !isDeferred(node)) return;
    const message = `"${name}" runs on every \`${trigger}\` and also starts itself again after a delay: each time, one more chain of runs is added.`;
    this.add('piling-up', node, message, { expected: 'either the trigger or the delay', found: 'both' });
  }

  /** Reports a unit or item that every tick of the game creates, without any condition. */
  private creation(node: Action): void {
    const { script } = this.walked;
    if (!script.source.triggers.includes('frameTick') || script.owner.kind !== 'game') return;
    if (node.parent !== script.actions || !(script.conditions.isEmpty || script.conditions.isDefaultGuard)) return;
    if (script.actions.actions.some((each) => leaves(each) || each.effects.some(({ does }) => does === 'destroys')))
      return;
    const message = `"${script.name}" runs on every \`frameTick\` and creates one more each time, without a condition.`;
    this.add('piling-up', node, message, { expected: 'a condition, or another trigger' });
  }

  private units(node: Action | Call): void {
    if (node.rule === undefined) return;
    for (const [key, { unit }] of Object.entries(node.rule.params)) {
      if (unit !== 'ms' && unit !== 'radians') continue;
      const operand = node.operand(key);
      const number = numberOf(operand);
      if (number === undefined) continue;
      if (unit === 'ms' && isSeconds(number))
        this.add('wrong-unit', operand, `\`${key}\` is in milliseconds: ${number} ms ends at once.`, {
          expected: 'milliseconds',
          found: String(number),
          suggestion: String(number * 1000),
        });
      else if (unit === 'radians' && Math.abs(number) >= radiansMax)
        this.add('wrong-unit', operand, `\`${key}\` is in radians: ${number} is more than a turn.`, {
          expected: '`toRadians` of degrees',
          found: String(number),
          suggestion: String(Number(((number * Math.PI) / 180).toFixed(3))),
        });
    }
  }
}

function numberOf(operand: Operand): number | undefined {
  return operand.kind === 'literal' ? toNumber(operand.json) : undefined;
}

function isInLoop(node: Action): boolean {
  for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined) {
    const action = at.kind === 'block' ? (at.parent as Node | undefined) : undefined;
    if (action?.kind !== 'action') continue;
    for (const effect of action.effects) {
      // Delayed actions run when the loop around them is long over.
      if (effect.does === 'runs' && effect.when !== 'now' && action.operand(effect.block) === at)
        return effect.when === 'again' || effect.when === 'repeatedly';
    }
  }
  return false;
}

function isDeferred(node: Action): boolean {
  for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined)
    if (at.kind === 'block' && at.isDeferred) return true;
  return false;
}

/** The actions that contain a node, innermost first. */
export function* actionsAbove(node: Node): Generator<Action> {
  for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined)
    if (at.kind === 'action') yield at;
}
