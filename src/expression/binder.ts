import type { Dictionary } from '../../engine/core/index.ts';
import { type AnyHandle, EntityHandle, playCounts } from '../../engine/index.ts';
import { firedCount, globalValue, valueWithHandles } from '../../engine/tools.ts';
import { calculate, compareValues, decide, missingOf, numberOf, truthOf } from './comparison.ts';
import { ExpressionError } from './expression-error.ts';
import { type GroupFilter, membersOf, singular } from './group.ts';
import { type Lexicon, UnknownName, unknown } from './lexicon.ts';
import { isProperty, memberOf } from './member.ts';
import { Missing } from './missing.ts';
import { type Node, type PathNode, type SetNode, setKinds, type Word } from './node.ts';
import type { ExpressionSource } from './source.ts';
import { TypeName } from './type-name.ts';
import { answerText, refText } from './value-text.ts';

/** The member of a group to which names in parentheses refer first; undefined outside parentheses. */
type Scope = AnyHandle | undefined;
type Evaluate = (scope: Scope) => unknown;

/**
 * Compiles the tree of an expression into functions. Names are resolved here, once; unknown names throw
 * `ExpressionError`.
 */
export class Binder {
  /** The ids and names of the entities that the expression names. */
  readonly named: string[] = [];
  private readonly lexicon: Lexicon;

  constructor(
    private readonly text: string,
    private readonly source: ExpressionSource,
  ) {
    this.lexicon = source.lexicon;
  }

