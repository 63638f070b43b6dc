/** The module `reenact/why`. It is separate from the door of this room, which also exports what only our tools need. */

export { ExpressionError } from '../expression/index.ts';
export type { Answer, Cause, Read, Write } from './answer.ts';
export { NoSuchTick } from './play-reader.ts';
export { RecordedPlay, type WhyOptions } from './recorded-play.ts';
export { whyText } from './why-text.ts';
