import { cached, defined } from '../../engine/core/index.ts';
import {
  type Action,
  type Block,
  type Call,
  type Condition,
  type DialectName,
  everyNode,
  type Node,
  type Operand,
  type ScriptNode,
} from '../../engine/index.ts';
import { type Aspect, type Effect, type Read, type Reference, toNumber } from '../../engine/tools.ts';
import { creationsBy, nameIn, variableReadBy, variablesWrittenBy } from './effect-queries.ts';

/**
 * The kinds of things that a script uses: things with keys, aspects of entities, kinds of entities, and outputs and
 * inputs.
 */
export type UsedKind =
  | Reference
  | Read['aspect']
  | 'unit'
  | 'item'
  | 'projectile'
  | 'player'
  | 'sensor'
  | 'entity'
  | 'output'
  | 'input';

export type Plain = number | string | boolean;

/** One thing that a script does or reads. Plain data. */
export interface Use<T = Test> {
  readonly kind: UsedKind;
  /**
   * The key of the thing: for an entity the key of its type, for a payload and similar kinds the member. Undefined if
   * there is none, or if it is computed.
   */
  readonly key: string | undefined;
  readonly role: 'changes' | 'reads' | 'creates' | 'destroys' | 'starts' | 'tells' | 'enables';
  /** The owner of the thing: the game, the script's own entity, or any entity. */
  readonly scope: 'game' | 'own' | 'any';
  /** The readable path of the script: `scripts/<key>` or `unitTypes/<type>/scripts/<key>`. */
  readonly place: string;
  /** The path of the action in the script, such as `2/then/0`; empty for reads in the script's own condition. */
  readonly path: string;
  /** The conditions that decide whether the action runs, outermost first. */
  readonly guards: readonly Guard<T>[];
  /** The action that runs this one after a delay or an answer; undefined if it runs with the script. */
  readonly after?: Deferral<T>;
  /** Whether the action never runs, because it or an action around it is disabled or only for clients. */
  readonly isOff: boolean;
  /** The only dialect in which the action, or an action around it, exists. */
  readonly only?: DialectName;
  /** The literal or constant that is assigned, added or subtracted, or with which a read value is compared. */
  readonly value?: Plain;
  readonly by?: 'adding' | 'subtracting' | 'counting';
  /** The global variable that is used in place of a literal. */
  readonly source?: string;
  /** The aspect of the thing that changes. */
  readonly aspect?: Aspect;
  /** Whether all keys of an aspect change, as when attributes are reset. */
  readonly isWhole?: boolean;
  /** Whether an operand gives the new value. */
  readonly isGiven?: boolean;
  /** The kind of entity or player that changes: the name of the operand's parameter kind. */
  readonly of?: string;
}

/** An action that runs other actions later. */
interface Deferral<T = Test> extends Pick<Use<T>, 'place' | 'path' | 'guards' | 'after' | 'isOff'> {
  readonly isAnswer: boolean;
  /** The delay, if it is a literal. */
  readonly ms: number | undefined;
}

export interface Guard<T = Test> {
  /** The path of the action that contains the condition; empty for the script's own condition. */
  readonly path: string;
  /** Whether the condition must be true; if not, it must be false. */
  readonly wanted: boolean;
  /**
   * The comparisons of global variables that follow from the result of the condition, at the time when it was
   * evaluated.
   */
  readonly asked: readonly T[];
  /** Those of `asked` whose variables cannot have changed since. */
  readonly tests: readonly T[];
}

/** A comparison of something with a literal or a constant. */
export interface Bound {
  readonly operator: keyof typeof negated;
  readonly value: Plain;
}

export interface Test extends Bound {
  readonly variable: string;
}

/** A comparison of a global variable with a literal or with another one, the source. */
type Comparison = Omit<Test, 'value'> & Pick<Use, 'value' | 'source'>;
/** A use that depends only on its script. */
type OwnUse = Use<Comparison>;

interface Context {
  readonly path: string;
  readonly guards: readonly Guard<Comparison>[];
  readonly after?: Deferral<Comparison> | undefined;
  readonly isOff: boolean;
  readonly only?: DialectName | undefined;
}

const known = new WeakMap<ScriptNode, readonly OwnUse[]>();

/** Everything that a script uses, in document order. */
export function usesIn(script: ScriptNode): readonly OwnUse[] {
  return cached(known, script, () => new Walk(script).all());
}

