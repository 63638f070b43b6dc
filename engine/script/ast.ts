import type { Dictionary } from '../core/plain-object.ts';
import { joinPointer, parsePointer } from '../core/pointer.ts';
import type { Script } from '../definition/script.ts';
import type { Effect, Read } from '../rules/effects.ts';
import { isObjectValue } from './running/value.ts';

/**
 * The syntax tree of scripts. Everything that inspects scripts (compiler, checks, coverage, mutants, printers, bots,
 * the definition's hash) reads these nodes instead of the JSON. All action lists of a script are parsed together,
 * because source locations and jobs are numbered in document order; the operands of an action are parsed on first use.
 * The tree does not depend on the dialect and is shared by all programs of a definition.
 */

/** How the JSON of a parameter is parsed. */
export type Syntax =
  /** A literal, a call, or plain JSON data. */
  | 'operand'
  /** The JSON itself, never evaluated. */
  | 'raw'
  | 'condition'
  /** Actions that run inside the action. */
  | 'actions'
  /** Actions that run later: timers and pending answers refer to them by job number. */
  | 'deferred'
  /** `[operator, left, right]`; anything other than a list is parsed as an operand. */
  | 'calculation';

export interface Parameter {
  /** The name of the parameter kind, for messages and the documentation. */
  readonly name: string;
  readonly syntax: Syntax;
  /** Older or alternative keys, tried in order when the parameter's own key is absent. */
  readonly aliases: readonly string[];
  /**
   * The sort of name that a literal string is, such as the key of a unit type. A name that is not declared is reported
   * as an issue at load.
   */
  readonly refersTo: Reference | undefined;
  /** The unit of a number, if it has one. */
  readonly unit: Unit | undefined;
}

export type Reference =
  | 'script'
  | 'ability'
  | 'unitAbility'
  | 'attribute'
  | 'variable'
  | 'unitType'
  | 'itemType'
  | 'projectileType'
  | 'playerType'
  | 'role'
  | 'shop'
  | 'dialogue'
  | 'state'
  | 'sound'
  | 'music'
  | 'particle'
  | 'animation'
  | 'entityVariable'
  | 'playerVariable';

/** `share`: a number from 0 to 1. */
export type Unit = 'ms' | 's' | 'radians' | 'degrees' | 'px' | 'tiles' | 'share';

export interface OperationSyntax {
  readonly params: Dictionary<Parameter>;
  /** The effects of the operation on the world; empty for functions. */
  readonly effects: readonly Effect[];
  /**
   * The parts of the state that the value of a function depends on besides its operands; empty for actions. Two calls
   * with equal operands and equal reads give equal values.
   */
  readonly reads: readonly Read[];
  /** The type of a function's value; undefined for actions. */
  readonly returns: string | undefined;
  /** The case of the letters in the strings that a function returns, if it is always the same. */
  readonly letters?: 'lower' | 'upper';
}

/** All operations, by name. */
export interface Grammar {
  readonly actions: ReadonlyMap<string, OperationSyntax>;
  readonly values: ReadonlyMap<string, OperationSyntax>;
}

type Json = unknown;
type Key = string | number;
type JsonObject = Dictionary<Json>;

/** A node of the syntax tree. */
export type Node = ScriptNode | Action | Operand;

abstract class BaseNode {
  // Fields are declared with `declare`, because V8 would share the code of a real field initializer between all
  // subclasses, which costs a tenth of the time of a check.
  declare readonly parent: BaseNode | undefined;
  /** The member key or element index in the parent. */
  declare readonly key: Key;
  /** The JSON from the document, unchanged. */
  declare readonly json: Json;

  constructor(parent: BaseNode | undefined, key: Key, json: Json) {
    this.parent = parent;
    this.key = key;
    this.json = json;
  }

  /** The direct children, in document order. */
  abstract children(): readonly Node[];

  /** The JSON Pointer (RFC 6901) to this node from the root of the document. */
  get pointer(): string {
    return this.parent === undefined ? '' : joinPointer(this.parent.pointer, this.key);
  }

  /** The keys on the path from the root of the document. */
  get keys(): readonly Key[] {
    const keys: Key[] = [];
    let place: BaseNode = this;
    for (; place.parent !== undefined; place = place.parent) keys.push(place.key);
    return [...place.rootKeys, ...keys.reverse()];
  }

