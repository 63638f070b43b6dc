import type { HostWords } from '../../engine/index.ts';

/** Begins a packed game that has a host. No JSON begins so, so that no file of a game can bring words of its own. */
const mark = 'host ';

/** The text of a definition with the words of its host, for threads, journals and pages, which take one text. */
export function packGame(text: string, host: HostWords | undefined): string {
  return host === undefined ? text : `${mark}${JSON.stringify(host)}\n${text}`;
}

/** The text and the words of a packed game, which must come from `packGame`. */
export function unpackGame(packed: string): { readonly text: string; readonly host: HostWords | undefined } {
  if (!packed.startsWith(mark)) return { text: packed, host: undefined };
  const end = packed.indexOf('\n');
  return { text: packed.slice(end + 1), host: JSON.parse(packed.slice(mark.length, end)) as HostWords };
}
