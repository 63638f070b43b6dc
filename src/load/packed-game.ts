import type { HostWords } from '../../engine/index.ts';

/**
 * The beginning of a packed game that has a host. No JSON text begins like this, so the file of a game is never
 * mistaken for a packed game with a host.
 */
const mark = 'host ';

/** Packs the text of a definition and the words of its host into one string, for threads, journals and pages. */
export function packGame(text: string, host: HostWords | undefined): string {
  return host === undefined ? text : `${mark}${JSON.stringify(host)}\n${text}`;
}

/**
 * Returns the text of a packed game and the host's words, undefined if it has none. `packed` must come from `packGame`.
 */
export function unpackGame(packed: string): { readonly text: string; readonly host: HostWords | undefined } {
  if (!packed.startsWith(mark)) return { text: packed, host: undefined };
  const end = packed.indexOf('\n');
  return { text: packed.slice(end + 1), host: JSON.parse(packed.slice(mark.length, end)) as HostWords };
}
