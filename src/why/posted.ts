import { defined } from '../../engine/core/index.ts';
import { type OutputEvent, outputKinds, type Simulation } from '../../engine/index.ts';
import { outputMembers, viewValue } from '../../engine/tools.ts';
import {
  type Detail,
  type EntityNames,
  ExpressionError,
  entityText,
  type GameSource,
  idOf,
  type Node,
  UnknownName,
  unknown,
} from '../expression/index.ts';
import { idIn } from '../run/index.ts';
import { shortened } from '../text/index.ts';
import type { Question } from './reading.ts';

/** A question about outputs by their details. Throws `ExpressionError` for an unknown kind or member. */
export function postedQuestion(text: string, node: Extract<Node, { kind: 'posted' }>, source: GameSource): Question {
  const { output, details } = node;
  const kind = output && named(text, output, (word) => source.lexicon.output(word));
  const known: readonly string[] = [
    ...(kind === undefined ? outputKinds : [kind]).flatMap((each) => Object.keys(outputMembers[each])),
    'to',
  ];
  for (const { member } of details) {
    if (member === undefined) continue;
    named(text, member, (word) => {
      const what = kind === undefined ? 'No output event' : `No output event of kind ${kind}`;
      if (!known.includes(word)) throw unknown(`${what} has a member "${word}".`, word, known);
    });
  }
  let count = 0;
  return {
    text,
    node,
    isCount: true,
    member: undefined,
    read: () => count,
    truth: () => count > 0,
    subject: () => undefined,
    parts: () => [],
    hears(event) {
      if (kind !== undefined && event.kind !== kind) return;
      const members = membersOf(source.sim, event);
      if (details.every((detail) => isAmong(members, detail, source))) count++;
    },
  };
}

/** Looks up what a word of an expression names; an unknown name becomes an `ExpressionError` at that word. */
function named<T>(text: string, { text: word, offset }: Detail['value'], find: (word: string) => T): T {
  try {
    return find(word);
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    throw new ExpressionError('expression-unknown-name', error.message, text, offset);
  }
}

function isAmong(members: ReadonlyMap<string, string>, { member, value }: Detail, source: GameSource) {
  const { text, quoted } = value;
  const entity = quoted ? undefined : source.entityNamed(text);
  const id = entity && idOf(entity);
  const fits = (found: string) => (quoted ? found.includes(text) : found === text || found === id);
  const found = member && members.get(member.text);
  return member === undefined ? [...members.values()].some(fits) : found !== undefined && fits(found);
}

/** The details of an output as strings; entities by id. */
function membersOf(sim: Simulation, event: OutputEvent): ReadonlyMap<string, string> {
  const { to } = event;
  const texts = Object.entries(detailsOf(event)).map(([member, value]) => {
    const view = viewValue(value);
    return [member, typeof view === 'string' ? view : JSON.stringify(view)] as const;
  });
  const members = new Map(texts);
  if (to !== undefined) members.set('to', to === 'everyone' ? to : idIn(sim, to.player));
  return members;
}

function detailsOf(event: OutputEvent): Record<string, unknown> {
  const members = Object.keys(outputMembers[event.kind]);
  const details: Readonly<Record<string, unknown>> = event;
  return defined(Object.fromEntries(members.map((member) => [member, details[member]])));
}

/** An output as text: `ui.text to alice {"value":"OUTBREAK!"}`. */
export function outputText(sim: Simulation, event: OutputEvent, names: EntityNames): string {
  const { kind, to } = event;
  const player = typeof to === 'object' ? sim.handle(to.player) : undefined;
  const audience =
    typeof to !== 'object' ? '' : ` to ${player === undefined ? 'one player' : entityText(sim, player, names)}`;
  return shortened(`${kind}${audience} ${JSON.stringify(viewValue(detailsOf(event)))}`, 200);
}
