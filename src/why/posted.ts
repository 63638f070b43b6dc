import { type OutputEvent, type OutputKind, outputKinds, type Simulation } from '../../engine/index.ts';
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
} from '../expression/index.ts';
import { idIn } from '../run/index.ts';
import { closestWord, shortened } from '../text/index.ts';
import type { Question } from './reading.ts';

type PostedNode = Extract<Node, { kind: 'posted' }>;

/** A question about outputs by their details. Throws `ExpressionError` for an unknown kind or member. */
export function postedQuestion(text: string, node: PostedNode, source: GameSource): Question {
  const { output, details } = node;
  const kind = output && kindOf(text, output, source);
  for (const { member } of details) if (member !== undefined) requireMember(text, member, kind);
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

function kindOf(
  text: string,
  { text: word, offset }: NonNullable<PostedNode['output']>,
  source: GameSource,
): OutputKind {
  try {
    return source.lexicon.output(word);
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    throw new ExpressionError('expression-unknown-name', error.message, text, offset);
  }
}

function requireMember(
  text: string,
  { text: word, offset }: NonNullable<Detail['member']>,
  kind: OutputKind | undefined,
): void {
  const known: readonly string[] = [
    ...(kind === undefined ? outputKinds : [kind]).flatMap((each) => outputMembers[each]),
    'to',
  ];
  if (known.includes(word)) return;
  const meant = closestWord(word, known);
  const hint =
    meant !== undefined
      ? ` Did you mean "${meant}"?`
      : kind === undefined
        ? ''
        : ` Its members are ${known.join(', ')}.`;
  const message = `${kind === undefined ? 'No output' : `No output of kind ${kind}`} has a member "${word}".${hint}`;
  throw new ExpressionError('expression-unknown-name', message, text, offset);
}

function isAmong(members: ReadonlyMap<string, string>, { member, value }: Detail, source: GameSource): boolean {
  const { text, quoted } = value;
  const entity = quoted ? undefined : source.entityNamed(text);
  const id = entity && idOf(entity);
  const fits = (found: string): boolean => (quoted ? found.includes(text) : found === text || found === id);
  if (member === undefined) return [...members.values()].some(fits);
  const found = members.get(member.text);
  return found !== undefined && fits(found);
}

/** The details of an output as texts; entities by id. */
function membersOf(sim: Simulation, { to, ...event }: OutputEvent): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const [member, value] of Object.entries(detailsOf(event))) {
    const view = viewValue(value);
    members.set(member, typeof view === 'string' ? view : JSON.stringify(view));
  }
  if (to !== undefined) members.set('to', to === 'everyone' ? to : idIn(sim, to.player));
  return members;
}

function detailsOf(event: Omit<OutputEvent, 'to'>): Record<string, unknown> {
  const {
    kind: _kind,
    tick: _tick,
    time: _time,
    scriptId: _script,
    actionType: _action,
    location: _at,
    ...details
  } = event;
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** `ui.text to alice {"value":"OUTBREAK!"}` */
export function outputText(sim: Simulation, { to, ...event }: OutputEvent, names: EntityNames): string {
  const player = typeof to === 'object' ? sim.handle(to.player) : undefined;
  const audience =
    typeof to !== 'object' ? '' : ` to ${player === undefined ? 'one player' : entityText(sim, player, names)}`;
  return shortened(`${event.kind}${audience} ${JSON.stringify(viewValue(detailsOf(event)))}`, 200);
}
