import { arrangeJournal, type Journal, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { readJournalBytes } from '../journal/journal-bytes.ts';
import type { ShownFailure } from '../run/failure-report.ts';

interface Embedded {
  readonly game: LoadedGame;
  readonly journal: Journal;
  readonly failure: ShownFailure | undefined;
  /** The tick to show first. */
  readonly tick: number | undefined;
}

/** Reads the definition and the journal embedded in a page (base64 of gzip). Throws if the page is damaged. */
export async function readEmbedded(page: Document = document): Promise<Embedded> {
  const [text, bytes] = await Promise.all([unpacked(page, 'definition'), unpacked(page, 'journal')]);
  const { game } = loadDefinition(JSON.parse(new TextDecoder().decode(text)));
  if (game === undefined) throw new Error('This page contains no game definition.');
  const journal = arrangeJournal(readJournalBytes(bytes)?.records ?? []);
  if (journal === undefined) throw new Error('This page contains no journal.');
  const failure = page.getElementById('failure')?.textContent ?? '';
  const tick = page.getElementById('app')?.dataset['tick'] ?? '';
  return {
    game,
    journal,
    failure: failure === '' ? undefined : (JSON.parse(failure) as ShownFailure),
    tick: tick === '' ? undefined : Number(tick),
  };
}

async function unpacked(page: Document, id: string): Promise<Uint8Array> {
  const text = page.getElementById(id)?.textContent?.trim();
  if (text === undefined) throw new Error(`This page contains no ${id}.`);
  try {
    const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`The ${id} in this page is damaged.`);
  }
}
