import { cached } from '../../core/cached.ts';
import { type Issue, type IssueDetails, Issues } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-codes.ts';
import type { Dictionary } from '../../core/plain-object.ts';
import { joinPointer } from '../../core/pointer.ts';
import type { Definition } from '../../definition/definition.ts';
import type { Dialect } from '../../definition/dialect.ts';
import { noEntity } from '../../world/entity.ts';
import { triggersOf } from '../../world/triggers.ts';
import type { Action, Block, Call, Node, Operand, ScriptNode } from '../ast.ts';
import type { ActionRow, OpRow, ValueRow } from '../op.ts';
import type { LiteralType, ParamKind, ParamSite } from '../param-kind.ts';
import type { ScriptCode, ScriptCompiler } from '../program.ts';
import { References } from '../references.ts';
import { type Evaluate, type ObservedSteps, OperandFault, type Step } from '../running/context.ts';
import { deepFreeze } from '../running/value.ts';
import type { Compilation } from './compilation.ts';
import { compileCondition } from './condition.ts';
import { observed, observedValue, type SequenceNode, sequence } from './sequence.ts';
import { Slots } from './slots.ts';
import { constantOf, evaluateOf } from './source.ts';

export interface Vocabulary {
  readonly actions: ReadonlyMap<string, ActionRow>;
  readonly values: ReadonlyMap<string, ValueRow>;
}

/** Members of action and function nodes that do not affect evaluation (reference: conditions#operands). */
const noise = new Set(
  'type function vars comment runMode disabled isExpanded hasFixedCSP runOnClient actionId _returnType text dataType key id params order isEntityScript entityType entityKey optional name'.split(
    ' ',
  ),
);

function isRepeatWithDelay(element: Action | Operand) {
  return element.kind === 'action' && element.operation === 'repeatWithDelay';
}

/** Actions that set or read helper variables. */
const sharing = new Set(
  'addQuestToPlayer completeQuest createEntityAtPositionWithDimensions createEntityForPlayerAtPositionWithDimensions createProjectileAtPosition removeQuestForPlayer setQuestProgress'.split(
    ' ',
  ),
);

function sharesHelpers(element: Action | Operand) {
  return element.kind === 'action' && sharing.has(element.operation);
}

/** Makes each run of an action list use its own helper variables, which the actions of that run share. */
function withOwnHelpers(list: Step): Step {
  return (context) => {
    const outer = context.helpers;
    context.helpers = { questUnit: noEntity, sourceUnit: noEntity };
    try {
      return list(context);
    } finally {
      context.helpers = outer;
    }
  };
}

/** Wraps an operand so that its failure ends the whole action list, not only the action. */
function endingList<T>(operand: Evaluate<T>): Evaluate<T> {
  return (context) => {
    try {
      return operand(context);
    } catch (error) {
      if (error instanceof OperandFault) error.endsList = true;
      throw error;
    }
  };
}

const nullEntity: Step = endingList(() => {
  throw new OperandFault('null-operand', 'The operand `entity` is a literal null.');
});

/** Makes each run of an action list use its own rounds, which its `repeatWithDelay` actions share. */
function withOwnRounds(list: Step): Step {
  return (context) => {
    const outer = context.rounds;
    context.rounds = undefined;
    try {
      return list(context);
    } finally {
      context.rounds = outer;
    }
  };
}

/**
 * Compiles scripts into closures, one at a time: operations become functions, literals constants, and names slots.
 * Mistakes in a script are reported as issues with a pointer instead of faults at run time. The result does not depend
 * on which scripts were compiled before.
 */
export class Compiler implements Compilation, ScriptCompiler {
  readonly slots: Slots;
  readonly jobs: (Step | undefined)[] = [];
  private readonly references: References;
  /** Findings about the script that is being compiled. */
  private found = new Findings(new Issues());

  /** With `observedSteps`, the compiled steps notify the runtime's observer. */
  constructor(
    readonly definition: Definition,
    readonly dialect: Dialect,
    private readonly vocabulary: Vocabulary,
    readonly observedSteps: ObservedSteps | undefined = undefined,
  ) {
    this.references = new References(definition, dialect);
    this.slots = new Slots(definition);
  }

  compile(script: ScriptNode, issues: Issues): ScriptCode {
    const found = new Findings(issues);
    this.found = found;
    const { conditions } = script;
    const isGated = this.dialect.scriptConditions && !conditions.isEmpty && !conditions.isDefaultGuard;
    const condition = isGated ? evaluateOf(compileCondition(this, conditions)) : undefined;
    this.checkTriggers(script);
    const body = this.actions(script.actions);
    return { condition, body, unknown: found.unknown };
  }

  /** Issues of the script that was compiled last. */
  get issues(): readonly Issue[] {
    return this.found.issues.list;
  }

