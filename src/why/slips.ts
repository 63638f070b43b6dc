import { type Action, type Call, type Condition, everyNode, type Node, type ScriptNode } from '../../engine/index.ts';
import { type Effect, type Program, type Reference, vocabulary } from '../../engine/tools.ts';
import {
  above,
  type GameModel,
  inverses,
  isOperator,
  type NameUse,
  negated,
  type Use,
  type UsedKind,
  valueAt,
  variableReadBy,
} from '../model/index.ts';
import { actionText, conditionText, operandText, textWith } from '../run/index.ts';
import { shortened } from '../text/index.ts';
import type { Repair } from './repairs.ts';
import type { WaySearch } from './ways.ts';

type Keys = readonly (string | number)[];

/** A small change of a script. `cost`: the lower, the likelier; `node`: what changes, or what
 * reads it. */
interface Slip extends Repair {
  readonly cost: number;
  readonly node: Node;
}

/** How many times a value is followed from the scripts that read it to those that write it. */
const stepsMax = 2;
const stepCost = 0.4;
const turnCost = 0.1;
/** How many names or functions are tried in place of one. */
const othersMax = 5;
/** The types of entities, players and places. */
const isThing = /^(?:(?:unit|player|item|projectile|region|position)s?|entity|entities)$/;

/**
 * Small changes of the scripts on which a value depends: of operators, numbers, names, functions, triggers, the order
 * of actions, and who gets an output.
 */
export class SlipSearch {
  private readonly names = new Map<string, NameUse>();

  constructor(
    private readonly program: Program,
    private readonly model: GameModel,
    private readonly search: WaySearch,
  ) {
    for (const place of model.places)
      for (const name of model.names(place)) this.names.set(`${place} ${name.path}`, name);
  }

  /** Actions that are switched off, in lists that ran. */
  switchedOn(): readonly Repair[] {
    return this.reached().flatMap(switchedOn);
  }

  /**
   * The changes, the likeliest first. `writers`: the actions that can change the value; `wanted`: the names for which
   * the question asks; `led`: the actions that led to the last change of the value;
   * `isBroken`: whether this change is what should not have happened.
   */
  all(
    writers: readonly Action[],
    wanted: readonly string[],
    led: readonly Action[],
    isBroken: boolean,
  ): readonly Slip[] {
    const { model } = this;
    const near = this.near(isBroken ? led : [...led, ...writers]);
    if (isBroken && near.size === 0) return [];
    const places = new Set([...near.keys()].map(({ script }) => script.place));
    const read = [...places].flatMap((place) => model.usesIn(place)).filter(({ role }) => role === 'reads');
    const missing = new Set([
      ...wanted,
      ...read.flatMap(({ kind, key = '' }) =>
        /variable|attribute/i.test(kind) && !model.changes(kind, key).length && !model.values(key)?.initial ? key : [],
      ),
    ]);
    const passed = new Set<unknown>(
      led.flatMap((each) => [each, ...above(each)]).filter(({ json }) => !valueAt(json, ['else', 0])),
    );
    const found = this.reached().flatMap((node): readonly Slip[] => {
      const steps = near.size === 0 ? 0 : near.get(actionOf(node) ?? node.script);
      if (steps === undefined) return [...this.renamed(node, missing, true)].map((each) => moreBy(each, stepsMax));
      // That something would not have happened under the opposite of a condition, or with another value in its place,
      // goes without saying.
      if (node.kind === 'condition' && !node.isJunction && (isBroken || passed.has(node.parent))) return [];
      if (isBroken && node.kind === 'literal' && passed.has(actionOf(node) ?? node.script)) return [];
      // Nearly every other name or entity keeps an action from doing what it did, which proves little.
      const more = isBroken && (node.kind === 'call' || typeof node.json === 'string') ? stepsMax : 0;
      return [...this.changesOf(node, missing, wanted)].map((each) => moreBy(each, steps + more));
    });
    const byCost = (one: Slip, other: Slip) => one.cost - other.cost;
    const turns = new Map<string, number>();
    // Changes of one action take turns with those of others.
    const inTurn = (each: Slip): Slip => {
      const turn = turns.get(each.text) ?? 0;
      turns.set(each.text, turn + 1);
      return { ...each, cost: each.cost + turn * turnCost };
    };
    const different = new Map(
      found
        .sort(byCost)
        .reverse()
        .map((each) => [`${each.text}${each.otherwise}`, each]),
    );
    return [...different.values()].reverse().map(inTurn).sort(byCost);
  }

