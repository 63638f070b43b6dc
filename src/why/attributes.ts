import { type AttributeDefinition, attributeRow, internalsOf, typeOf } from '../../engine/tools.ts';
import type { ChangeFinder } from './change-finder.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

/** An attribute of an entity at one moment. */
interface Attribute {
  readonly definition: AttributeDefinition;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly rate: number;
}

/** The attribute that a question is about, in the simulation that questions read; undefined for other questions. */
export function attributeOf({ current, source }: PlayReader, { member, subject }: Question): Attribute | undefined {
  const { entity = 0 } = subject() ?? {};
  const { world } = internalsOf(current);
  const keys = source.lexicon.attribute(member ?? '');
  const definition = typeOf(world, entity)?.attributes.definitions.find(({ key }) => keys.has(key));
  if (definition === undefined) return undefined;
  const row = attributeRow(world, entity, definition.key);
  const { value, min, max, rate } = world.attributes;
  return { definition, value: value[row]!, min: min[row]!, max: max[row]!, rate: rate[row]! };
}

const names = { min: 'its minimum,', max: 'its maximum,', rate: 'rate' };

/**
 * A bound or the rate of an attribute after a tick, as text: `rate 5` for the value of the entity's type, otherwise
 * with the script that set the value, such as `its maximum, 3, which "levels" set at tick 6 (0.30 s)`.
 */
export function settingText(
  reader: PlayReader,
  finder: ChangeFinder,
  question: Question,
  part: keyof typeof names,
  tick: number,
): string {
  const read = (): Attribute | undefined => attributeOf(reader, question);
  reader.go(tick);
  const { definition, [part]: value = 0 } = read() ?? {};
  const text = `${names[part]} ${value}`;
  if (value === definition?.[part === 'rate' ? 'regenerateSpeed' : part]) return text;
  const setting = { ...question, text: `${question.text} ${part}`, member: undefined, read: () => read()?.[part] };
  const found = finder.lastChange(setting, tick);
  const by = found?.change.frames.findLast((frame) => frame.kind === 'action');
  return by === undefined
    ? text
    : `${text}, which "${reader.program.locations[by.location]!.script.name}" set at ${reader.moment(found!.tick)}`;
}