/** The same uses with the values of constants. A comparison with any other variable says nothing, and is left out. */
export function withConstants(uses: readonly OwnUse[], constants: ReadonlyMap<string, Plain>): readonly Use[] {
  const seen = new Map<Guard<Comparison>, Guard>();
  const known = ({ value, source = '' }: Pick<Use, 'value' | 'source'>): Plain | undefined =>
    value ?? constants.get(source);
  const valued = (tests: readonly Comparison[]): readonly Test[] =>
    tests.flatMap(({ variable, operator, ...other }) => {
      const value = known(other);
      return value === undefined ? [] : { variable, operator, value };
    });
  const guarded = (guards: readonly Guard<Comparison>[]): readonly Guard[] =>
    guards.map((guard) => {
      return cached(seen, guard, () => ({ ...guard, asked: valued(guard.asked), tests: valued(guard.tests) }));
    });
  const deferred = ({ after, guards, ...action }: Deferral<Comparison>): Deferral => ({
    ...action,
    guards: guarded(guards),
    ...(after && { after: deferred(after) }),
  });
  return uses.map(({ after, guards, ...use }) => ({
    ...use,
    guards: guarded(guards),
    ...(after && { after: deferred(after) }),
    ...defined({ value: known(use) }),
  }));
}

class Walk {
  private readonly uses: OwnUse[] = [];
  private readonly waiting: { readonly node: Node; readonly context: Context }[] = [];
  /** The global variables that each action may change, itself or by its nested actions. */
  private readonly changed = new Map<Node, Set<string | undefined>>();

  constructor(private readonly script: ScriptNode) {}

  all(): readonly OwnUse[] {
    const { conditions, actions } = this.script;
    const context: Context = { path: '', guards: [], isOff: false };
    this.noteChanges(actions);
    const guards = conditions.isEmpty || conditions.isDefaultGuard ? [] : [guardOf('', conditions, true)];
    this.waiting.push({ node: actions, context: { ...context, guards } }, { node: conditions, context });
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop())
      this.visit(next.node, next.context);
    return this.uses;
  }

  private visit(node: Node, context: Context) {
    const below: { readonly node: Node; readonly context: Context }[] = [];
    if (node.kind === 'block') this.block(node, context, below);
    else if (node.kind === 'action') this.action(node, context, below);
    else {
      if (node.kind === 'call') this.reads(node, context);
      for (const child of node.children()) below.push({ node: child, context });
    }
    for (let i = below.length - 1; i >= 0; i--) this.waiting.push(below[i]!);
  }

  private block(block: Block, context: Context, below: { node: Node; context: Context }[]) {
    let { guards } = context;
    for (const node of block.elements) {
      below.push({ node, context: { ...context, guards } });
      if (node.kind !== 'action' || !node.isOn) continue;
      guards = unchanged(guards, this.changed.get(node));
      const condition = conditionOf(node);
      const leaving = condition && node.blocks.filter(({ actions }) => actions.some(leaves));
      // If one branch of a condition leaves the list, the actions after the condition run only if the other branch was
      // taken.
      if (leaving?.length === 1) guards = [...guards, guardOf(node.path, condition!, leaving[0]!.key === 'else')];
    }
  }

  private action(node: Action, outer: Context, below: { node: Node; context: Context }[]) {
    const isOff = outer.isOff || !node.isOn;
    const context = { ...outer, path: node.path, isOff, only: outer.only ?? onlyDialectOf(node) };
    for (const effect of node.effects) this.effect(node, effect, context);
    for (const { kind, type, owner } of creationsBy(node))
      this.add(context, kind ?? 'entity', type && nameIn(type), 'creates', owner === undefined ? 'game' : 'any');
    const condition = conditionOf(node);
    for (const child of node.children()) {
      const run = node.effects.find((effect) => effect.does === 'runs' && node.operand(effect.block) === child);
      if (child.kind !== 'block' || run?.does !== 'runs') {
        below.push({ node: child, context });
        continue;
      }
      let { guards } = context;
      const isLoop = run.when === 'again' || run.when === 'repeatedly';
      if (isLoop) guards = unchanged(guards, this.changed.get(node));
      if (condition !== undefined) guards = [...guards, guardOf(node.path, condition, child.key !== 'else')];
      let { after } = context;
      if (run.when !== 'now' && run.when !== 'again') {
        const { place } = this.script;
        const isAnswer = run.when === 'answered';
        const delay = run.after === undefined ? undefined : Number(node.operand(run.after).json);
        const ms = Number.isFinite(delay) ? delay : undefined;
        after = { place, path: node.path, guards: context.guards, isOff, isAnswer, ms, ...defined({ after }) };
        guards = guards.map((guard) => ({ ...guard, asked: [], tests: [] }));
      }
      below.push({ node: child, context: { ...context, guards, after } });
    }
  }

  private effect(node: Action, effect: Effect, context: Context) {
    switch (effect.does) {
      case 'changes': {
        const { aspect, of, key, to, by } = effect;
        const named = key === undefined ? undefined : node.operand(key);
        if (named?.kind === 'nothing') return;
        const kind = (key === undefined ? undefined : node.rule!.params[key]!.refersTo) ?? aspect;
        const name = named && nameIn(named);
        const given = to === undefined ? undefined : node.operand(to);
        const step =
          by === undefined && given !== undefined
            ? stepIn(given, kind, name, of === undefined ? of : node.operand(of))
            : undefined;
        const value = given === undefined ? effect.constant : (step?.amount ?? given).json;
        this.add(context, kind, name, 'changes', this.scopeOf(node, of), {
          aspect,
          isWhole: key === undefined,
          isGiven: to !== undefined,
          ...(of !== undefined && { of: node.rule!.params[of]!.name }),
          ...defined({
            value: isPlain(value) ? value : undefined,
            by: step?.by ?? by,
            source: given && variableReadBy(step?.amount ?? given),
          }),
        });
        return;
      }
      case 'destroys':
        this.add(context, 'entity', undefined, 'destroys', this.scopeOf(node, effect.of));
        return;
      case 'starts':
        this.add(context, 'script', nameIn(node.operand(effect.script)), 'starts', this.scopeOf(node, effect.of));
        return;
      case 'tells':
        this.add(context, 'output', effect.output, 'tells', effect.to === undefined ? 'game' : 'any');
        return;
      case 'enables':
        this.add(context, 'input', effect.input, 'enables', 'any');
    }
  }

  private reads(node: Call, context: Context) {
    const above = node.parent as Node;
    const other = above.kind === 'condition' && !above.isJunction && above.sides.find((side) => side !== node);
    const value = other ? plainOf(other) : {};
    for (const read of node.rule?.reads ?? []) {
      const { kind, name } = thingRead(node, read);
      this.add(context, kind, name, 'reads', this.scopeOf(node, read.of), value);
    }
  }

  private scopeOf(node: Action | Call, of: string | undefined): Use['scope'] {
    if (of === undefined) return 'game';
    const operand = node.operand(of);
    const isOwn = operand.kind === 'call' && operand.rule?.reads.some(({ aspect }) => aspect === 'self');
    return isOwn === true ? 'own' : 'any';
  }

  /** Notes each change for all actions that contain it. */
  private noteChanges(actions: Block) {
    for (const node of everyNode(actions)) {
      if (node.kind !== 'action') continue;
      const names = variablesWrittenBy(node);
      // A script that the action starts may change any variable.
      if (node.effects.some(({ does }) => does === 'starts')) names.push(undefined);
      if (names.length === 0) continue;
      for (let at: Node | undefined = node; at !== undefined; at = at.parent as Node | undefined) {
        if (at.kind !== 'action') continue;
        const all = cached(this.changed, at, () => new Set());
        for (const name of names) all.add(name);
      }
    }
  }

  private add(
    { path, guards, after, isOff, only }: Context,
    kind: UsedKind,
    key: string | undefined,
    role: Use['role'],
    scope: Use['scope'],
    change: Pick<Use, 'value' | 'by' | 'source' | 'aspect' | 'isWhole' | 'isGiven' | 'of'> = {},
  ) {
    this.uses.push({
      kind,
      key,
      role,
      scope,
      place: this.script.place,
      path,
      guards,
      isOff,
      ...defined({ after, only }),
      ...change,
    });
  }
}