  /**
   * The actions and scripts on which a value depends, and by how many steps: the actions that change it, the conditions
   * around them, the actions that change what these read, and those that start their scripts.
   */
  private near(actions: readonly Action[]): ReadonlyMap<Node, number> {
    const { model } = this;
    const found = new Map<Node, number>();
    const waiting = actions.map((action) => ({ action, steps: 0 }));
    for (const { action, steps } of waiting) {
      if (found.has(action) || steps > stepsMax) continue;
      const { script } = action;
      const around = [action, ...above(action)].filter((each) => each.kind === 'action' || each.kind === 'script');
      const paths = new Set(around.map((each) => (each.kind === 'action' ? each.path : '')));
      for (const each of around) if (!found.has(each)) found.set(each, steps);
      const read = model.usesIn(script.place).filter(({ role, path }) => role === 'reads' && paths.has(path));
      const before = [
        ...read.flatMap((each) => this.writing(each)),
        // Scripts that run when an attribute is empty or full compare its name.
        ...model.names(script.place).flatMap((each) => (each.kind === 'attribute' ? this.writing(each) : [])),
        ...model.starts(script.place).flatMap(({ use }) => use ?? []),
      ];
      for (const use of before) {
        const next = model.action(use.place, use);
        if (next !== undefined) waiting.push({ action: next, steps: steps + 1 });
      }
    }
    return found;
  }

  /** The uses that change what a script reads. */
  private writing({ kind, key }: Pick<Use, 'kind' | 'key'>): readonly Use[] {
    const { model } = this;
    if (kind === 'entities')
      return [...model.uses(key as UsedKind), ...model.uses('entity')].filter(({ role }) => role !== 'reads');
    return /^(?:last|payload|chance)$/.test(kind) ? [] : model.changes(kind, key);
  }

  /** The nodes that were evaluated, or would have been if they were not switched off. */
  private reached(): readonly Node[] {
    const { search } = this;
    return this.program.scripts.flatMap((script) => {
      const runs = search.runsOf(script, -1).count;
      const isReached = (node: Node) => {
        const actions = [node, ...above(node)].filter((each): each is Action => each.kind === 'action');
        const around = actions[node.kind === 'action' ? 1 : 0];
        if (around !== undefined) return search.ran(around, -1).count > 0;
        return node.kind !== 'action' || runs > 0;
      };
      return [...everyNode(script.node)].filter(isReached);
    });
  }

  private *changesOf(node: Node, missing: ReadonlySet<string>, wanted: readonly string[]): Generator<Slip> {
    if (
      node.kind !== 'action' &&
      [node, ...above(node)].some((each) => each.kind === 'condition' && each.isDefaultGuard)
    )
      return;
    switch (node.kind) {
      case 'literal':
        if (typeof node.json === 'string') yield* this.renamed(node, missing);
        else
          for (const [i, value] of othersOf(node.json).entries())
            yield slip(node, value, `${value} instead of ${node.json}`, 1.8 + i * 0.15);
        return;
      case 'condition':
      case 'calculation': {
        const below = typeof valueAt(node.json, [0]) === 'string' ? [0] : [0, 'operator'];
        for (const [i, operator] of operatorsFor(node).entries())
          yield slip(
            node,
            operator,
            `${textWith(node, operator)} instead of ${operandText(node)}`,
            (below.length > 1 && node.kind === 'condition' && node.isJunction ? 1.2 : 1.6) + i / 2,
            below,
          );
        return;
      }
      case 'call':
        yield* this.defaults(node, wanted);
        yield* this.otherCalls(node);
        return;
      case 'action':
        yield* otherActions(node);
    }
  }

  /** Other names of the same kind. `isOnly`: only the missing ones, where an action changes what has the name. */
  private *renamed(node: Node, missing: ReadonlySet<string>, isOnly = false): Generator<Slip> {
    if (node.kind !== 'literal' || typeof node.json !== 'string') return;
    const { script, json } = node;
    const name = this.names.get(`${script.place} ${node.pointer.slice(script.pointer.length)}`);
    if (name === undefined || (isOnly && !name.isWritten && !/Type$/.test(name.kind))) return;
    const { kind } = name;
    const keys = this.namesOf(kind, json).filter((key) => key !== json && (!isOnly || missing.has(key)));
    const cost = (key: string) => (missing.has(key) ? (name.isWritten ? 1 : 2) : 2.2);
    for (const key of keys.sort((a, b) => cost(a) - cost(b)).slice(0, othersMax))
      yield slip(node, key, `"${key}" instead of "${json}"`, cost(key));
  }

  /** The keys of all things of a kind; of variables, those with the same type. */
  private namesOf(kind: Reference, key: string): string[] {
    const { definition } = this.model;
    const declared = valueAt(definition, [kind === 'attribute' ? 'attributeTypes' : `${kind}s`]);
    const used = [...this.names.values()].flatMap((each) => (each.kind === kind ? each.key : []));
    const all = [...new Set([...(declared instanceof Map ? (declared.keys() as Iterable<string>) : []), ...used])];
    const typeOf = (each: string) => definition.variables.get(each)?.dataType;
    return kind === 'variable' ? all.filter((each) => typeOf(each) === typeOf(key)) : all;
  }

