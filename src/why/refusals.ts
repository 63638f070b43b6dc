import { EntityHandle, type Input } from '../../engine/index.ts';
import { refusalCodes } from '../../engine/tools.ts';
import { valueText } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

type Purchase = Extract<Input, { kind: 'buyItem' }>;

/** The latest refusals are told, of the latest ticks with a purchase. */
const refusedShown = 3;
const ticksMax = 8;

/**
 * The purchases that the game refused in the ticks after `from` up to `tick`, for a question about the items of a
 * player or its unit.
 */
export function refusedLines(
  reader: PlayReader,
  { text, node }: Question,
  from: number,
  tick: number,
): readonly string[] {
  if (node.kind !== 'set' || node.of !== 'items' || node.holder === undefined) return [];
  const { holder, region, where, owner, type } = node;
  if ((region ?? where ?? owner) !== undefined) return [];
  const wanted = type && reader.source.lexicon.type('item', type.text);
  const sim = reader.go(tick);
  const held = reader.question(text.slice(holder.from, holder.to)).read();
  const buyer = sim
    .players()
    .find(({ id, unit }) => held instanceof EntityHandle && (id === held.id || unit?.id === held.id));
  if (buyer === undefined) return [];
  const name = valueText(sim, buyer, reader.source);
  const isMeant = (input: Input): input is Purchase =>
    input.kind === 'buyItem' && input.player === buyer.clientId && (wanted ?? input.type) === input.type;
  const ticks = [...reader.journal.inputs].flatMap(([at, inputs]) =>
    at > from && at <= tick && inputs.some(isMeant) ? at : [],
  );
  const found = ticks.slice(-ticksMax).flatMap((at) => {
    const lines: string[] = [];
    const then = reader.before(at);
    then.on('refused', ({ input, reason, why = reason }) => {
      if (!isMeant(input)) return;
      const said = `${name}'s input buyItem ${input.type} was refused`;
      lines.push(`At ${reader.moment(at)} ${said}: ${why} (${refusalCodes[why]})`);
    });
    then.step();
    return lines;
  });
  return found.slice(-refusedShown);
}