/** The only dialect that has an action; undefined if the action exists in several. */
function onlyDialectOf({ effects }: Action): DialectName | undefined {
  const [first] = effects;
  return effects.every(({ only }) => only === first?.only) ? first?.only : undefined;
}

/** The kind and the name of the thing that a call reads. */
function thingRead(node: Call, { aspect, key, kind: member }: Read): { kind: UsedKind; name: string | undefined } {
  if (key === undefined) return { kind: aspect, name: member };
  return { kind: node.rule!.params[key]!.refersTo ?? aspect, name: nameIn(node.operand(key)) };
}

/**
 * The amount that a value such as `score + 1` adds to the old value of the same thing, or subtracts from it. `of`: the
 * owner of the thing. Undefined for any other value.
 */
function stepIn(value: Operand, kind: UsedKind, name: string | undefined, of: Operand | undefined) {
  const sum = value.kind === 'call' ? value.operands.find((each) => each.kind === 'calculation') : value;
  if (sum?.kind !== 'calculation' || name === undefined) return undefined;
  const owner = JSON.stringify(of?.json);
  const isOwn = (side: Operand) =>
    side.kind === 'call' &&
    (side.rule?.reads ?? []).some((read) => {
      const found = thingRead(side, read);
      const whose = read.of === undefined ? undefined : side.operand(read.of).json;
      return found.kind === kind && found.name === name && JSON.stringify(whose) === owner;
    });
  const [left, right] = sum.sides;
  if (sum.operator === '+' && isOwn(right)) return { by: 'adding', amount: left } as const;
  if ((sum.operator !== '+' && sum.operator !== '-') || !isOwn(left)) return undefined;
  return { by: sum.operator === '+' ? 'adding' : 'subtracting', amount: right } as const;
}

