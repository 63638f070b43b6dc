import type { OutputKind, TriggerType } from '../../../engine/index.ts';
import { kindOf, outputMembers, triggersOf } from '../../../engine/tools.ts';
import { type ExpressionSource, unknown } from '../../expression/index.ts';
import { ScenarioError } from '../telling/failure.ts';

interface Row {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const payloadMembers: ReadonlySet<string> = new Set(
  Object.values<Row>(triggersOf({}).rows).flatMap(({ required, optional }) => [...required, ...optional]),
);

/**
 * Checks that a trigger has a member, and that the expected value is an existing name or type. Throws `ScenarioError`
 * or `UnknownName`.
 */
export function checkPayloadMember(source: ExpressionSource, trigger: TriggerType, member: string, wanted: unknown) {
  const { required, optional }: Row = triggersOf(source.lexicon.definition).rows[trigger];
  requireMember(trigger, [...required, ...optional], member);
  const told = source.lexicon.definition.host?.triggers[trigger]?.payload?.[member];
  if (member === 'attribute' || (told !== undefined && kindOf(told).kind !== member)) return;
  if (typeof wanted === 'object' && wanted !== null) {
    const { type, ...rest } = wanted as Readonly<Record<string, unknown>>;
    const [extra] = Object.keys(rest);
    if (extra !== undefined)
      throw new ScenarioError(`For \`${member}\`, \`where\` accepts a name or { type: … }, not the member "${extra}".`);
    if (member === 'unit' || member === 'item' || member === 'projectile' || member === 'player') {
      source.lexicon.type(member, String(type));
    }
  } else if (wanted !== null && wanted !== '@nothing') requireName(source, wanted);
}

/**
 * Checks that outputs of a kind have a member, and that the audience or action of the host exists. Throws
 * `ScenarioError` or `UnknownName`.
 */
export function checkOutputMember(source: ExpressionSource, output: OutputKind, member: string, wanted: unknown) {
  if (member === 'to') checkAudience(source, wanted);
  else if (output === 'host' && member === 'operation')
    requireMember('the host', Object.keys(source.lexicon.definition.host?.operations ?? {}), String(wanted));
  else requireMember(output, [...Object.keys(outputMembers[output]), 'to'], member);
}

function requireMember(event: string, members: readonly string[], member: string) {
  if (members.includes(member)) return;
  const names = members.length === 0 ? 'none' : members.join(', ');
  throw unknown(`${event} has no member "${member}"; its members are ${names}.`, member, members);
}

/** Checks that some trigger payload has this member. Throws `UnknownName`. */
export function requirePayloadMember(member: string) {
  if (payloadMembers.has(member)) return;
  throw unknown(
    `No trigger has the payload member "${member}"; the members are ${[...payloadMembers].join(', ')}.`,
    member,
    payloadMembers,
  );
}

/** Checks that the value is `everyone` or names a player. Throws `ScenarioError` or `UnknownName`. */
export function checkAudience(source: ExpressionSource, given: unknown) {
  if (given !== 'everyone') requireName(source, given);
}

/**
 * Checks that the value is the name of an entity, player or region, or a path that begins with one, such as
 * `alice.unit`. Throws `ScenarioError` or `UnknownName`.
 */
export function requireName(source: ExpressionSource, given: unknown) {
  if (typeof given !== 'string')
    throw new ScenarioError(`${JSON.stringify(given)} is not the name of an entity, player or region.`);
  const word = given.replace(/^@/, '');
  const [name = ''] = word.split('.');
  const { variables } = source.lexicon.definition;
  if (source.isKnown(word) || source.isKnown(name) || variables.has(name)) return;
  throw unknown(`There is no entity, player or region "${name}".`, name, [...source.names(), ...variables.keys()]);
}
