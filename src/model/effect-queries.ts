import { cached, type Dictionary } from '../../engine/core/index.ts';
import {
  type Action,
  type Call,
  type Dialect,
  literalText,
  type Node,
  type Operand,
  type TriggerType,
} from '../../engine/index.ts';
import {
  type Aspect,
  type Consequence,
  type CreatedKind,
  descriptorKey,
  type Effect,
  implied,
  memberText,
  type Read,
  type Rule,
  rules,
  type Selection,
  vocabulary,
} from '../../engine/tools.ts';

/** The nodes around a node, innermost first. */
export function* above(node: Node): Generator<Node> {
  for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined) yield at;
}

/** Queries of what the actions of scripts do, based on the effects that their operations declare. */

/**
 * The name of the variable or attribute that an operand stands for: a literal, the key in a descriptor, or the variable
 * that the operand reads. Undefined if the name is computed.
 */
export function nameIn(operand: Operand): string | undefined {
  return literalText(operand) ?? descriptorKey(operand) ?? memberText(operand, 'variableName');
}

type Changing = Extract<Effect, { readonly does: 'changes' }>;
type Creating = Extract<Effect, { readonly does: 'creates' }>;

/**
 * Whether an effect happens in a dialect. Always true for a dialect with exceptions, because any of them could concern
 * the effect.
 */
export function happensIn({ only }: Pick<Effect, 'only'>, { name }: Pick<Dialect, 'name'>): boolean {
  return only === undefined || only === name || name.includes(' ');
}

/** Whether an action does nothing in a dialect, because none of its effects happens there. */
export function isAbsentIn({ effects }: Action, dialect: Pick<Dialect, 'name'>): boolean {
  return effects.length > 0 && !effects.some((effect) => happensIn(effect, dialect));
}

/** The effects of an action that change an aspect directly. */
export function changesOf(action: Action, aspect: Aspect): readonly Changing[] {
  return action.effects.filter((effect): effect is Changing => effect.does === 'changes' && effect.aspect === aspect);
}

/** The names of the global variables that an action writes; undefined stands for a computed name. */
export function variablesWrittenBy(action: Action): (string | undefined)[] {
  return assignmentsBy(action).map(({ name }) => name);
}

/** One assignment to a global variable. */
interface Assignment {
  /** The name of the variable; undefined if it is computed. */
  readonly name: string | undefined;
  /** The operand that is assigned, added or subtracted. */
  readonly value: Operand | undefined;
  readonly by: Changing['by'];
}

export function assignmentsBy(action: Action): readonly Assignment[] {
  return changesOf(action, 'variable').flatMap(({ of, key, to, by }) => {
    const operand = of === undefined && key !== undefined ? action.operand(key) : undefined;
    if (operand === undefined || operand.kind === 'nothing') return [];
    return { name: nameIn(operand), value: to === undefined ? undefined : action.operand(to), by };
  });
}

/** An entity that an action creates, with the operands for its type, position and owner. */
interface Creation {
  /** The kind of the entity; undefined if it is computed. */
  readonly kind: CreatedKind | undefined;
  readonly type: Operand | undefined;
  readonly place: Operand | undefined;
  readonly owner: Operand | undefined;
  /**
   * Whether an operand names the section of the type, so that the same action can create units, items and projectiles.
   */
  readonly isOfAnyKind: boolean;
}

export function creationsBy(action: Action): readonly Creation[] {
  return action.effects.flatMap((effect) => {
    if (effect.does !== 'creates') return [];
    const { section, type, at, of } = effect as Creating;
    const given = (key: string | undefined) => (key === undefined ? undefined : action.operand(key));
    return {
      kind: effect.kind ?? (section === undefined ? undefined : kindOfSection(literalText(action.operand(section)))),
      type: given(type),
      place: given(at),
      owner: given(of),
      isOfAnyKind: section !== undefined,
    };
  });
}

function kindOfSection(section: string | undefined): CreatedKind | undefined {
  return sections[section ?? ''];
}