  private *otherCalls(call: Call): Generator<Slip> {
    const { given, operation, json, script } = call;
    const { types } = this.model;
    const type = types.typeOf(call) ?? '';
    if (!isThing.test(type)) return;
    const text = shortened(operandText(call), 60);
    if (/^(?:unit|item|projectile|entity)$/.test(type))
      yield slip(call, { function: 'getOwner', entity: json }, `the owner of ${text} instead`, 2.6);
    if (given.length > 0 && variableReadBy(call) === undefined) return;
    const isSame = (each: Node): each is Call =>
      each.kind === 'call' && each.given.length === 0 && each.rule?.returns === type;
    const usedIn = (root: ScriptNode) => [...everyNode(root)].filter(isSame).map((each) => each.operation);
    const others = [...vocabulary.values].flatMap(([name, each]) =>
      each.returns === type && Object.keys(each.params).length === 0 ? name : [],
    );
    const own = usedIn(script);
    const all = [...own, ...this.program.scripts.flatMap(({ node }) => usedIn(node)), ...others];
    const tried = [...new Set(all)].filter((each) => each !== operation).slice(0, othersMax);
    for (const [i, other] of tried.entries())
      yield slip(call, { function: other }, `${other}() instead of ${text}`, (own.includes(other) ? 1.4 : 2) + i / 8);
  }

  /** Other first values of a global variable. */
  private defaults(node: Call, wanted: readonly string[]): readonly Slip[] {
    const key = variableReadBy(node);
    if (key === undefined || wanted.includes(key)) return [];
    const value = this.model.definition.variables.get(key)?.default;
    if (typeof value !== 'number' && typeof value !== 'boolean') return [];
    return othersOf(value).map((other, i) => ({
      text: `${key} begins with ${value}.`,
      otherwise: `With ${other} instead`,
      isExact: true,
      keys: ['variables', key, 'default'],
      value: other,
      cost: 1.3 + i * 0.15,
      node,
    }));
  }
}

function moreBy(slip: Slip, steps: number): Slip {
  return { ...slip, cost: slip.cost + steps * stepCost };
}

/** Other numbers: ten times larger and smaller, one more and less, and negated; for a boolean, the other one. */
function othersOf(json: number | boolean): readonly (number | boolean)[] {
  if (typeof json === 'boolean') return [!json];
  const scaled = [json * 10, json / 10];
  const moved = [json - 1, json + 1];
  return json === 0 ? [1, 100] : [...(Math.abs(json) < 3 ? [...moved, ...scaled] : [...scaled, ...moved]), -json];
}

function operatorsFor(node: Condition | Extract<Node, { kind: 'calculation' }>): readonly string[] {
  const operator = String(node.operator);
  const among = (first: string | undefined, others: object) =>
    [...new Set([first ?? operator, ...Object.keys(others)])].filter((each) => each !== operator);
  if (node.kind === 'calculation') return among(inverses[operator], inverses);
  if (node.isJunction) return [operator === 'AND' ? 'OR' : 'AND'];
  if (!isOperator(operator)) return [];
  return among(negated[operator], node.operandType === 'number' ? negated : {});
}

function* otherActions(action: Action): Generator<Slip> {
  const { json, effects, parent, type } = action;
  const key = Number(action.key);
  const { json: list } = parent as Node;
  if (Array.isArray(list) && key + 1 < list.length) {
    const swapped: unknown[] = [...(list as readonly unknown[])];
    swapped.splice(key, 2, list[key + 1], list[key]);
    yield { ...slip(parent as Node, swapped, 'the next action before it', 3.2), text: doesText(action) };
  }
  for (const [name, { params, effects: others }] of vocabulary.actions) {
    const isAble = name !== type && Object.keys(params).every((param) => Object.hasOwn(json, param));
    if (isAble && others.length > 0 && others.every((each) => effects.some((own) => isSame(own, each))))
      yield slip(action, name, `${name} instead of ${type}`, 2.4, ['type']);
  }
}

/** Whether two effects are of the same kind, on whomever. */
function isSame(one: Effect, other: Effect) {
  const kindOf = (each: Effect) => [each.does, 'aspect' in each && each.aspect, 'output' in each && each.output].join();
  return kindOf(one) === kindOf(other);
}

function switchedOn(action: Node): Repair[] {
  if (action.kind !== 'action' || action.json['disabled'] !== true) return [];
  const text = `"${action.script.name}" would: ${actionText(action, 90)}, but this action is switched off.`;
  return [{ text, otherwise: 'Switched on', keys: [...keysOf(action), 'disabled'], value: false }];
}

function doesText(action: Action) {
  return `"${action.script.name}" does: ${actionText(action, 90)}.`;
}

/** `below`: the keys from the node to the changed value. */
function slip(node: Node, value: unknown, instead: string, cost: number, below: Keys = []): Slip {
  const action = actionOf(node);
  const { script } = node;
  return {
    text: action ? doesText(action) : `"${script.name}" runs only if ${conditionText(script.conditions)}.`,
    otherwise: `With ${instead}`,
    isExact: true,
    keys: [...keysOf(node), ...below],
    value,
    cost,
    node,
    at: `${script.place}/actions/${action?.path}`,
  };
}

/** The innermost action around a node. */
function actionOf(node: Node) {
  return [node, ...above(node)].find((each): each is Action => each.kind === 'action');
}

/** The path from the definition to a node. */
function keysOf({ script, keys }: Node): Keys {
  return [...script.place.split('/'), ...keys.slice(script.keys.length)];
}
