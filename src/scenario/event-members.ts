import type { OutputKind, TriggerType } from '../../engine/index.ts';
import { outputMembers, triggers } from '../../engine/internal.ts';
import { unknown } from '../expression/lexicon.ts';
import type { ExpressionSource } from '../expression/source.ts';
import { Mistake } from './failure.ts';

interface Row {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const payloadMembers: ReadonlySet<string> = new Set(
  Object.values<Row>(triggers).flatMap(({ required, optional }) => [...required, ...optional]),
);

/** Whether a trigger has a member, and whether the wanted value is a name or type that exists. */
export function checkPayloadMember(
  source: ExpressionSource,
  trigger: TriggerType,
  member: string,
  wanted: unknown,
): void {
  const { required, optional }: Row = triggers[trigger];
  needMember(trigger, [...required, ...optional], member);
  if (member === 'attribute') return;
  if (typeof wanted === 'object' && wanted !== null) {
    const { type, ...rest } = wanted as Readonly<Record<string, unknown>>;
    const [extra] = Object.keys(rest);
    if (extra !== undefined)
      throw new Mistake(`Of a ${member}, \`where\` can say its name or { type: … }, not "${extra}".`);
    if (member === 'unit' || member === 'item' || member === 'projectile' || member === 'player') {
      source.lexicon.type(member, String(type));
    }
  } else if (wanted !== null && wanted !== '@nothing') needName(source, wanted);
}

/** Whether outputs of a kind have a member; in `to`, whether the audience exists. */
export function checkOutputMember(source: ExpressionSource, output: OutputKind, member: string, wanted: unknown): void {
  if (member === 'to') checkAudience(source, wanted);
  else needMember(output, [...outputMembers[output], 'to'], member);
}

function needMember(event: string, members: readonly string[], member: string): void {
  if (members.includes(member)) return;
  const names = members.length === 0 ? 'nothing' : members.join(', ');
  throw unknown(`${event} does not tell of "${member}"; it tells of ${names}.`, member, members);
}

/** A member of what triggers a script. */
export function needPayloadMember(member: string): void {
  if (payloadMembers.has(member)) return;
  throw unknown(
    `No trigger tells of "${member}"; they tell of ${[...payloadMembers].join(', ')}.`,
    member,
    payloadMembers,
  );
}

/** Everyone, or a player. */
export function checkAudience(source: ExpressionSource, given: unknown): void {
  if (given !== 'everyone') needName(source, given);
}

/** Of an entity, player or region; also `alice.unit`. */
export function needName(source: ExpressionSource, given: unknown): void {
  if (typeof given !== 'string') throw new Mistake(`${JSON.stringify(given)} is no name of an entity or player.`);
  const word = given.startsWith('@') ? given.slice(1) : given;
  const [name = ''] = word.split('.');
  const { variables } = source.lexicon.definition;
  if (source.isKnown(word) || source.isKnown(name) || variables.has(name)) return;
  throw unknown(`Nobody and nothing here is called "${name}".`, name, [...source.names(), ...variables.keys()]);
}
