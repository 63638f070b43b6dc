import { type Entity, EntityRef, Kind, noEntity, rowOf, type World } from '../../engine/index.ts';
import { compare } from '../run/until.ts';
import type { Comparison } from '../run/until-parser.ts';
import { UntilError } from '../run/until-tokens.ts';
import { type Node, type PathNode, parseExpression, type SetNode, type Word } from './expression.ts';
import { type Lexicon, UnknownName, unknown } from './lexicon.ts';
import type { Live } from './live.ts';
import { memberOf, TypeName } from './member.ts';
import { Missing } from './missing.ts';

/** An expression that belongs to one game being played. Cheap enough for every tick. */
export interface Question {
  readonly text: string;
  holds(): boolean;
  /** `Missing` where it is about what is not there. */
  answer(): boolean | Missing;
  /** A number, text, boolean, null, an entity, a list of entities, or `Missing`. */
  value(): unknown;
  /** The parts that decide, with what they are now: what a failure says. */
  parts(): readonly { readonly text: string; readonly value: unknown; readonly members: readonly string[] }[];
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
  const parts = binder.leaves(node).map((leaf) => ({
    text: text.slice(leaf.from, leaf.to),
    ask: binder.bind(leaf, false),
    members: leaf.kind === 'every' ? binder.deciding(leaf) : () => [],
  }));
  return {
    text,
    holds: () => truth(evaluate(undefined)) === true,
    answer: () => truth(evaluate(undefined)),
    value: () => single(evaluate(undefined)),
    parts: () =>
      parts.map((part) => ({ text: part.text, value: single(part.ask(undefined)), members: part.members() })),
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
        const { end, set, members: names } = node;
        const read = this.reader(names, `the ${end} of ${this.text.slice(set.from, set.to)}`);
        return () => {
          const found = members();
          return read(found instanceof Missing ? found : end === 'first' ? found[0] : found.at(-1));
        };
      }
      case 'total':
        return this.total(node);
      case 'every': {
        const members = this.set(node.set);
        const has = this.bind(node.has, true);
        // Who lacks what is asked for does not have it.
        const test = (member: EntityRef): boolean => truth(has(member)) === true;
        const { quantity } = node;
        const none = this.none(node.set);
        return () => {
          const found = members();
          if (found instanceof Missing) return found;
          if (quantity === 'all') return found.length === 0 ? none : found.every(test);
          return found.some(test) === (quantity === 'any');
        };
      }
      case 'count':
        return this.count(node);
      case 'not': {
        const of = this.bind(node.of, inside);
        return (scope) => {
          const answer = truth(of(scope));
          return answer instanceof Missing ? answer : !answer;
        };
      }
      case 'minus': {
        const of = this.bind(node.of, inside);
        const text = this.textOf(node.of);
        return (scope) => {
          const value = number(of(scope), text);
          return typeof value === 'number' ? -value : value;
        };
      }
      case 'arithmetic': {
        const left = this.bind(node.left, inside);
        const right = this.bind(node.right, inside);
        const { operator } = node;
        const [leftText, rightText] = [this.textOf(node.left), this.textOf(node.right)];
        return (scope) => {
          const a = number(left(scope), leftText);
          const b = number(right(scope), rightText);
          if (typeof a !== 'number') return a;
          return typeof b === 'number' ? calculate(operator, a, b) : b;
        };
      }
      case 'compare': {
        const left = this.bind(node.left, inside);
        const right = this.bind(node.right, inside);
        const { operator } = node;
        const texts = [this.textOf(node.left), this.textOf(node.right)] as const;
        // Whether something is there is the one thing that can be asked of what is not.
        const isPresence = (isNothing(node.left) || isNothing(node.right)) && (operator === '==' || operator === '!=');
        return (scope) => {
          const [a, b] = [left(scope), right(scope)];
          if (isPresence) return compareValues(this.live, operator, present(a), present(b));
          return missingOf(operator, a, b, texts) ?? compareValues(this.live, operator, a, b);
        };
      }
      case 'and': {
        const of = node.of.map((each) => this.bind(each, inside));
        return (scope) => decided(of, scope, false);
      }
      case 'or': {
        const of = node.of.map((each) => this.bind(each, inside));
        return (scope) => decided(of, scope, true);
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

  /** Those on whom `all … have` and `no … have` come to grief, with what they have instead. */
  deciding({ quantity, set, has }: Extract<Node, { kind: 'every' }>): () => readonly string[] {
    const members = this.set(set);
    const test = this.bind(has, true);
    const parts = this.leaves(has).map((leaf) => ({ text: this.textOf(leaf), ask: this.bind(leaf, true) }));
    return () => {
      const found = members();
      if (found instanceof Missing || quantity === 'any') return [];
      const deciding = found.filter((member) => (truth(test(member)) === true) === (quantity === 'no'));
      return deciding.map((member) => {
        const values = parts.map(({ text, ask }) => `${text} is ${this.live.valueText(single(ask(member)))}`);
        return `${this.live.textOf(member)}: ${values.join(', ')}`;
      });
    };
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
    const read = this.reader(members, word);
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
      return () => {
        const ref = live.named(word);
        const isThere = ref !== undefined && sim.world.exists(ref.entity);
        return isThere ? read(ref) : new Missing(live.absence(word));
      };
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
    throw this.at(head, () => {
      const error = unknown(`Nothing in this game or scenario is called "${word}".`, word, words);
      const isText = error.message.endsWith('.') && !head.quoted;
      return isText ? new UnknownName(`${error.message} For the text, write '${word}' between quotes.`) : error;
    });
  }

  /** `name`: what the value is called where it turns out to be nothing. */
  private reader(members: readonly Word[], name: string): (value: unknown) => unknown {
    for (const member of members) this.checked(member, () => this.lexicon.needMember(member.text));
    return (value) => {
      let at = value;
      let called = name;
      for (const { text } of members) {
        if (at instanceof Missing) return at;
        if (at instanceof EntityRef) at = memberOf(this.live, at, text);
        else if (at !== null && typeof at === 'object') at = (at as Readonly<Record<string, unknown>>)[text];
        else return new Missing(at === undefined || at === null ? `${called} is nothing` : `${called} has no ${text}`);
        called = `${called}.${text}`;
      }
      return at;
    };
  }

  private set(node: SetNode): () => readonly EntityRef[] | Missing {
    const { live, lexicon } = this;
    const { world } = live.sim;
    const kind = singular[node.of];
    const key = node.type && this.checked(node.type, () => lexicon.type(kind, node.type!.text));
    const index = key === undefined ? -1 : world.types[kind].list.findIndex((type) => type.key === key);
    const owner = node.owner && this.owner(node.owner, kind);
    const holder = node.holder && this.holder(node.holder, kind);
    const region = node.region && this.checked(node.region, () => lexicon.region(node.region!.text));
    const where = node.where && this.bind(node.where, true);
    return () => {
      const { components } = world;
      const by = owner?.();
      if (by instanceof Missing) return by;
      const held = holder?.();
      if (held instanceof Missing) return held;
      if (region !== undefined && !live.hasRegion(region)) return new Missing(`the region ${region} is not there`);
      const found: EntityRef[] = [];
      for (const entity of world.lists[Kind[kind]]!.entries) {
        const ref = world.ref(entity);
        if (ref === undefined) continue;
        const row = rowOf(entity);
        // The ten players that no human plays are not who people mean by "players".
        if (kind === 'player' && world.players[row]!.controlledBy !== 'human') continue;
        if (index >= 0 && components.identity.type[row] !== index) continue;
        if (
          by !== undefined &&
          components.identity.owner[row] !== by &&
          playerOf(world, components.identity.owner[row]!) !== by
        )
          continue;
        if (held !== undefined && components.identity.owner[row] !== held) continue;
        if (region !== undefined && !live.isInRegion(entity, region)) continue;
        if (where !== undefined && truth(where(ref)) !== true) continue;
        found.push(ref);
      }
      return found;
    };
  }

  /** The player that units belong to; that, or the unit, that items and projectiles come from. */
  private owner(node: PathNode, kind: (typeof singular)[keyof typeof singular]): () => Entity | Missing {
    const owner = this.path(node, false);
    const text = this.textOf(node);
    return () => {
      const by = owner(undefined);
      if (!(by instanceof EntityRef)) return by instanceof Missing ? by : new Missing(`${text} is no player`);
      if (by.kind === 'player' || (by.kind === 'unit' && (kind === 'item' || kind === 'projectile'))) return by.entity;
      return new Missing(`${text} is ${this.live.textOf(by)}, and ${kind}s are owned by players`);
    };
  }

  /** A player stands for the selected unit. */
  private holder(node: PathNode, kind: (typeof singular)[keyof typeof singular]): () => Entity | Missing {
    const holder = this.path(node, false);
    const text = this.textOf(node);
    const { world } = this.live.sim;
    return () => {
      if (kind !== 'item') return new Missing(`only items are held, not ${kind}s`);
      const by = holder(undefined);
      if (!(by instanceof EntityRef)) return by instanceof Missing ? by : new Missing(`${text} is no unit`);
      if (by.kind !== 'player') return by.entity;
      const unit = world.players[rowOf(by.entity)]?.selectedUnit ?? noEntity;
      return world.exists(unit) ? unit : new Missing(`${text} has no unit`);
    };
  }

  private total(node: Extract<Node, { kind: 'total' }>): Evaluate {
    const members = this.set(node.set);
    const of = this.bind(node.of, true);
    const text = this.textOf(node.of);
    const none = this.none(node.set);
    return () => {
      const found = members();
      if (found instanceof Missing) return found;
      const values: number[] = [];
      for (const member of found) {
        const value = number(of(member), `${text} of ${member.id}`);
        if (typeof value !== 'number') return value;
        values.push(value);
      }
      if (node.total === 'sum') return values.reduce((sum, value) => sum + value, 0);
      if (values.length === 0) return none;
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

  private none(set: SetNode): Missing {
    return new Missing(`there are no ${this.textOf(set)}`, true);
  }

  private textOf({ from, to }: Node): string {
    return this.text.slice(from, to);
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

function playerOf(world: World, owner: Entity): Entity {
  return world.exists(owner) ? world.components.identity.owner[rowOf(owner)]! : noEntity;
}

function calculate(operator: '+' | '-' | '*' | '/', left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : left / right;
}

/** A group is as many as it has members. `text` is what the value is called where it is no number. */
function number(value: unknown, text: string): number | Missing {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'number' || value instanceof Missing) return value;
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (!Number.isNaN(found)) return found;
  return new Missing(value === undefined || value === null ? `${text} is nothing` : `${text} is no number`);
}

function truth(value: unknown): boolean | Missing {
  if (value instanceof Missing) return value;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** `or` is decided by the first that is true, `and` by the first that is false; failing that, by what is missing. */
function decided(of: readonly Evaluate[], scope: Scope, decisive: boolean): boolean | Missing {
  let missing: Missing | undefined;
  for (const evaluate of of) {
    const answer = truth(evaluate(scope));
    if (answer === decisive) return decisive;
    if (answer instanceof Missing && (missing === undefined || missing.isEmpty)) missing = answer;
  }
  return missing ?? !decisive;
}

function isNothing(node: Node): boolean {
  return node.kind === 'literal' && node.value === null;
}

function present(value: unknown): unknown {
  return value instanceof Missing ? undefined : value;
}

/** Nothing can be equal to something or not; it cannot be more or less. */
function missingOf(
  operator: Comparison,
  left: unknown,
  right: unknown,
  [leftText, rightText]: readonly [string, string],
): Missing | undefined {
  if (left instanceof Missing) return left;
  if (right instanceof Missing) return right;
  if (operator === '==' || operator === '!=') return undefined;
  if (left === undefined || left === null) return new Missing(`${leftText} is nothing`);
  return right === undefined || right === null ? new Missing(`${rightText} is nothing`) : undefined;
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
