import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { type AttributeDefinition, attributeRow, internalsOf, typeOf } from '../../engine/tools.ts';
import { modelOf } from '../model/index.ts';
import { type ChangeFinder, endOfTick } from './change-finder.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

/** An attribute of an entity at one moment. */
interface Attribute {
  readonly definition: AttributeDefinition;
  readonly key: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly rate: number;
}

/** The attribute that a question is about, in the simulation that questions read; undefined for other questions. */
export function attributeOf({ current, source }: PlayReader, { member, subject }: Question): Attribute | undefined {
  const of = subject();
  return of === undefined ? undefined : attributeAmong(current, of, source.lexicon.attribute(member ?? ''));
}

function attributeAmong(sim: Simulation, { entity }: AnyHandle, keys: ReadonlySet<string>): Attribute | undefined {
  const { world } = internalsOf(sim);
  const definition = typeOf(world, entity)?.attributes.definitions.find(({ key }) => keys.has(key));
  const row = definition === undefined ? -1 : attributeRow(world, entity, definition.key);
  if (definition === undefined || row < 0) return undefined;
  const { value, min, max, rate } = world.attributes;
  const { key } = definition;
  return { definition, key, value: value[row]!, min: min[row]!, max: max[row]!, rate: rate[row]! };
}

const settings = {
  min: ['its minimum,', 'attributeMin'],
  max: ['its maximum,', 'attributeMax'],
  rate: ['rate', 'attributeRate'],
} as const;

/** How many of the latest ticks in which scripts set a bound or the rate are examined. */
const settingTicksMax = 4;

/**
 * A bound or the rate of an attribute after a tick: `its maximum, 3, which "levels" set at tick 6 (0.30 s)`; `rate 5` if
 * it is that of the entity's type.
 */
export function settingText(
  reader: PlayReader,
  finder: ChangeFinder,
  question: Question,
  part: keyof typeof settings,
  tick: number,
): string {
  const [name, aspect] = settings[part];
  reader.go(tick);
  const { key = '', definition, [part]: value = Number.NaN } = attributeOf(reader, question) ?? {};
  const text = `${name} ${value}`;
  if (value === definition?.[part === 'rate' ? 'regenerateSpeed' : part]) return text;
  const model = modelOf(reader.game.definition);
  const uses = model.changes('attribute', key).filter((use) => use.aspect === aspect);
  const actions = uses.flatMap((use) => model.action(use.place, use) ?? []);
  const setting: Question = {
    ...question,
    text: `${question.text} ${part}`,
    member: undefined,
    read: () => attributeOf(reader, question)?.[part],
  };
  const ticks = actions.flatMap(({ location }) => reader.record.locations[location]?.within(-1, tick).ticks ?? []);
  for (const at of [...new Set(ticks)].sort((a, b) => b - a).slice(0, settingTicksMax)) {
    const { frames = [] } = finder.in(setting, at, endOfTick) ?? {};
    const by = actions.find((each) =>
      frames.some((frame) => frame.kind === 'action' && frame.location === each.location),
    );
    if (by !== undefined) return `${text}, which "${by.script.name}" set at ${reader.moment(at)}`;
  }
  return text;
}
