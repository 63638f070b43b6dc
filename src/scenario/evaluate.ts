import { type Entity, EntityRef, Kind, rowOf } from '../../engine/index.ts';
import { compare } from '../run/until.ts';
import type { Comparison } from '../run/until-parser.ts';
import { UntilError } from '../run/until-tokens.ts';
import { type Node, type PathNode, parseExpression, type SetNode, type Word } from './expression.ts';
import { type Lexicon, UnknownName, unknown } from './lexicon.ts';
import type { Live } from './live.ts';
import { memberOf, TypeName } from './member.ts';

/** An expression that belongs to one game being played. Cheap enough for every tick. */
export interface Question {
  readonly text: string;
  holds(): boolean;
  /** A number, text, boolean, null, an entity or a list of entities. */
  value(): unknown;
  /** The parts that decide, with what they are now: what a failure says. */
  parts(): readonly { readonly text: string; readonly value: unknown }[];
  /** Entities that the expression names, for the picture and the differences of a failure. */
  about(): readonly Entity[];
}

type Scope = EntityRef | undefined;
type Evaluate = (scope: Scope) => unknown;

/** Throws `UntilError` for what is no expression, or names what the game does not have. */
export function ask(text: string, live: Live): Question {
  const binder = new Binder(text, live);
  const node = parseExpression(text);
  const evaluate = binder.bind(node, false);
  const parts = binder
    .leaves(node)
    .map((leaf) => ({ text: text.slice(leaf.from, leaf.to), ask: binder.bind(leaf, false) }));
  return {
    text,
    holds: () => truth(evaluate(undefined)),
    value: () => single(evaluate(undefined)),
    parts: () => parts.map((part) => ({ text: part.text, value: single(part.ask(undefined)) })),
    about() {
      const found = new Set<Entity>();
      for (const entity of binder.named()) found.add(entity);
      return [...found];
    },
  };
}

class Binder {
  private readonly text: string;
  private readonly live: Live;
  private readonly lexicon: Lexicon;
  private readonly heads: PathNode[] = [];

  constructor(text: string, live: Live) {
    this.text = text;
    this.live = live;
    this.lexicon = live.lexicon;
  }

