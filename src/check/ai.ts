import type { Issues } from '../../engine/core/issue.ts';
import { type Action, type Definition, literalText, type Operand } from '../../engine/index.ts';
import {
  type AI,
  type BodyType,
  changesOf,
  creationsBy,
  readOf,
  typesGivenBy,
  type UnitType,
  type ValueTypes,
} from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/** Reports AI that never does what its settings say, and weapons that only hurt enemies in a game without any. */
export function checkAi(
  definition: Definition,
  scripts: readonly WalkedScript[],
  types: ValueTypes,
  issues: Issues,
): void {
  const { unitTypes, itemTypes, playerTypes } = definition;
  const someone = [...playerTypes.values()].some(({ relationships }) =>
    [...relationships.values()].includes('hostile'),
  );
  const created = new Map<string, Operand[]>();
  /** The types that scripts assign to each player, by the text of the operand that gives the player; undefined for a computed type. */
  const typesOfOwners = new Map<string, (string | undefined)[]>();
  let enables = false;
  let isAsked = false;
  const given: Action[] = [];
  for (const { actions, calls } of scripts) {
    // Scripts that ask how players see each other can decide about targets themselves.
    isAsked ||= calls.some((call) => readOf(call, 'relation') !== undefined);
    for (const node of actions) {
      if (changesOf(node, 'aiEnabled').some(({ constant }) => constant === true)) enables = true;
      if (changesOf(node, 'ai').length > 0) given.push(node);
      for (const { of, type } of typesGivenBy(node, 'player'))
        listed(typesOfOwners, textOf(of)).push(literalText(type));
      for (const { kind, type, owner } of creationsBy(node))
        if (kind === undefined) listed(created, '');
        else if (kind === 'unit' && type !== undefined && owner !== undefined)
          listed(created, literalText(type) ?? '').push(owner);
    }
  }
  if (!enables) for (const node of given) order(node);
  for (const type of unitTypes.values()) if (type.ai !== undefined) settings(type, type.ai);
  for (const { damage, name, pointer } of itemTypes.values()) {
    if (damage === undefined) continue;
    const { targetsAffected, unitAttributes } = damage;
    if (targetsAffected.length > 0 && targetsAffected.every((word) => word === 'hostile'))
      noTarget(`"${name}" only hurts units of hostile players`, `${pointer}/damage/targetsAffected`);
    const health = unitAttributes.get('health') ?? 0;
    const mayHeal = targetsAffected.includes('friendly') || targetsAffected.includes('neutral');
    if (health >= 0 || mayHeal) continue;
    const message = `A hit with "${name}" adds ${-health} to "health", because damage is subtracted and this one is negative.`;
    const details = { expected: 'more than 0', found: String(health), suggestion: String(-health) };
    issues.add('negative-damage', `${pointer}/damage/unitAttributes/health`, message, details);
  }

  function noTarget(what: string, pointer: string): void {
    if (someone || isAsked || playerTypes.size === 0) return;
    const message = `${what}, but no player type is hostile to another or to itself.`;
    const details = { expected: '`hostile` in `relationships` of a player type', found: 'none' };
    issues.add('no-target', pointer, message, details);
  }

  /** Reports an AI whose owners are always of types that are hostile to nobody. */
  function owners({ key, name }: UnitType, at: string): void {
    // A unit created with a computed type can have any owner.
    if (isAsked || created.has('')) return;
    const types = new Set<string | undefined>();
    for (const owner of created.get(key) ?? []) {
      // The triggering player can be anybody, with any type that scripts assign.
      const isAnybody = readOf(owner, 'payload')?.kind === 'player';
      const assigned = isAnybody ? [...typesOfOwners.values()].flat() : typesOfOwners.get(textOf(owner));
      for (const each of assigned ?? []) types.add(each);
      if (assigned === undefined || assigned.length === 0) types.add(undefined);
    }
    if (types.size === 0) return;
    for (const each of types) {
      const type = each === undefined ? undefined : playerTypes.get(each);
      if (type === undefined || [...type.relationships.values()].includes('hostile')) return;
    }
    const names = [...types].map((each) => `"${each}"`).join(', ');
    const message = `The AI of "${name}" never finds a target: players of its owner's type, ${names}, are hostile to nobody.`;
    issues.add('no-target', at, message, { expected: `\`hostile\` in \`relationships\` of ${names}`, found: 'none' });
  }

  function settings(type: UnitType, ai: AI): void {
    const { name, pointer, attributes, baseSpeed } = type;
    const at = `${pointer}/ai`;
    const add = (what: string, expected: string, found: string, field = ''): void =>
      issues.add('useless-ai', `${at}${field}`, `The AI of "${name}" ${what}.`, { expected, found });
    const fights = ai.sensorResponse === 'fight' || ai.attackResponse === 'fight';
    const senses = ai.sensorResponse === 'fight' || ai.sensorResponse === 'flee';
    if (!ai.enabled && !enables) return;
    if ((fights || senses) && someone) owners(type, at);
    if (fights || senses) noTarget(`The AI of "${name}" reacts to units of hostile players`, at);
    if ((senses || fights || ai.idleBehaviour === 'wander') && !attributes.has('speed') && (baseSpeed ?? 0) === 0)
      add('cannot move, because the type has no attribute `speed`', 'an attribute `speed`', 'none');
    if (!senses) return;
    const radius = ai.sensorRadius ?? 0;
    const own = ownRadius(type);
    if (radius <= 0) add('senses nothing without a `sensorRadius`', '`sensorRadius`, px', String(radius));
    else if (radius <= own)
      add(
        `senses nothing: its \`sensorRadius\` of ${radius} px lies within its own body`,
        `px, more than ${own}`,
        String(radius),
        '/sensorRadius',
      );
    else if (ai.letGoDistance !== undefined && ai.letGoDistance > 0 && ai.letGoDistance < own)
      add(
        'lets go of each target at once: `letGoDistance` is within its own body',
        `px, more than ${own}`,
        String(ai.letGoDistance),
        '/letGoDistance',
      );
    else if (ai.letGoDistance !== undefined && ai.letGoDistance > 0 && ai.letGoDistance < radius)
      add(
        'lets go of a target as soon as it has sensed it: `letGoDistance` is less than `sensorRadius`',
        `at least ${radius}`,
        String(ai.letGoDistance),
        '/letGoDistance',
      );
  }

  /** Reports an order to a unit whose type has no AI. */
  function order(node: Action): void {
    const { of: ordered } = changesOf(node, 'ai')[0]!;
    const unit = node.operand(ordered!);
    const of = types.typesOf(unit);
    const without = of?.types.filter((type) => !('ai' in type) || type.ai?.enabled !== true) ?? [];
    if (of === undefined || without.length < of.types.length) return;
    const message = `${node.operation} does nothing: the AI of units of type "${without[0]!.name}" is not enabled.`;
    issues.add('useless-ai', () => unit.pointer, message, {
      expected: '`ai.enabled`, or `enableAI`',
      found: 'neither',
    });
  }
}

/** Half of the smaller side of the first physical body of a type, px. */
function ownRadius({ bodies }: UnitType): number {
  const body = [...bodies.values()].find(({ type }: BodyType) => type !== 'none' && type !== 'spriteOnly');
  return body === undefined ? 0 : Math.min(body.width, body.height) / 2;
}

function listed<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

function textOf({ json }: Operand): string {
  return JSON.stringify(json) ?? '';
}
