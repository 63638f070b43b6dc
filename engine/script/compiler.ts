import type { IssueDetails } from '../core/issue.ts';
import { Issues } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import { joinPointer } from '../core/pointer.ts';
import { suggest } from '../core/suggest.ts';
import type { Definition } from '../definition/definition.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { Script } from '../definition/script.ts';
import type { Dialect } from '../world/dialect.ts';
import { triggerAliases, triggerIndex, triggerTypes } from '../world/triggers.ts';
import { compileCondition, isDefaultGuard, isEmptyCondition } from './condition.ts';
import { type Evaluate, type Execute, OperandFault, type Step } from './context.ts';
import type { ActionRow, FormRow, OpRow, ValueRow } from './op.ts';
import type { LiteralType, ParamKind, ParamPlace } from './param-kind.ts';
import type { CompiledScript, Program, ScriptSet, ScriptUses, SourceLocation } from './program.ts';
import { References } from './references.ts';
import { queuedTriggers } from './runtime.ts';
import { sequence, watched } from './sequence.ts';
import { isRecord } from './values.ts';

export interface Vocabulary {
  readonly actions: ReadonlyMap<string, ActionRow | FormRow>;
  readonly values: ReadonlyMap<string, ValueRow>;
}

/** Members of action and function nodes that mean nothing to evaluation (reference: conditions#operands, in-the-wild#members-without-meaning). */
const noise = new Set([
  'type',
  'function',
  'vars',
  'comment',
  'runMode',
  'disabled',
  'isExpanded',
  'hasFixedCSP',
  'runOnClient',
  'actionId',
  '_returnType',
  'text',
  'dataType',
  'key',
  'id',
  'params',
  'order',
  'isEntityScript',
  'entityType',
  'entityKey',
  'optional',
  'name',
]);

/**
 * Turns the scripts of a definition into closures, once. Everything that can be known at load is: operations become functions, literals
 * constants, names slots; and what is wrong with a script is an issue with a pointer instead of a surprise at run time.
 */
export class Compiler {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly issues = new Issues();
  readonly references: References;
  private readonly vocabulary: Vocabulary;
  private readonly isWatched: boolean;
  private readonly locations: SourceLocation[] = [];
  private readonly jobs: Step[] = [];
  private readonly unknown = new Map<string, number>();
  private readonly scripts: CompiledScript[] = [];
  private readonly uses = new Map<CompiledScript, ScriptUses>();
  /** Keys from the script's own node down to the node being compiled. */
  private path: (string | number)[] = [];
  private owner: { place: string; pointer: string } = { place: '', pointer: '' };
  /** The node of the operation whose row compiles now. */
  private current: Readonly<Record<string, unknown>> = {};
  private ownUses: ScriptUses = { payloadKeys: [], calls: [] };

  /** `isWatched`: every action tells the runtime's watcher. */
  constructor(definition: Definition, dialect: Dialect, vocabulary: Vocabulary, isWatched = false) {
    this.isWatched = isWatched;
    this.definition = definition;
    this.dialect = dialect;
    this.vocabulary = vocabulary;
    this.references = new References(definition, dialect);
  }

  compile(): Program {
    const { definition } = this;
    const heard = new Uint8Array(triggerTypes.length);
    const global = this.scriptSet(definition.scripts.values(), 'scripts', heard);
    const ofTypes = (types: ReadonlyMap<string, { readonly scripts: ReadonlyMap<string, Script> }>, section: string) =>
      [...types].map(([key, type]) => this.scriptSet(type.scripts.values(), `${section}/${key}/scripts`, heard));
    const { projectileTypes } = definition;
    const projectiles = projectileTypesOf(definition);
    return {
      dialect: this.dialect,
      scripts: this.scripts,
      global,
      unit: ofTypes(definition.unitTypes, 'unitTypes'),
      item: ofTypes(definition.itemTypes, 'itemTypes'),
      projectile: [
        ...ofTypes(projectileTypes, 'projectileTypes'),
        // Those within item types; their keys say in which.
        ...ofTypes(new Map([...projectiles].slice(projectileTypes.size)), 'itemTypes'),
      ],
      locations: this.locations,
      jobs: this.jobs,
      heard,
      issues: this.issues.list,
      unknown: this.unknown,
      uses: this.uses,
    };
  }