  protected get rootKeys(): readonly Key[] {
    return [];
  }

  /** The script that contains this node. */
  get script(): ScriptNode {
    let root: BaseNode = this;
    while (root.parent !== undefined) root = root.parent;
    return root as ScriptNode;
  }

  /** Whether this node is a call to one of these functions. */
  calls(..._names: readonly string[]): boolean {
    return false;
  }
}

/** The nodes that can stand as a parameter of an operation or as a side of a comparison or calculation. */
export type Operand = Nothing | Literal | Call | Data | Raw | Calculation | Condition | Block;

/** An operand that is absent or null. */
class Nothing extends BaseNode {
  readonly kind = 'nothing';

  get isNull(): boolean {
    return this.json === null;
  }

  override children(): readonly Node[] {
    return [];
  }
}

/** A literal number, string or boolean. */
class Literal extends BaseNode {
  readonly kind = 'literal';
  declare readonly json: number | string | boolean;

  override children(): readonly Node[] {
    return [];
  }
}

/** JSON that is passed to the operation unchanged and never parsed. */
class Raw extends BaseNode {
  readonly kind = 'raw';

  override children(): readonly Node[] {
    return [];
  }
}

/** An object or a list that is not a call. It is a constant, unless its parameter evaluates its members as operands. */
class Data extends BaseNode {
  readonly kind = 'data';
  declare readonly json: object;
  declare private readonly grammar: Grammar;

  constructor(parent: BaseNode | undefined, key: Key, json: object, grammar: Grammar) {
    super(parent, key, json);
    this.grammar = grammar;
  }

  get isList(): boolean {
    return Array.isArray(this.json);
  }

  /** A member parsed as an operand; a `nothing` node if it is absent. */
  member(key: string): Operand {
    return readOperand(this, key, ownMember(this.json, key), this.grammar);
  }

  override children(): readonly Operand[] {
    return this.isList
      ? (this.json as readonly Json[]).map((element, i) => readOperand(this, i, element, this.grammar))
      : Object.keys(this.json).map((key) => this.member(key));
  }
}

/** An action or a function with its operands. */
abstract class Operation extends BaseNode {
  declare readonly json: JsonObject;
  declare readonly operation: string;
  /** The rule of the operation; undefined for an unknown operation. */
  declare readonly rule: OperationSyntax | undefined;
  declare protected readonly grammar: Grammar;
  declare private read: readonly Operand[] | undefined;

  constructor(
    parent: BaseNode | undefined,
    key: Key,
    json: JsonObject,
    operation: string,
    rules: 'actions' | 'values',
    grammar: Grammar,
  ) {
    super(parent, key, json);
    this.operation = operation;
    this.rule = grammar[rules].get(operation);
    this.grammar = grammar;
    this.read = undefined;
  }

  /**
   * One operand per parameter, in the order of the rule; a `nothing` node for each absent one. Empty for an unknown
   * operation.
   */
  get operands(): readonly Operand[] {
    this.read ??= this.readOperands();
    return this.read;
  }

  /** The operand of a parameter. Throws if the rule does not declare the parameter. */
  operand(parameter: string): Operand {
    const { params } = this.rule ?? {};
    let index = 0;
    for (const name in params) {
      if (name === parameter) return this.operands[index]!;
      index++;
    }
    throw new Error(`${this.operation} has no parameter ${parameter}.`);
  }

  /** The action list of a parameter. Throws if the parameter does not hold actions. */
  block(parameter: string): Block {
    const operand = this.operand(parameter);
    if (operand.kind !== 'block') throw new Error(`${parameter} of ${this.operation} holds no actions.`);
    return operand;
  }

  /**
   * The member at a key, parsed as an operand even if the operation does not read it; a `nothing` node if it is absent.
   */
  member(key: string): Operand {
    const json = ownMember(this.json, key);
    if (json !== undefined) for (const operand of this.operands) if (operand.key === key) return operand;
    return readOperand(this, key, json, this.grammar);
  }

  /** All members except the name of the operation, in document order. */
  override children(): readonly Operand[] {
    return this.memberKeys().map((key) => this.member(key));
  }

  /** The operands that are present, in document order; all members of an unknown operation. */
  get given(): readonly Operand[] {
    if (this.rule === undefined) return this.children();
    const given: Operand[] = [];
    const { operands, json, nameKey } = this;
    for (const key in json) {
      if (key === nameKey || json[key] === undefined) continue;
      for (const each of operands) if (each.key === key) given.push(each);
    }
    return given;
  }

