import type { DialectName } from '../../engine/index.ts';
import type { JournalTab } from '../viewer/index.ts';
import type { Order } from './live-play.ts';

/** The source from which a link gets its game. */
export type GameSource =
  | { readonly sample: string }
  | { readonly url: string }
  | { readonly text: string; readonly name: string };

/** A moment of a play, as carried by a link. */
export interface Moment {
  readonly game: GameSource;
  readonly seed: string;
  readonly dialect: DialectName;
  /** The state with which the play began, as a base64 snapshot; absent if it began with the start of the game. */
  readonly snapshot?: string | undefined;
  readonly orders: readonly Order[];
  readonly tick: number;
  readonly hash: string;
  /** The version of the engine: other versions may play differently. */
  readonly version: string;
  readonly selected?: string | undefined;
  readonly tab: JournalTab;
  /** The script whose text is shown, as `scripts/KEY`. */
  readonly script?: string | undefined;
}

/** An example in the documentation: a game, and scenarios to run with it. */
export interface Example {
  readonly game: GameSource;
  readonly scenarios?: string | undefined;
}

/** The fragment of the URL (the part after `#`) that carries a moment. */
export async function fragmentOf(moment: Moment): Promise<string> {
  const stream = new Blob([JSON.stringify(moment)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `#play=${base64Url(new Uint8Array(await new Response(stream).arrayBuffer()))}`;
}

/**
 * The moment in the fragment of a URL; undefined if it carries none. Throws an error with a readable message if it is
 * damaged.
 */
export async function momentIn(fragment: string): Promise<Moment | undefined> {
  const moment: Partial<Moment> | undefined = await unpacked('play', fragment);
  if (moment === undefined) return undefined;
  const { game, seed, dialect, orders, tick } = moment;
  const isWhole = isSource(game) && typeof seed === 'string' && Array.isArray(orders) && Number.isSafeInteger(tick);
  if (!isWhole || typeof dialect !== 'string')
    throw new Error('The link is damaged, or was made by another version of this page.');
  return moment as Moment;
}

/** The example in the fragment of a URL; undefined if there is none. See `momentIn` for the errors. */
export async function exampleIn(fragment: string): Promise<Example | undefined> {
  const example: Partial<Example> | undefined = await unpacked('try', fragment);
  if (example === undefined) return undefined;
  const { game, scenarios } = example;
  if (!isSource(game) || (scenarios !== undefined && typeof scenarios !== 'string'))
    throw new Error('The link to the example is damaged, or is for another version of this page.');
  return { game, scenarios };
}

/** Whether a value has the form of a source. This is checked, because links come from strangers. */
function isSource(game: unknown): game is GameSource {
  if (typeof game !== 'object' || game === null) return false;
  const { sample, url, text, name } = game as Readonly<Record<string, unknown>>;
  return (
    [sample, url].some((each) => typeof each === 'string') || (typeof text === 'string' && typeof name === 'string')
  );
}

async function unpacked(key: string, fragment: string): Promise<object | undefined> {
  if (!fragment.startsWith(`#${key}=`)) return undefined;
  try {
    const packed = bytesOf(fragment.slice(key.length + 2));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return Object(JSON.parse(await new Response(stream).text()));
  } catch {
    throw new Error('The link is damaged or incomplete. Ask for the link again.');
  }
}

/** Base64 with the alphabet for URLs. */
function base64Url(bytes: Uint8Array) {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** Decodes base64 of either alphabet. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
