import { arrangeJournal, type Journal, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { readJournalBytes } from '../journal/index.ts';
import { unpackGame } from '../load/index.ts';
import type { ShownFailure } from '../run/index.ts';

interface Embedded {
  readonly game: LoadedGame;
  readonly journal: Journal;
  readonly failure: ShownFailure | undefined;
  readonly states: string;
  /** The tick to show first. */
  readonly tick: number | undefined;
}

/** Reads the definition and the journal embedded in a page (base64 of gzip). Throws if the page is damaged. */
export async function readEmbedded(page: Document = document): Promise<Embedded> {
  const [game, journal] = await Promise.all([gameIn(page), journalIn(page)]);
  const textOf = (id: string) => page.getElementById(id)?.textContent ?? '';
  const failure = textOf('failure');
  const tick = page.getElementById('app')?.dataset['tick'] ?? '';
  return {
    game,
    journal,
    failure: failure === '' ? undefined : (JSON.parse(failure) as ShownFailure),
    states: textOf('states'),
    tick: tick === '' ? undefined : Number(tick),
  };
}

async function gameIn(page: Document): Promise<LoadedGame> {
  const { text, host } = unpackGame(new TextDecoder().decode(await unpacked(page, 'definition')));
  const { game } = loadDefinition(JSON.parse(text), host);
  if (game === undefined) throw new Error('This page contains no game definition.');
  return game;
}

async function journalIn(page: Document): Promise<Journal> {
  const journal = arrangeJournal(readJournalBytes(await unpacked(page, 'journal'))?.records ?? []);
  if (journal === undefined) throw new Error('This page contains no journal.');
  return journal;
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