  private memberKeys(): string[] {
    return Object.keys(this.json).filter((key) => key !== this.nameKey && this.json[key] !== undefined);
  }

  protected abstract readonly nameKey: string;

  protected readOperands(): readonly Operand[] {
    const operands: Operand[] = [];
    if (this.rule === undefined) return operands;
    const { params } = this.rule;
    for (const name in params) {
      const parameter = params[name]!;
      const key = presentKey(this.json, name, parameter.aliases);
      operands.push(this.readParameter(parameter.syntax, key ?? name, key === undefined ? undefined : this.json[key]));
    }
    return operands;
  }

  protected readParameter(syntax: Syntax, key: string, json: Json): Operand {
    const { grammar } = this;
    switch (syntax) {
      case 'raw':
        return json === undefined ? new Nothing(this, key, json) : new Raw(this, key, json);
      case 'condition':
        return new Condition(this, key, json, grammar);
      case 'actions':
      case 'deferred':
        return new Block(this, key, json, syntax === 'deferred', grammar);
      case 'calculation':
        return readSide(this, key, json, grammar);
      case 'operand':
        return readOperand(this, key, json, grammar);
    }
  }
}

/** A call to a value function. */
export class Call extends Operation {
  readonly kind = 'call';
  protected override get nameKey(): string {
    return 'function';
  }

  constructor(parent: BaseNode | undefined, key: Key, json: JsonObject, grammar: Grammar) {
    super(parent, key, json, json['function'] as string, 'values', grammar);
  }

  override calls(...names: readonly string[]): boolean {
    return names.includes(this.operation);
  }
}

/** An action of a list. Each action is a source location: faults, profiles and coverage refer to it. */
export class Action extends Operation {
  readonly kind = 'action';
  protected override get nameKey(): string {
    return 'type';
  }
  /**
   * The number of the action's source location, in document order across all scripts. -1 for actions that never run:
   * comments, disabled actions, client-only actions (reference: conditions#action-flags), and everything nested in
   * these.
   */
  location = -1;
  private written: string | undefined;

  constructor(parent: BaseNode | undefined, key: Key, json: JsonObject, grammar: Grammar) {
    super(parent, key, json, json['type'] as string, 'actions', grammar);
  }

  get type(): string {
    return this.operation;
  }

  /** The path below the script's actions, such as `2/then/0`. */
  get path(): string {
    if (this.written === undefined) {
      const keys: Key[] = [];
      for (let place: BaseNode = this; place.parent !== undefined; place = place.parent) keys.push(place.key);
      // The last key is the script's own `actions`.
      keys.pop();
      this.written = keys.reverse().join('/');
    }
    return this.written;
  }

  /** The effects of the action, as declared in the row of its operation; empty for an unknown action. */
  get effects(): readonly Effect[] {
    return this.rule?.effects ?? [];
  }

  /** Whether the action runs when its list runs. */
  get isOn(): boolean {
    return isOn(this.json);
  }

  /** The action lists nested in the action, in the order in which the rule declares them. */
  get blocks(): readonly Block[] {
    return this.operands.filter((operand) => operand.kind === 'block');
  }
}

/** A list of actions. */
export class Block extends BaseNode {
  readonly kind = 'block';
  /**
   * The job number of a deferred list that can run, counted across all scripts in the order in which the lists end; -1
   * for any other list.
   */
  job = -1;
  /** All elements: actions, and operand nodes in place of malformed actions. */
  readonly elements: readonly (Action | Operand)[];
  /** The actions that run. */
  readonly actions: readonly Action[];

  constructor(
    parent: BaseNode | undefined,
    key: Key,
    json: Json,
    /** Whether a timer or the answer to a request runs the list later. */
    readonly isDeferred: boolean,
    grammar: Grammar,
  ) {
    super(parent, key, json);
    const elements: (Action | Operand)[] = [];
    const actions: Action[] = [];
    if (Array.isArray(json)) {
      for (let i = 0; i < json.length; i++) {
        const element: Json = json[i];
        if (!isAction(element)) {
          elements.push(readOperand(this, i, element, grammar));
          continue;
        }
        const action = new Action(this, i, element, grammar);
        elements.push(action);
        if (action.isOn) actions.push(action);
      }
    }
    this.elements = elements;
    this.actions = actions;
  }