  private checkTriggers(script: ScriptNode) {
    const triggers = triggersOf(this.definition);
    script.source.triggers.forEach((type, i) => {
      if (triggers.index(type) >= 0) return;
      const details = this.near('unknown-trigger', type, triggers.types);
      const pointer = () => joinPointer(`${script.pointer}/triggers`, i);
      this.found.issues.add('unknown-trigger', pointer, `Unknown trigger "${type}".`, details);
    });
  }

  // The following methods implement `Compilation`, for operations and parameter kinds.

  issue(code: IssueCode, at: Node, message: string, details?: IssueDetails, below?: string | number): void {
    const pointer = () => (below === undefined ? at.pointer : joinPointer(at.pointer, below));
    this.found.issues.add(code, pointer, message, details);
  }

  near(code: IssueCode, word: string, known: Iterable<string>): IssueDetails {
    const suggestion = this.found.issues.near(code, word, known);
    return suggestion === undefined ? {} : { suggestion };
  }

  value(node: Operand): Evaluate<unknown> {
    switch (node.kind) {
      case 'literal': {
        const { json } = node;
        return constantOf(json);
      }
      case 'call':
        return this.observedSteps === 'everything' ? observedValue(node, this.call(node)) : this.call(node);
      case 'nothing':
        if (!node.isNull) return () => undefined;
        this.issue('missing-parameter', node, 'A required operand is null, so the operation does nothing.', {
          found: 'null',
        });
        return () => {
          throw new OperandFault('null-operand', 'A required operand is a literal null.');
        };
      default: {
        const { json } = node;
        deepFreeze(json);
        return () => json;
      }
    }
  }

  actions(block: Block): Step {
    let list = sequence(this.parts(block));
    if (this.hasOwnRounds(block)) list = withOwnRounds(list);
    if (this.hasOwnHelpers(block)) list = withOwnHelpers(list);
    return list;
  }

  private hasOwnRounds({ elements }: Block) {
    return !this.dialect.delayedRepeatsAreIndependent && elements.some(isRepeatWithDelay);
  }

  private hasOwnHelpers({ elements }: Block) {
    return !this.dialect.helperVariablesAreScoped && elements.some(sharesHelpers);
  }

  private parts(block: Block): SequenceNode[] {
    if (!block.isWellFormed)
      this.issue('malformed-action', block, 'An action list must be an array.', { found: typeof block.json });
    const parts: SequenceNode[] = [];
    for (const element of block.elements) {
      if (element.kind !== 'action') this.reportElement(element);
      else if (element.isOn) parts.push(this.part(element));
    }
    return parts;
  }

  private part(node: Action): SequenceNode {
    const { location } = node;
    if (this.observedSteps === 'actions' || this.observedSteps === 'everything')
      return { location, step: observed(this.action(node), location) };
    return this.fork(node) ?? { location, step: this.action(node) };
  }

  /**
   * Compiles a condition action into branches of the list that contains it; undefined if one of its lists needs its own
   * rounds or helper variables.
   */
  private fork(node: Action): SequenceNode | undefined {
    const row = this.vocabulary.actions.get(node.operation);
    if (row?.forks !== true || (node.json['entity'] === null && !this.dialect.failedEntityEndsActionOnly))
      return undefined;
    const [test, yes, no] = node.operands;
    if (test?.kind !== 'condition' || yes?.kind !== 'block' || no?.kind !== 'block') return undefined;
    if ([yes, no].some((block) => this.hasOwnRounds(block) || this.hasOwnHelpers(block))) return undefined;
    const fork = {
      location: node.location,
      test: compileCondition(this, test),
      yes: this.parts(yes),
      no: this.parts(no),
    };
    this.checkParameters(row, node);
    return fork;
  }

  defer({ job }: Block, step: Step): number {
    this.jobs[job] = step;
    return job;
  }

  // The following methods compile operations.

  private call(node: Call): Evaluate<unknown> {
    const row = this.vocabulary.values.get(node.operation);
    if (row === undefined) {
      const message = this.reportUnknown('unknown-function', 'function', node, this.vocabulary.values.keys());
      return (context) => {
        context.world.fault('unknown-operation', message);
        return undefined;
      };
    }
    return row.compile(this.operands(row, node, false), this, node);
  }

  private action(node: Action): Step {
    const step = this.known(node);
    // The reference evaluates `entity` before it selects the code for the action's type, outside the try block of the
    // action, so that a failing `entity` ends the action list.
    return node.json['entity'] === null && !this.dialect.failedEntityEndsActionOnly ? nullEntity : step;
  }

  private known(node: Action): Step {
    const row = this.vocabulary.actions.get(node.operation);
    if (row === undefined) {
      const message = this.reportUnknown('unknown-action', 'action', node, this.vocabulary.actions.keys());
      return (context) => {
        context.world.fault('unknown-operation', message);
        return 0;
      };
    }
    // A sequence treats undefined as "continue with the next action", so ordinary actions need no wrapper.
    return row.compile(this.operands(row, node, true), this, node) as Step;
  }

