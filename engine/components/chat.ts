import { component } from '../ecs/component.ts';
import { f64, flag, type Infer, list, optional, record, text } from '../schema/index.ts';

const chatState = record({
  lastMessage: optional(text()),
  /** The last that was published. */
  lastPublished: optional(text()),
  isBanned: flag(),
  /** Of the last few messages: when they came, simulated ms, and how long they were. */
  timesMs: list(f64()),
  lengths: list(f64()),
});
export type ChatState = Infer<typeof chatState>;

/** Of players that have spoken, or were refused to. */
export const Chat = component('chat', chatState);