  // Scripts.

  private scriptSet(scripts: Iterable<Script>, place: string, heard: Uint8Array): ScriptSet {
    const byKey = new Map<string, CompiledScript>();
    const byTrigger: CompiledScript[][] = [];
    let hearsQueued = false;
    for (const script of scripts) {
      const compiled = this.script(script, `${place}/${script.key}`);
      byKey.set(script.key, compiled);
      for (const trigger of compiled.triggers) {
        heard[trigger] = 1;
        hearsQueued ||= queuedTriggers.has(trigger);
        const list = byTrigger[trigger];
        if (list) list.push(compiled);
        else byTrigger[trigger] = [compiled];
      }
    }
    return { byKey, byTrigger, hearsQueued };
  }

  private script(script: Script, place: string): CompiledScript {
    this.owner = { place, pointer: script.pointer };
    this.ownUses = { payloadKeys: [], calls: [] };
    this.path = [];
    const gate =
      this.dialect.scriptConditions && !isEmptyCondition(script.conditions) && !isDefaultGuard(script.conditions)
        ? this.at('conditions', () => compileCondition(this, script.conditions))
        : undefined;
    const compiled: CompiledScript = {
      index: this.scripts.length,
      key: script.key,
      name: script.name === '' ? script.key : script.name,
      pointer: script.pointer,
      place,
      triggers: this.triggersOf(script),
      condition: gate,
      body: this.at('actions', () => this.actions(script.actions)),
    };
    this.scripts.push(compiled);
    this.uses.set(compiled, this.ownUses);
    return compiled;
  }

  private triggersOf(script: Script): number[] {
    const numbers: number[] = [];
    script.triggers.forEach((type, i) => {
      const index = triggerIndex(type);
      if (index < 0) {
        this.at('triggers', () =>
          this.at(i, () => {
            const suggestion = suggest(type, triggerTypes);
            this.issue(
              'unknown-trigger',
              `No trigger is called "${type}".`,
              suggestion === undefined ? {} : { suggestion },
            );
          }),
        );
        return;
      }
      // A script that lists a trigger under its older name as well hears it once; listed twice under one name it runs twice.
      const alias = triggerAliases[type];
      if (alias !== undefined && script.triggers.includes(alias)) return;
      numbers.push(index);
    });
    return numbers;
  }

  // Nodes.

  /** Compiles with `key` added to the path that issues are reported at. */
  at<T>(key: string | number, compile: () => T): T {
    this.path.push(key);
    try {
      return compile();
    } finally {
      this.path.pop();
    }
  }

  within<T>(keys: readonly (string | number)[], compile: () => T): T {
    const depth = this.path.length;
    for (const key of keys) this.path.push(key);
    try {
      return compile();
    } finally {
      this.path.length = depth;
    }
  }

  issue(code: IssueCode, message: string, details?: IssueDetails): void {
    this.issues.add(code, this.pointer(), message, details);
  }

  pointer(): string {
    let pointer = this.owner.pointer;
    for (const key of this.path) pointer = joinPointer(pointer, key);
    return pointer;
  }

  /** A constant in the document: it evaluates to itself. */
  isLiteral(node: unknown): boolean {
    return typeof node === 'number' || typeof node === 'string' || typeof node === 'boolean';
  }

  condition(node: unknown): Evaluate<boolean> {
    return compileCondition(this, node);
  }

  /** Whether an operand of the operation being compiled is a call of `name`, for the rare row that treats one specially. */
  operandCalls(key: string, name: string): boolean {
    const operand = this.current[key];
    return isRecord(operand) && operand['function'] === name;
  }

  /** The JSON of an operand of the operation being compiled, for rows that can do better with a literal. */
  operandNode(key: string): unknown {
    return this.current[key];
  }

  /** Makes an action list that a timer can come back to; returns its number. */
  job(step: Step): number {
    return this.jobs.push(step) - 1;
  }

  /** Notes that the script being compiled runs another by name, `onEntity` on one that is only known when it runs. */
  noteCall(key: string, onEntity: boolean): void {
    this.ownUses.calls.push({ key, onEntity, pointer: this.at('scriptName', () => this.pointer()) });
  }