  /** Whether the JSON is a list. Absent, null and "" count as empty lists. */
  get isWellFormed(): boolean {
    return this.json === undefined || this.json === null || this.json === '' || Array.isArray(this.json);
  }

  override children(): readonly Node[] {
    return this.elements;
  }
}

/** A condition: `[{operator, operandType}, left, right]` (reference: conditions#conditions). */
export class Condition extends BaseNode {
  readonly kind = 'condition';
  readonly operator: string | undefined;
  private joined: readonly [Condition, Condition] | undefined;
  private compared: readonly [Operand, Operand] | undefined;

  constructor(
    parent: BaseNode | undefined,
    key: Key,
    json: Json,
    private readonly grammar: Grammar,
  ) {
    super(parent, key, json);
    const operator = this.head?.['operator'];
    this.operator = typeof operator === 'string' ? operator : undefined;
  }

  /** Whether the condition is absent, null or []; such a condition is true. */
  get isEmpty(): boolean {
    return this.json === undefined || this.json === null || (Array.isArray(this.json) && this.json.length === 0);
  }

  get isList(): boolean {
    return Array.isArray(this.json);
  }

  get operandType(): string {
    const type = this.head?.['operandType'];
    return typeof type === 'string' ? type : '';
  }

  /** Whether this is an AND or OR of two conditions. */
  get isJunction(): boolean {
    return this.operator === 'AND' || this.operator === 'OR';
  }

  /** Whether this is `true == true`, which editors write when there is no condition. */
  get isDefaultGuard(): boolean {
    return this.operator === '==' && this.element(1) === true && this.element(2) === true;
  }

  /** The number of sides; two in a well-formed condition. */
  get sideCount(): number {
    return Array.isArray(this.json) ? this.json.length - 1 : 0;
  }

  /** The two conditions of an AND or OR. */
  get conditions(): readonly [Condition, Condition] {
    this.joined ??= [
      new Condition(this, 1, this.element(1), this.grammar),
      new Condition(this, 2, this.element(2), this.grammar),
    ];
    return this.joined;
  }

  /** The two operands of a comparison. */
  get sides(): readonly [Operand, Operand] {
    this.compared ??= [
      readOperand(this, 1, this.element(1), this.grammar),
      readOperand(this, 2, this.element(2), this.grammar),
    ];
    return this.compared;
  }

  override children(): readonly Node[] {
    if (!Array.isArray(this.json))
      return this.json === undefined ? [] : [readOperand(this, this.key, this.json, this.grammar)];
    const sides: readonly Node[] = this.isJunction ? this.conditions : this.sides;
    return elementsOf(this, this.json, sides, this.grammar);
  }

  private get head(): JsonObject | undefined {
    const head = this.element(0);
    return isObjectValue(head) ? head : undefined;
  }

  private element(index: number): Json {
    return Array.isArray(this.json) ? (this.json[index] as Json) : undefined;
  }
}

/** A calculation: `[operator, left, right]`, as in `calculate` (reference: conditions#calculate). */
export class Calculation extends BaseNode {
  readonly kind = 'calculation';
  declare readonly json: readonly Json[];
  private read: readonly [Operand, Operand] | undefined;

  constructor(
    parent: BaseNode | undefined,
    key: Key,
    json: readonly Json[],
    private readonly grammar: Grammar,
  ) {
    super(parent, key, json);
  }

  /** The operator as written; the compiler validates it. */
  get operator(): Json {
    const head = this.json[0];
    return isObjectValue(head) ? head['operator'] : head;
  }

  get sides(): readonly [Operand, Operand] {
    this.read ??= [readSide(this, 1, this.json[1], this.grammar), readSide(this, 2, this.json[2], this.grammar)];
    return this.read;
  }

  override children(): readonly Node[] {
    return elementsOf(this, this.json, this.sides, this.grammar);
  }
}

/** The owner of a script: the game, or a type, given by its index among the types of its kind. */
export interface ScriptOwner {
  readonly kind: 'game' | 'unit' | 'item' | 'projectile';
  readonly type: number;
}

/** A script: the root of its tree. */
export class ScriptNode extends BaseNode {
  readonly kind = 'script';
  /** The script runs only if these conditions are true. Dialects without `scriptConditions` ignore them. */
  readonly conditions: Condition;
  private read: Block | undefined;