const sections: Dictionary<CreatedKind> = {
  unitTypes: 'unit',
  itemTypes: 'item',
  projectileTypes: 'projectile',
};

/**
 * Whether an action may have a consequence, directly or as a consequence of one of its effects. Its nested actions and
 * the scripts that it runs do not count.
 */
export function mayCause(action: Action, consequence: Consequence, dialect: Pick<Dialect, 'name'>): boolean {
  return action.effects.some((effect) => happensIn(effect, dialect) && consequencesOf(effect).has(consequence));
}

/** The built-in rules that directly have a consequence in a dialect. Consequences of their effects do not count. */
export function rulesCausing(consequence: Consequence, dialect: Pick<Dialect, 'name'>): readonly Rule[] {
  return rules.filter(({ effects }) =>
    effects.some((effect) => happensIn(effect, dialect) && direct(effect).includes(consequence)),
  );
}

/**
 * Whether a trigger can fire. False only if it fires solely because of inputs that some action must enable, and
 * `enabled` contains none of them.
 */
export function canFire(trigger: TriggerType, enabled: ReadonlySet<string>, dialect: Pick<Dialect, 'name'>): boolean {
  const causes = rulesCausing(`fires ${trigger}`, dialect);
  enablable ??= new Set(
    [...vocabulary.actions.values()].flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.does === 'enables' ? effect.input : [])),
    ),
  );
  return causes.length === 0 || causes.some(({ when }) => when.some((by) => !enablable!.has(by) || enabled.has(by)));
}

let enablable: ReadonlySet<string> | undefined;

const known = new WeakMap<Effect, ReadonlySet<Consequence>>();

function consequencesOf(effect: Effect): ReadonlySet<Consequence> {
  return cached(known, effect, () => {
    // A set also visits what is added during the visit.
    const all = new Set(direct(effect));
    for (const each of all) for (const next of implied[each] ?? []) all.add(next);
    return all;
  });
}

function direct(effect: Effect): readonly Consequence[] {
  switch (effect.does) {
    case 'creates':
      return effect.kind === undefined
        ? ['creates unit', 'creates item', 'creates projectile']
        : [`creates ${effect.kind}`];
    case 'destroys':
      return ['destroys unit', 'destroys item', 'destroys projectile'];
    case 'changes':
      return [effect.aspect === 'variable' && effect.of === undefined ? 'variable of game' : effect.aspect];
    case 'fires':
      return [`fires ${effect.trigger}`];
    default:
      return [];
  }
}

/** The global variable that a call reads; undefined if it reads none, or one with a computed name. */
export function variableReadBy(node: Operand): string | undefined {
  const read = readOf(node, 'variable');
  return read?.of !== undefined || read?.key === undefined ? undefined : nameIn((node as Call).operand(read.key));
}

/** The types that an action gives to entities or players of a kind, with the operands that name both. */
export function typesGivenBy(
  action: Action,
  kind: 'unit' | 'player',
): readonly { readonly of: Operand; readonly type: Operand }[] {
  return changesOf(action, 'type').flatMap(({ of, to }) =>
    of !== undefined && to !== undefined && action.rule!.params[of]!.name === kind
      ? { of: action.operand(of), type: action.operand(to) }
      : [],
  );
}

/** The declared read of an aspect by a call; undefined if there is none. */
export function readOf(node: Operand, aspect: Read['aspect']): Read | undefined {
  return node.kind === 'call' ? node.rule?.reads.find((read) => read.aspect === aspect) : undefined;
}

/**
 * The loop over a group that an action performs: the kind of element, the group and the body. Undefined for other
 * actions.
 */
export function loopOf(
  action: Action,
): { readonly selects: Selection | undefined; readonly group: Operand; readonly body: Operand } | undefined {
  for (const effect of action.effects)
    if (effect.does === 'runs' && effect.over !== undefined)
      return { selects: effect.selects, group: action.operand(effect.over), body: action.operand(effect.block) };
  return undefined;
}