  notePayloadUse(use: ScriptUses['payloadKeys'][number]['key'], operation: string): void {
    this.ownUses.payloadKeys.push({ key: use, pointer: this.pointer(), operation });
  }

  /** An operand (reference: conditions#operands). */
  value(node: unknown): Evaluate<unknown> {
    switch (typeof node) {
      case 'number':
      case 'string':
      case 'boolean':
        return () => node;
      case 'object':
        if (node === null) {
          this.issue('missing-parameter', 'A null stands where a value is needed; what needs it does nothing.', {
            found: 'null',
          });
          return () => {
            throw new OperandFault('null-operand', 'A literal null stands where a value is needed.');
          };
        }
        if (!Array.isArray(node) && typeof (node as { function?: unknown }).function === 'string') {
          const call = node as Readonly<Record<string, unknown>> & { readonly function: string };
          if (call.function !== '') return this.call(call);
        }
        return constant(node);
      default:
        return () => undefined;
    }
  }

  private call(node: Readonly<Record<string, unknown>> & { readonly function: string }): Evaluate<unknown> {
    const row = this.vocabulary.values.get(node.function);
    if (row === undefined) {
      this.countUnknown(node.function);
      const suggestion = suggest(node.function, this.vocabulary.values.keys());
      this.issue(
        'unknown-function',
        `No function is called "${node.function}".`,
        suggestion === undefined ? {} : { suggestion },
      );
      const message = `No function is called "${node.function}".`;
      return (context) => {
        context.fault('unknown-operation', message);
        return undefined;
      };
    }
    const operands = this.operands(node.function, row, node, false);
    this.current = node;
    return row.compile(operands, this);
  }

  /** An action list (the `actions` of a script, a branch, a loop body). */
  actions(nodes: unknown): Step {
    if (nodes === undefined || nodes === null || nodes === '') return sequence([], []);
    if (!Array.isArray(nodes)) {
      this.issue('malformed-action', 'An action list must be an array.', { found: typeof nodes });
      return sequence([], []);
    }
    const steps: Step[] = [];
    const locations: number[] = [];
    nodes.forEach((node: unknown, i) => {
      if (node === null || node === undefined) return;
      this.at(i, () => {
        const location = this.locations.length;
        const step = this.action(node);
        if (step === undefined) return;
        steps.push(this.isWatched ? watched(step, location) : step);
        locations.push(location);
      });
    });
    return sequence(steps, locations);
  }

  private action(node: unknown): Step | undefined {
    if (!isRecord(node)) {
      this.issue('malformed-action', 'An action must be an object with a `type`.', {
        found: Array.isArray(node) ? 'array' : typeof node,
      });
      return undefined;
    }
    if (node['disabled'] === true || node['disabled'] === 1) return undefined;
    // Run mode 1 is "client only" (reference: conditions#action-flags); there is no client here.
    if (node['runMode'] === 1) return undefined;
    const type = node['type'];
    if (typeof type !== 'string' || type === '') {
      this.issue('malformed-action', 'An action must have a `type`.');
      return undefined;
    }
    if (type === 'comment') return undefined;
    this.locations.push({ script: this.owner, path: this.path.slice(1).join('/'), type });
    const row = this.vocabulary.actions.get(type);
    if (row === undefined) {
      this.countUnknown(type);
      const suggestion = suggest(type, this.vocabulary.actions.keys());
      this.issue('unknown-action', `No action is called "${type}".`, suggestion === undefined ? {} : { suggestion });
      const message = `No action is called "${type}".`;
      return asStep((context) => context.fault('unknown-operation', message));
    }
    if ('compileForm' in row) {
      this.checkParameters(type, row, node);
      return row.compileForm(this, node, this.pointer());
    }
    const operands = this.operands(type, row, node, true);
    this.current = node;
    return asStep(row.compile(operands, this));
  }