  /**
   * Compiles a node. `inside`: whether it is within the parentheses of a group, where names refer to members of the
   * group first. Throws `ExpressionError`.
   */
  bind(node: Node, inside: boolean): Evaluate {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        return () => value;
      }
      case 'path':
        return this.path(node, inside);
      case 'set':
        return this.group(node);
      case 'pick': {
        const members = this.group(node.set);
        const { end, set, members: names } = node;
        const read = this.reader(names, `the ${end} of ${this.textOf(set)}`);
        return () => {
          const found = members();
          return read(found instanceof Missing ? found : end === 'first' ? found[0] : found.at(-1));
        };
      }
      case 'total':
        return this.total(node);
      case 'every':
        return this.every(node);
      case 'count':
        return this.count(node);
      case 'posted':
        throw new ExpressionError(
          'expression-syntax',
          'Details of outputs can be used only in a question to `why` that contains nothing else. Here, write "outputs" and a kind of output.',
          this.text,
          node.from,
        );
      case 'not': {
        const of = this.bind(node.of, inside);
        return (scope) => {
          const answer = truthOf(of(scope));
          return answer instanceof Missing ? answer : !answer;
        };
      }
      case 'minus': {
        const of = this.bind(node.of, inside);
        const text = this.textOf(node.of);
        return (scope) => {
          const value = numberOf(of(scope), text);
          return typeof value === 'number' ? -value : value;
        };
      }
      case 'arithmetic': {
        const left = this.bind(node.left, inside);
        const right = this.bind(node.right, inside);
        const { operator } = node;
        const [leftText, rightText] = [this.textOf(node.left), this.textOf(node.right)];
        return (scope) => {
          const a = numberOf(left(scope), leftText);
          const b = numberOf(right(scope), rightText);
          if (typeof a !== 'number') return a;
          return typeof b === 'number' ? calculate(operator, a, b) : b;
        };
      }
      case 'compare':
        return this.comparison(node, inside);
      case 'and':
      case 'or': {
        const of = node.of.map((each) => this.bind(each, inside));
        const decisive = node.kind === 'or';
        return (scope) => decide(answers(of, scope), decisive);
      }
    }
  }

  /** The parts of an expression whose values are worth showing. */
  leaves(node: Node): readonly Node[] {
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

  /** The members that make `all … have` or `no … have` false, with their values. Empty for `any … have`. */
  decidingMembers({ quantity, set, has }: Extract<Node, { kind: 'every' }>): () => readonly string[] {
    const members = this.group(set);
    const test = this.bind(has, true);
    const parts = this.leaves(has).map((leaf) => ({ text: this.textOf(leaf), evaluate: this.bind(leaf, true) }));
    return () => {
      const found = members();
      if (found instanceof Missing || quantity === 'any') return [];
      const deciding = found.filter((member) => (truthOf(test(member)) === true) === (quantity === 'no'));
      return deciding.map((member) => {
        const values = parts.map(
          ({ text, evaluate }) => `${text} is ${answerText(this.source, plainValue(evaluate(member)))}`,
        );
        return `${refText(this.source, member)}: ${values.join(', ')}`;
      });
    };
  }

  textOf({ from, to }: Node): string {
    return this.text.slice(from, to);
  }

  private comparison(node: Extract<Node, { kind: 'compare' }>, inside: boolean): Evaluate {
    const left = this.bind(node.left, inside);
    const right = this.bind(node.right, inside);
    this.checkCompared(node.left, node.right, inside);
    this.checkCompared(node.right, node.left, inside);
    const { source } = this;
    const { operator } = node;
    const texts = [this.textOf(node.left), this.textOf(node.right)] as const;
    const named = (name: string) => source.entityNamed(name);
    // If a value is missing, every comparison is missing, except those with `nothing`, which are true or false.
    const isPresence = (isNothing(node.left) || isNothing(node.right)) && (operator === '==' || operator === '!=');
    return (scope) => {
      const [a, b] = [left(scope), right(scope)];
      if (isPresence) return compareValues(named, operator, present(a), present(b));
      return missingOf(operator, a, b, texts) ?? compareValues(named, operator, a, b);
    };
  }

  /**
   * A string that is compared with the member `type` or `state` must be the name or key of a type or state, unless the
   * game has an attribute or variable called `type` or `state`.
   */
  private checkCompared(node: Node, other: Node, inside: boolean) {
    if (other.kind !== 'literal' || typeof other.value !== 'string' || other.value === '') return;
    if (node.kind !== 'path' && node.kind !== 'pick') return;
    // The value of an object variable may have its own members `type` and `state`, which can be any strings.
    if (node.kind === 'path' && this.lexicon.definition.variables.get(node.head.text)?.dataType === 'object') return;
    const word = node.members.at(-1)?.text ?? (node.kind === 'path' && inside ? node.head.text : undefined);
    if (word !== 'type' && word !== 'state') return;
    const { lexicon } = this;
    if (lexicon.attribute(word).size > 0 || lexicon.isVariable(word)) return;
    const { value, from } = other;
    this.checked({ text: value, quoted: true, offset: from }, () => lexicon.requireTypeOrState(word, value));
  }

  private path(node: PathNode, inside: boolean): Evaluate {
    const { head, members } = node;
    const word = head.text;
    const { source, lexicon } = this;
    const read = this.reader(members, word);
    const isMember = inside && (lexicon.attribute(word).size > 0 || lexicon.isVariable(word) || isProperty(word));
    if (isMember && !(head.quoted && lexicon.isGlobal(word))) {
      return (scope) => read(scope === undefined ? undefined : memberOf(source, scope, word));
    }
    if (!head.quoted) {
      if (word === 'time') return () => source.sim.nowMs / 1000;
      if (word === 'tick') return () => source.sim.tick;
      if (word === 'faults') return () => source.sim.faults().reduce((sum, { count }) => sum + count, 0);
    }
    if (lexicon.isGlobal(word)) return () => read(valueWithHandles(source.sim, globalValue(source.sim, word)));
    if (source.isKnown(word)) {
      this.named.push(word);
      return () => {
        const entity = source.entityNamed(word);
        return entity?.exists === true ? read(entity) : new Missing(source.whyAbsent(word));
      };
    }
    const names = [...lexicon.definition.variables.keys(), ...source.names(), ...(inside ? lexicon.members() : [])];
    const words = head.quoted ? names : [...names, 'time', 'tick', 'faults', ...setKinds];
    const { message } = unknown(`Unknown name "${word}".`, word, words);
    const isText = message.endsWith('.') && !head.quoted;
    return this.fail(head, isText ? `${message} To write a string, use quotes: '${word}'.` : message);
  }

  /** Compiles the reading of members. `name` is the name of the value in messages about members that cannot be read. */
  private reader(members: readonly Word[], name: string): (value: unknown) => unknown {
    for (const member of members) this.checked(member, () => this.lexicon.requireMember(member.text));
    return (value) => {
      let at = value;
      let called = name;
      for (const { text } of members) {
        if (at instanceof Missing) return at;
        if (at instanceof EntityHandle) at = memberOf(this.source, at as AnyHandle, text);
        else if (at !== null && typeof at === 'object')
          at = valueWithHandles(this.source.sim, (at as Dictionary)[text]);
        else return new Missing(at === undefined || at === null ? `${called} is nothing` : `${called} has no ${text}`);
        called = `${called}.${text}`;
      }
      return at;
    };
  }

  private group({ of, type, owner, holder, region, where }: SetNode) {
    const { source, lexicon } = this;
    const kind = singular[of];
    const filter: GroupFilter = {
      kind,
      type: type && this.checked(type, () => lexicon.type(kind, type.text)),
      owner: owner && this.operand(owner),
      holder: holder && this.operand(holder),
      region: region && this.checked(region, () => lexicon.region(region.text)),
      where: where && this.bind(where, true),
    };
    return () => membersOf(source, filter);
  }

  private operand(node: PathNode) {
    const evaluate = this.path(node, false);
    return { text: this.textOf(node), value: () => evaluate(undefined) };
  }

  private every(node: Extract<Node, { kind: 'every' }>): Evaluate {
    const members = this.group(node.set);
    const has = this.bind(node.has, true);
    // If the value is missing for a member, the member does not count as having it.
    const test = (member: AnyHandle) => truthOf(has(member)) === true;
    const { quantity } = node;
    const none = this.none(node.set);
    return () => {
      const found = members();
      if (found instanceof Missing) return found;
      if (quantity === 'all') return found.length === 0 ? none : found.every(test);
      return found.some(test) === (quantity === 'any');
    };
  }

  private total(node: Extract<Node, { kind: 'total' }>): Evaluate {
    const members = this.group(node.set);
    const of = this.bind(node.of, true);
    const text = this.textOf(node.of);
    const none = this.none(node.set);
    return () => {
      const found = members();
      if (found instanceof Missing) return found;
      const values: number[] = [];
      for (const member of found) {
        const value = numberOf(of(member), `${text} of ${member.id}`);
        if (typeof value !== 'number') return value;
        values.push(value);
      }
      const sum = values.reduce((total, value) => total + value, 0);
      if (node.total === 'sum') return sum;
      if (values.length === 0) return none;
      if (node.total === 'average') return sum / values.length;
      return node.total === 'min' ? Math.min(...values) : Math.max(...values);
    };
  }

  private count({ of, name }: Extract<Node, { kind: 'count' }>): Evaluate {
    const { source } = this;
    const read = this.counter(of, name);
    return () => {
      const why = source.whyUncounted();
      return why === undefined ? read() : new Missing(why);
    };
  }

  private counter(of: 'fired' | 'runs' | 'outputs', name: Word) {
    const { source, lexicon } = this;
    switch (of) {
      case 'fired': {
        const trigger = this.checked(name, () => lexicon.trigger(name.text));
        return () => firedCount(source.sim, trigger);
      }
      case 'outputs': {
        const kind = this.checked(name, () => lexicon.output(name.text));
        return () => playCounts(source.sim).outputs.get(kind) ?? 0;
      }
      case 'runs': {
        const scripts = this.checked(name, () => lexicon.scripts(name.text));
        return () => scripts.reduce((sum, { index }) => sum + playCounts(source.sim).scripts[index]!, 0);
      }
    }
  }

  private none(set: SetNode) {
    return new Missing(`there are no ${this.textOf(set)}`, true);
  }

  /** Runs `work`; adds the position of the word in the expression to an error about an unknown name. */
  private checked<T>(word: Word, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnknownName) return this.fail(word, error.message);
      throw error;
    }
  }

  private fail(word: Word, message: string): never {
    throw new ExpressionError('expression-unknown-name', message, this.text, word.offset);
  }
}

function* answers(of: readonly Evaluate[], scope: Scope): Generator<boolean | Missing> {
  for (const evaluate of of) yield truthOf(evaluate(scope));
}

function isNothing(node: Node) {
  return node.kind === 'literal' && node.value === null;
}

function present(value: unknown) {
  return value instanceof Missing ? undefined : value;
}

/** Replaces a type by its name; returns any other value unchanged. */
export function plainValue(value: unknown): unknown {
  return value instanceof TypeName ? value.name : value;
}
