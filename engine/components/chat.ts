import { component } from '../ecs/component.ts';
import { f64, flag, type Infer, list, optional, record, text } from '../schema/index.ts';

const chatState = record({
  lastMessage: optional(text()),
  /** The last message that was published. */
  lastPublished: optional(text()),
  isMuted: flag(),
  /**
   * The arrival times (simulated ms) and the lengths (characters) of the player's last five messages, for the detection
   * of spam.
   */
  timesMs: list(f64()),
  lengths: list(f64()),
});
export type ChatState = Infer<typeof chatState>;

/** The chat state of players who have sent a message, or were muted. */
export const Chat = component('chat', chatState);
