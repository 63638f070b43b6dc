import { messageOf } from '../../../engine/core/index.ts';
import type { Observer } from '../../cluster/index.ts';
import { type Clock, within } from '../../machine/index.ts';
import type { RoomEntry } from '../lobby/room.ts';
import { checkInput } from '../room/inputs.ts';
import type { CommandToRoom } from '../room/room-messages.ts';

/** A command that uses up the number of an input. */
export type InputCommand = Extract<CommandToRoom, { kind: 'input' | 'refusedInput' }>;

/** A chat message to be checked. */
export interface ChatMessage {
  readonly room: string;
  readonly game: string;
  readonly player: string;
  readonly userId: string | undefined;
  readonly text: string;
}

/** Returns the text to publish, or undefined to refuse the message. */
export type ChatFilter = (message: ChatMessage) => string | undefined | Promise<string | undefined>;

/**
 * The time that a filter may take, ms. The later inputs of the player wait for the filter, and a longer wait would be
 * noticeable.
 */
const answerMs = 2000;

export const isChat = (command: InputCommand): boolean => command.kind === 'input' && command.input.kind === 'chat';

/**
 * Applies a filter to a chat message. If the filter fails, the message is refused: messages that were not checked must
 * not be published.
 */
export async function filtered(
  filter: ChatFilter,
  room: RoomEntry,
  command: InputCommand,
  { clock, observer }: { readonly clock: Clock; readonly observer: Pick<Observer, 'problem'> },
): Promise<InputCommand> {
  if (command.kind !== 'input' || command.input.kind !== 'chat') return command;
  const { session, player, sequence, input } = command;
  const { id, slug } = room.identity;
  const { userId } = room.seats.get(player) ?? {};
  let text: string | undefined;
  let failure = 'The chat filter did not answer in time.';
  const asked = Promise.resolve({ room: id, game: slug, player, userId, text: input.text })
    .then(filter)
    .then(
      (given) => {
        text = given;
        failure = '';
      },
      (error: unknown) => {
        failure = messageOf(error);
      },
    );
  await within(clock, answerMs, asked);
  if (failure !== '') observer.problem('chat-filter-failed', failure, { room: id });
  const checked = text === undefined || failure !== '' ? undefined : checkInput({ kind: 'chat', text }, player).input;
  if (checked !== undefined) return { ...command, input: checked };
  return { kind: 'refusedInput', session, player, sequence, code: 'refused', isChat: true };
}