  /** `inside`: between the parentheses of a group, where names are first those of its members. */
  bind(node: Node, inside: boolean): Evaluate {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        return () => value;
      }
      case 'path':
        return this.path(node, inside);
      case 'set': {
        const members = this.set(node);
        return () => members();
      }
      case 'pick': {
        const members = this.set(node.set);
        const read = this.reader(node.members);
        return () => read(node.end === 'first' ? members()[0] : members().at(-1));
      }
      case 'total':
        return this.total(node);
      case 'every': {
        const members = this.set(node.set);
        const has = this.bind(node.has, true);
        const test = (member: EntityRef): boolean => truth(has(member));
        if (node.quantity === 'all') return () => members().every(test);
        if (node.quantity === 'any') return () => members().some(test);
        return () => !members().some(test);
      }
      case 'count':
        return this.count(node);
      case 'not': {
        const of = this.bind(node.of, inside);
        return (scope) => !truth(of(scope));
      }
      case 'minus': {
        const of = this.bind(node.of, inside);
        return (scope) => -number(of(scope));
      }
      case 'arithmetic': {
        const left = this.bind(node.left, inside);
        const right = this.bind(node.right, inside);
        const { operator } = node;
        return (scope) => calculate(operator, number(left(scope)), number(right(scope)));
      }
      case 'compare': {
        const left = this.bind(node.left, inside);
        const right = this.bind(node.right, inside);
        const { operator } = node;
        return (scope) => compareValues(this.live, operator, left(scope), right(scope));
      }
      case 'and': {
        const of = node.of.map((each) => this.bind(each, inside));
        return (scope) => of.every((evaluate) => truth(evaluate(scope)));
      }
      case 'or': {
        const of = node.of.map((each) => this.bind(each, inside));
        return (scope) => of.some((evaluate) => truth(evaluate(scope)));
      }
    }
  }

  /** The parts of an expression that have a value of their own to show. */
  leaves(node: Node): Node[] {
    switch (node.kind) {
      case 'literal':
        return [];
      case 'not':
      case 'minus':
        return this.leaves(node.of);
      case 'arithmetic':
      case 'compare':
        return [...this.leaves(node.left), ...this.leaves(node.right)];
      case 'and':
      case 'or':
        return node.of.flatMap((each) => this.leaves(each));
      default:
        return [node];
    }
  }

  *named(): Generator<Entity> {
    for (const { head } of this.heads) {
      const ref = this.live.named(head.text);
      if (ref !== undefined && this.live.sim.world.exists(ref.entity)) yield ref.entity;
    }
  }

  private path(node: PathNode, inside: boolean): Evaluate {
    const { head, members } = node;
    const word = head.text;
    const { live, lexicon } = this;
    const { sim } = live;
    const read = this.reader(members);
    const isMember =
      inside && (lexicon.attribute(word).size > 0 || lexicon.isVariable(word) || memberOf.isProperty(word));
    if (isMember && !(head.quoted && lexicon.isGlobal(word))) {
      return (scope) => read(scope === undefined ? undefined : memberOf(live, scope, word));
    }
    if (!head.quoted) {
      if (word === 'time') return () => sim.nowMs / 1000;
      if (word === 'tick') return () => sim.tick;
      if (word === 'faults') return () => sim.world.faults.list().reduce((sum, { count }) => sum + count, 0);
    }
    if (lexicon.isGlobal(word)) return () => read(sim.variable(word));
    if (live.isKnown(word)) {
      this.heads.push(node);
      return () => read(live.named(word));
    }
    const words = [
      ...lexicon.definition.variables.keys(),
      ...live.names(),
      'time',
      'tick',
      'units',
      'items',
      'players',
    ];
    throw this.at(head, () => unknown(`Nothing in this game or scenario is called "${word}".`, word, words));
  }

  private reader(members: readonly Word[]): (value: unknown) => unknown {
    for (const member of members) this.checked(member, () => this.lexicon.needMember(member.text));
    return (value) => {
      let at = value;
      for (const { text } of members) {
        if (at instanceof EntityRef) at = memberOf(this.live, at, text);
        else if (at !== null && typeof at === 'object') at = (at as Readonly<Record<string, unknown>>)[text];
        else return undefined;
      }
      return at;
    };
  }

  private set(node: SetNode): () => readonly EntityRef[] {
    const { live, lexicon } = this;
    const { world } = live.sim;
    const kind = singular[node.of];
    const key = node.type && this.checked(node.type, () => lexicon.type(kind, node.type!.text));
    const index = key === undefined ? -1 : world.types[kind].list.findIndex((type) => type.key === key);
    const owner = node.owner && this.path(node.owner, false);
    const holder = node.holder && this.path(node.holder, false);
    const region = node.region && this.checked(node.region, () => lexicon.region(node.region!.text));
    const where = node.where && this.bind(node.where, true);
    return () => {
      const found: EntityRef[] = [];
      const { columns } = world;
      const by = owner === undefined ? undefined : entityIn(owner(undefined));
      const held = holder === undefined ? undefined : entityIn(holder(undefined));
      for (const entity of world.lists[Kind[kind]]!.entries) {
        const ref = world.ref(entity);
        if (ref === undefined) continue;
        const row = rowOf(entity);
        // The ten players that no human plays are not who people mean by "players".
        if (kind === 'player' && world.players[row]!.controlledBy !== 'human') continue;
        if (index >= 0 && columns.type[row] !== index) continue;
        if (owner !== undefined && (by === undefined || columns.owner[row] !== by)) continue;
        if (holder !== undefined && (held === undefined || columns.owner[row] !== held)) continue;
        if (region !== undefined && !live.isInRegion(entity, region)) continue;
        if (where !== undefined && !truth(where(ref))) continue;
        found.push(ref);
      }
      return found;
    };
  }

  private total(node: Extract<Node, { kind: 'total' }>): Evaluate {
    const members = this.set(node.set);
    const of = this.bind(node.of, true);
    return () => {
      const values = members().map((member) => number(of(member)));
      if (node.total === 'sum') return values.reduce((sum, value) => sum + value, 0);
      if (values.length === 0) return undefined;
      if (node.total === 'average') return values.reduce((sum, value) => sum + value, 0) / values.length;
      return node.total === 'min' ? Math.min(...values) : Math.max(...values);
    };
  }

  private count({ of, name }: Extract<Node, { kind: 'count' }>): Evaluate {
    const { live, lexicon } = this;
    const { sim } = live;
    switch (of) {
      case 'fired': {
        const trigger = this.checked(name, () => lexicon.trigger(name.text));
        return () => live.firedCount(trigger);
      }
      case 'outputs': {
        const kind = this.checked(name, () => lexicon.output(name.text));
        return () => sim.world.outbox.counts.get(kind) ?? 0;
      }
      case 'runs': {
        const scripts = this.checked(name, () => lexicon.scripts(name.text));
        return () => scripts.reduce((sum, { index }) => sum + sim.runtime.runs[index]!, 0);
      }
    }
  }

  /** Turns an unknown name into an error with a place in the expression. */
  private checked<T>(word: Word, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnknownName) throw this.at(word, () => error);
      throw error;
    }
  }

  private at(word: Word, error: () => Error): UntilError {
    return new UntilError('until-unknown-name', error().message, Math.min(word.offset, this.text.length));
  }
}

const singular = { units: 'unit', items: 'item', projectiles: 'projectile', players: 'player' } as const;

function entityIn(value: unknown): Entity | undefined {
  return value instanceof EntityRef ? value.entity : undefined;
}

function calculate(operator: '+' | '-' | '*' | '/', left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : left / right;
}

/** A group is as many as it has members. */
function number(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function truth(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** A type is its name and its key; both are said by people. */
function single(value: unknown): unknown {
  return value instanceof TypeName ? value.name : value;
}

function compareValues(live: Live, operator: Comparison, left: unknown, right: unknown): boolean {
  if (left instanceof TypeName || right instanceof TypeName) {
    const equal = left instanceof TypeName ? left.is(right) : (right as TypeName).is(left);
    return operator === '==' ? equal : operator === '!=' && !equal;
  }
  if (left instanceof EntityRef && right instanceof EntityRef) return compare(operator, left.id, right.id);
  if (left instanceof EntityRef || right instanceof EntityRef) {
    const [entity, other] = left instanceof EntityRef ? [left, right] : [right as EntityRef, left];
    const equal = typeof other === 'string' && (other === entity.id || live.named(other) === entity);
    return operator === '==' ? equal : operator === '!=' && !equal;
  }
  const plain = (value: unknown): unknown => (Array.isArray(value) ? value.length : value);
  return compare(operator, plain(left), plain(right));
}
