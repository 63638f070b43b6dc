import type { JournalTab } from '../viewer/panels.ts';
import type { Order } from './live-play.ts';
import type { DialectName } from './messages.ts';

/** Where the game of a link is. */
export type GameSource =
  | { readonly sample: string }
  | { readonly url: string }
  | { readonly text: string; readonly name: string };

/** A moment of a play: what a link carries. */
export interface Moment {
  readonly game: GameSource;
  readonly seed: string;
  readonly dialect: DialectName;
  /** The state that the play began with, in base64; absent for the beginning of the game. */
  readonly snapshot?: string | undefined;
  readonly orders: readonly Order[];
  readonly tick: number;
  readonly hash: string;
  /** The version of the engine, because another one may play differently. */
  readonly version: string;
  readonly selected?: string | undefined;
  readonly tab: JournalTab;
}

/** The part of the address after `#` that carries a moment. */
export async function fragmentOf(moment: Moment): Promise<string> {
  const stream = new Blob([JSON.stringify(moment)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `#play=${base64Url(new Uint8Array(await new Response(stream).arrayBuffer()))}`;
}

/** The moment of an address; undefined if it has none. Throws an error with a readable message if it is damaged. */
export async function momentIn(fragment: string): Promise<Moment | undefined> {
  const packed = /^#play=(.*)$/.exec(fragment)?.[1];
  if (packed === undefined) return undefined;
  let moment: Partial<Moment>;
  try {
    const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    moment = JSON.parse(await new Response(stream).text());
  } catch {
    throw new Error('The link is damaged or was cut off on its way. Ask for it once more.');
  }
  const { game, seed, dialect, orders, tick } = moment;
  const isWhole =
    typeof game === 'object' && typeof seed === 'string' && Array.isArray(orders) && Number.isSafeInteger(tick);
  if (!isWhole || (dialect !== 'standard' && dialect !== 'moddio' && typeof dialect !== 'string'))
    throw new Error('The link holds no play that this page understands.');
  return moment as Moment;
}

/** Base64 in the alphabet of addresses. */
function base64Url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Reads both alphabets. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