  /** `number` is called when the actions have been parsed, and assigns the numbers of their locations and jobs. */
  constructor(
    /** Index among all scripts of the definition. */
    readonly index: number,
    readonly source: Script,
    readonly owner: ScriptOwner,

    /** A readable path: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
    readonly place: string,
    readonly grammar: Grammar,
    private readonly number: (actions: Block) => void,
  ) {
    super(undefined, '', source);
    this.conditions = new Condition(this, 'conditions', source.conditions, grammar);
  }

  /** The actions of the script, parsed on first use, because most scripts of a game do not run in its first ticks. */
  get actions(): Block {
    if (this.read === undefined) {
      this.read = new Block(this, 'actions', this.source.actions, false, this.grammar);
      this.number(this.read);
    }
    return this.read;
  }

  /** The script's name; its key if it has none. */
  get name(): string {
    return this.source.name === '' ? this.source.key : this.source.name;
  }

  override get pointer(): string {
    return this.source.pointer;
  }

  protected override get rootKeys(): readonly Key[] {
    return parsePointer(this.source.pointer);
  }

  override children(): readonly Node[] {
    return [this.conditions, this.actions];
  }
}

/** Whether an element of a list is an action. */
export function isAction(json: Json): json is JsonObject & { readonly type: string } {
  return isObjectValue(json) && typeof json['type'] === 'string' && json['type'] !== '';
}

/** Whether an action runs when its list runs. */
export function isOn({ type, disabled, runMode }: JsonObject): boolean {
  return disabled !== true && disabled !== 1 && runMode !== 1 && type !== 'comment';
}

/**
 * Yields a node and everything nested in it: parents before children, later siblings before earlier ones. Not
 * recursive, so that deep nesting cannot overflow the stack.
 */
export function* everyNode(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const child of node.children()) waiting.push(child);
  }
}

/** Follows a path of member keys and indices from `root` as far as there are nodes. Returns the last one. */
export function nodeAt(root: Node, keys: readonly (string | number)[]): Node {
  let node = root;
  for (const key of keys) {
    const child = node.children().find((each) => String(each.key) === String(key));
    if (child === undefined) break;
    node = child;
  }
  return node;
}

export function readOperand(parent: BaseNode | undefined, key: Key, json: Json, grammar: Grammar): Operand {
  switch (typeof json) {
    case 'number':
    case 'string':
    case 'boolean':
      return new Literal(parent, key, json);
    case 'object': {
      if (json === null) return new Nothing(parent, key, json);
      const name = Array.isArray(json) ? undefined : (json as JsonObject)['function'];
      return typeof name === 'string' && name !== ''
        ? new Call(parent, key, json as JsonObject, grammar)
        : new Data(parent, key, json, grammar);
    }
    default:
      return new Nothing(parent, key, undefined);
  }
}

function readSide(parent: BaseNode, key: Key, json: Json, grammar: Grammar): Operand {
  return Array.isArray(json) ? new Calculation(parent, key, json, grammar) : readOperand(parent, key, json, grammar);
}

/**
 * The nodes of the elements of a list `[operator, left, right, …]`. `sides` are the nodes of its left and right side,
 * which are already parsed.
 */
function elementsOf(parent: BaseNode, list: readonly Json[], sides: readonly Node[], grammar: Grammar): Node[] {
  return list.map((element, i) => (i === 1 || i === 2 ? sides[i - 1]! : readOperand(parent, i, element, grammar)));
}

function presentKey(json: JsonObject, name: string, aliases: readonly string[]): string | undefined {
  if (json[name] !== undefined) return name;
  for (const alias of aliases) if (json[alias] !== undefined) return alias;
  return undefined;
}

function ownMember(json: object, key: string): Json {
  return Object.hasOwn(json, key) ? (json as JsonObject)[key] : undefined;
}

/** The value of a string literal; undefined for any other node. */
export function literalText(node: Operand): string | undefined {
  return node.kind === 'literal' && typeof node.json === 'string' ? node.json : undefined;
}

/**
 * The string in a member of a node. Undefined unless the node is a call or an object, and the member is a string
 * literal.
 */
export function memberText(node: Operand, key: string): string | undefined {
  return node.kind === 'call' || node.kind === 'data' ? literalText(node.member(key)) : undefined;
}