  private operands(
    operation: string,
    row: OpRow,
    node: Readonly<Record<string, unknown>>,
    faults: boolean,
  ): Readonly<Record<string, Evaluate<unknown>>> {
    const operands: Record<string, Evaluate<unknown>> = {};
    for (const name in row.params) {
      const param = row.params[name]!;
      const key = presentKey(node, name, param);
      const place: ParamPlace = { operation, key: name, faults, optional: param.optional, loud: param.isLoud };
      if (key === undefined) this.missing(param, place);
      operands[name] = this.at(key ?? name, () =>
        this.operand(param, key === undefined ? undefined : node[key], place),
      );
    }
    this.checkParameters(operation, row, node);
    return operands;
  }

  private operand<T>(param: ParamKind<T>, node: unknown, place: ParamPlace): Evaluate<T> {
    const { operation, key } = place;
    const literal = literalType(node);
    if (literal !== undefined && param.literals?.includes(literal) === false) {
      this.issue('wrong-parameter', `${operation}: \`${key}\` cannot be a literal ${literal}.`, {
        expected: param.name,
        found: JSON.stringify(node).slice(0, 80),
      });
    }
    if (param.refersTo !== undefined) this.references.check(this, param.refersTo, node);
    return param.compile(this, node, place);
  }

  /** At the node: what is not there has no place of its own. */
  private missing(param: ParamKind<unknown>, { operation, key }: ParamPlace): void {
    if (!param.optional)
      this.issue('missing-parameter', `${operation} needs \`${key}\`.`, { expected: param.name, found: 'nothing' });
  }

  /** Reports what the operation does not read. */
  private checkParameters(operation: string, row: OpRow, node: Readonly<Record<string, unknown>>): void {
    const read = keysRead(row);
    for (const key in node) {
      if (!read.has(key)) this.at(key, () => this.issue('unknown-parameter', `${operation} does not read \`${key}\`.`));
    }
  }

  /** An operand of a control form, which compiles its own node. */
  formOperand<T>(
    operation: string,
    param: ParamKind<T>,
    node: Readonly<Record<string, unknown>>,
    name: string,
  ): Evaluate<T> {
    const key = presentKey(node, name, param);
    const place: ParamPlace = { operation, key: name, faults: true, optional: param.optional, loud: param.isLoud };
    if (key === undefined) this.missing(param, place);
    return this.at(key ?? name, () => this.operand(param, key === undefined ? undefined : node[key], place));
  }

  private countUnknown(operation: string): void {
    this.unknown.set(operation, (this.unknown.get(operation) ?? 0) + 1);
  }
}

const keysByRow = new WeakMap<OpRow, ReadonlySet<string>>();

/** All keys that mean something in a node of an operation; put together once, because there are thousands of nodes and few operations. */
function keysRead(row: OpRow): ReadonlySet<string> {
  let keys = keysByRow.get(row);
  if (keys === undefined) {
    keys = new Set([
      ...noise,
      ...Object.keys(row.params),
      ...Object.values(row.params).flatMap(({ aliases }) => aliases),
    ]);
    keysByRow.set(row, keys);
  }
  return keys;
}

function presentKey(
  node: Readonly<Record<string, unknown>>,
  name: string,
  param: ParamKind<unknown>,
): string | undefined {
  if (node[name] !== undefined) return name;
  for (const alias of param.aliases) if (node[alias] !== undefined) return alias;
  return undefined;
}

/** What kind of constant a node is; undefined for a call, for null and for nothing. */
function literalType(node: unknown): LiteralType | undefined {
  switch (typeof node) {
    case 'number':
    case 'string':
    case 'boolean':
      return typeof node as LiteralType;
    case 'object':
      if (node === null) return undefined;
      if (Array.isArray(node)) return 'array';
      return (node as { function?: unknown }).function ? undefined : 'object';
    default:
      return undefined;
  }
}

/** `undefined` counts as "go on" in a sequence, so that ordinary actions need no wrapper. */
function asStep(execute: Execute): Step {
  return execute as unknown as Step;
}

/** Literal objects are shared by all simulations of the program, so they are frozen; what wants to change one copies it first. */
function constant(node: object): Evaluate<unknown> {
  deepFreeze(node);
  return () => node;
}

export function deepFreeze(node: unknown): void {
  if (node === null || typeof node !== 'object' || Object.isFrozen(node)) return;
  Object.freeze(node);
  for (const member of Object.values(node)) deepFreeze(member);
}