/** The condition that an action contains as an operand; undefined if there is none. */
export function conditionOf(action: Action): Condition | undefined {
  return action.operands.find((operand) => operand.kind === 'condition');
}

/** Whether an action ends the list that contains it, in all dialects. */
function leaves({ effects }: Action): boolean {
  return effects.some((effect) => effect.does === 'leaves' && effect.what !== 'loop');
}

/** Removes from guards the comparisons of variables that may have changed. */
function unchanged(
  guards: readonly Guard<Comparison>[],
  changed: ReadonlySet<string | undefined> | undefined,
): readonly Guard<Comparison>[] {
  if (changed === undefined) return guards;
  const isSame = ({ variable }: Comparison) => !changed.has(variable) && !changed.has(undefined);
  return guards.map((guard) => (guard.tests.every(isSame) ? guard : { ...guard, tests: guard.tests.filter(isSame) }));
}

export const negated = { '==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>' } as const;
/** The operator for the same comparison with its sides swapped. */
export const mirrored = { '==': '==', '!=': '!=', '<': '>', '>': '<', '<=': '>=', '>=': '<=' } as const;

/** The operators of calculations, and those that undo them. */
export const inverses: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' };

/**
 * The comparisons that an operator joins, also in nested junctions; without an operator, those of all junctions. A
 * comparison alone is the only one.
 */
export function partsOf(condition: Condition, operator?: string): Condition[] {
  const parts: Condition[] = [];
  const waiting = [condition];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.isJunction) parts.push(node);
    else if (node.operator === (operator ?? node.operator)) waiting.push(node.conditions[1], node.conditions[0]);
  }
  return parts;
}

function guardOf(path: string, condition: Condition, wanted: boolean): Guard<Comparison> {
  // In an AND that must be false, or an OR that must be true, each side alone may fail, so nothing is known about it.
  const tests = partsOf(condition, wanted ? 'AND' : 'OR').flatMap((part) => testsIn(part, wanted));
  return { path, wanted, asked: tests, tests };
}

function testsIn({ operator, sides, isList }: Condition, wanted: boolean): readonly Comparison[] {
  if (!isList || !isOperator(operator)) return [];
  const [left, right] = sides;
  const found = [
    [left, right, operator],
    [right, left, mirrored[operator]],
  ] as const;
  return found.flatMap(([side, other, is]) => {
    const variable = variableReadBy(side);
    const compared = plainOf(other);
    const isKnown = variable !== undefined && (compared.value ?? compared.source) !== undefined;
    return isKnown ? { variable, operator: wanted ? is : negated[is], ...compared } : [];
  });
}

/** The literal that an operand is, or the global variable that it reads. */
function plainOf(operand: Operand): Pick<Use, 'value' | 'source'> {
  const { json: value } = operand;
  return isPlain(value) ? { value } : defined({ source: variableReadBy(operand) });
}

export function isOperator(operator: string | undefined): operator is keyof typeof negated {
  return operator !== undefined && Object.hasOwn(negated, operator);
}

/** Whether no value satisfies all comparisons. */
export function areContrary(bounds: readonly Bound[]): boolean {
  let [min, max] = [-Infinity, Infinity];
  for (const { operator, value } of bounds) {
    const number = typeof value === 'boolean' ? undefined : toNumber(value);
    if (operator === '!=' || number === undefined) continue;
    if (operator !== '<' && operator !== '<=') min = Math.max(min, number);
    if (operator !== '>' && operator !== '>=') max = Math.min(max, number);
  }
  if (min > max) return true;
  const [equal] = bounds.filter(({ operator }) => operator === '==');
  const only = equal?.value ?? (min === max ? min : undefined);
  return only !== undefined && !bounds.every((bound) => mayHold(bound, only));
}

/** Whether a value satisfies a comparison; true if that is not certain. */
export function mayHold({ operator, value: bound }: Bound, value: Plain): boolean {
  switch (operator) {
    case '==':
      return String(value) === String(bound) || (typeof value === 'boolean') !== (typeof bound === 'boolean');
    case '!=':
      return String(value) !== String(bound);
    default:
      if (typeof value !== 'number' || typeof bound !== 'number') return true;
      if (value === bound) return operator.endsWith('=');
      return value < bound === operator.startsWith('<');
  }
}

export function isPlain(json: unknown): json is Plain {
  return typeof json === 'number' || typeof json === 'string' || typeof json === 'boolean';
}