  /** Reports an element of an action list that is not an action. Null and absent elements are ignored. */
  private reportElement(element: Operand) {
    if (element.kind === 'nothing') return;
    const { json } = element;
    if (typeof json === 'object' && !Array.isArray(json)) {
      // A disabled action needs no type.
      const { disabled, runMode } = json as { disabled?: unknown; runMode?: unknown };
      if (disabled === true || disabled === 1 || runMode === 1) return;
      this.issue('malformed-action', element, 'An action must have a `type`.');
      return;
    }
    this.issue('malformed-action', element, 'An action must be an object with a `type`.', {
      found: Array.isArray(json) ? 'array' : typeof json,
    });
  }

  private reportUnknown(code: IssueCode, what: string, node: Action | Call, known: Iterable<string>) {
    const { operation } = node;
    const { unknown } = this.found;
    unknown.set(operation, (unknown.get(operation) ?? 0) + 1);
    const message = `Unknown ${what} "${operation}".`;
    const details = this.near(code, operation, known);
    // An unknown operation whose name resembles a known one is more likely misspelt than one of a host that is not
    // loaded.
    const hint =
      details.suggestion === undefined
        ? ' If your host program adds this operation, name the module that declares the operation as `host` in reenact.config.json.'
        : '';
    this.issue(code, node, message + hint, details);
    return message;
  }

  /**
   * Compiles the operands of an operation. Nested calls recurse through this method, so the method uses few stack
   * frames per level.
   */
  private operands(row: OpRow, node: Action | Call, faults: boolean): Dictionary<Evaluate<unknown>> {
    const operands: Record<string, Evaluate<unknown>> = {};
    const nodes = node.operands;
    const { operation } = node;
    let at = 0;
    for (const key in row.params) {
      const param = row.params[key]!;
      const operand = nodes[at++]!;
      const place: ParamSite = {
        operation,
        key,
        faults,
        optional: param.optional,
        faultIfMissing: param.faultsIfMissing,
      };
      this.checkOperand(param, node, operand, place);
      const evaluate = param.compile(this, operand, place);
      operands[key] = this.canEndList(node, operand) ? endingList(evaluate) : evaluate;
    }
    this.checkParameters(row, node);
    return operands;
  }

  /** Whether a failing operand ends the action list. Constants and functions without operands cannot fail. */
  private canEndList(of: Action | Call, operand: Operand) {
    if (of.kind !== 'action' || operand.key !== 'entity' || this.dialect.failedEntityEndsActionOnly) return false;
    return operand.kind === 'call' && operand.operands.length > 0;
  }

  private checkOperand(param: ParamKind<unknown>, of: Node, node: Operand, { operation, key }: ParamSite) {
    const { json } = node;
    if (json === undefined) {
      // A missing parameter is reported at its operation, because an absent operand has no source location of its own.
      const details = { expected: param.name, found: 'nothing' };
      if (!param.optional) this.issue('missing-parameter', of, `${operation} needs \`${key}\`.`, details);
      return;
    }
    const literal = literalType(node);
    if (literal !== undefined && param.literals?.includes(literal) === false) {
      this.issue('wrong-parameter', node, `${operation}: \`${key}\` cannot be a literal ${literal}.`, {
        expected: param.name,
        found: JSON.stringify(json).slice(0, 80),
      });
    }
    if (param.refersTo !== undefined) this.references.check(this, param.refersTo, node);
  }

  /** Reports members that the operation does not read. */
  private checkParameters(row: OpRow, node: Action | Call) {
    const read = keysRead(row);
    for (const key in node.json) {
      if (read.has(key)) continue;
      const { suggestion } = this.near('misspelt-parameter', key, read);
      const isMeant = suggestion !== undefined && !noise.has(suggestion) && !Object.hasOwn(node.json, suggestion);
      const code = isMeant ? 'misspelt-parameter' : 'unknown-parameter';
      const details = isMeant ? { suggestion } : undefined;
      this.issue(code, node, `${node.operation} has no parameter \`${key}\`.`, details, key);
    }
  }
}

class Findings {
  readonly unknown = new Map<string, number>();

  constructor(readonly issues: Issues) {}
}

const keysByRow = new WeakMap<OpRow, ReadonlySet<string>>();

/**
 * All keys that are allowed in a node of an operation. Cached per operation, because there are thousands of nodes and
 * few operations.
 */
function keysRead(row: OpRow): ReadonlySet<string> {
  return cached(keysByRow, row, ({ params }) => {
    const aliases = Object.values(params).flatMap((param) => param.aliases);
    return new Set([...noise, ...Object.keys(params), ...aliases]);
  });
}

/** The type of a constant node; undefined for calls and other nodes that are not constants. */
function literalType(node: Operand): LiteralType | undefined {
  switch (node.kind) {
    case 'literal':
      return typeof node.json as LiteralType;
    case 'data':
      return node.isList ? 'array' : 'object';
    case 'calculation':
      return 'array';
    default:
      return undefined;
  }
}
