import type { UnitHandle } from '../../engine/index.ts';
import { attributeOf } from './attributes.ts';
import { restLines } from './motion.ts';
import type { PlayReader } from './play-reader.ts';
import { isPlace, type Question } from './reading.ts';
import { unrestoredLines } from './saved-data.ts';

/**
 * Lines that explain a value after a tick and are certain without a trial play. `isFirst`: whether the value is still
 * its first one.
 */
export function certainLines(
  reader: PlayReader,
  question: Question,
  tick: number,
  isFirst: boolean,
): readonly string[] {
  const { node, member, subject, read } = question;
  const sim = reader.go(tick);
  const { lexicon } = reader.source;
  const of = subject();
  if (of === undefined || member === undefined) return [];
  const attributes = [...lexicon.attribute(member)];
  const isVariable = lexicon.isVariable(member);
  const saved = isVariable ? [member] : attributes;
  const unrestored = isFirst ? saved.flatMap((key) => unrestoredLines(sim, of, key, read())) : [];
  if (unrestored.length > 0 || isVariable) return unrestored;
  if (attributes.length > 0)
    return attributeOf(reader, question) === undefined ? [`${of.id} has no attribute ${member}.`] : [];
  if (of.kind !== 'unit' || node.kind !== 'path') return [];
  if (member === 'holding' && of.holding === undefined) return emptyHandLines(of);
  return isPlace(member) ? restLines(sim, of, reader.source) : [];
}

/** Says that the selected slot is empty, and in which slots the unit carries items. */
function emptyHandLines({ slot, slots }: UnitHandle) {
  const carried = slots.flatMap((item, i) => (item === undefined ? [] : `${item.id} (${item.name}) in slot ${i + 1}`));
  return carried.length === 0
    ? []
    : [`The selected slot ${slot + 1} is empty; the unit carries ${carried.join('; ')}.`];
}
