import { arrangeJournal, type Journal, type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { type PlayComparison, readJournalBytes } from '../journal/index.ts';
import { unpackGame } from '../load/index.ts';
import type { ShownFailure } from '../run/index.ts';
import type { OtherPlay } from './panels/comparison.ts';

interface Embedded {
  readonly game: LoadedGame;
  readonly journal: Journal;
  readonly failure: ShownFailure | undefined;
  readonly other: OtherPlay | undefined;
  /** The tick to show first. */
  readonly tick: number | undefined;
}

/** Reads the definition and the journal embedded in a page (base64 of gzip). Throws if the page is damaged. */
export async function readEmbedded(page: Document = document): Promise<Embedded> {
  const [game, journal] = await Promise.all([gameIn(page, 'definition'), journalIn(page, 'journal')]);
  const failure = page.getElementById('failure')?.textContent ?? '';
  const tick = page.getElementById('app')?.dataset['tick'] ?? '';
  return {
    game,
    journal,
    failure: failure === '' ? undefined : (JSON.parse(failure) as ShownFailure),
    other: await otherIn(page, game, journal),
    tick: tick === '' ? undefined : Number(tick),
  };
}

async function gameIn(page: Document, id: string): Promise<LoadedGame> {
  const { text, host } = unpackGame(new TextDecoder().decode(await unpacked(page, id)));
  const { game } = loadDefinition(JSON.parse(text), host);
  if (game === undefined) throw new Error('This page contains no game definition.');
  return game;
}

async function journalIn(page: Document, id: string): Promise<Journal> {
  const journal = arrangeJournal(readJournalBytes(await unpacked(page, id))?.records ?? []);
  if (journal === undefined) throw new Error('This page contains no journal.');
  return journal;
}

/** The second play, as the page was written with it. */
async function otherIn(page: Document, game: LoadedGame, journal: Journal): Promise<OtherPlay | undefined> {
  const text = page.getElementById('comparison')?.textContent ?? '';
  if (text === '') return undefined;
  const { names, difference, seed, dialect } = JSON.parse(text) as PlayComparison;
  const has = (id: string): boolean => page.getElementById(id) !== null;
  const its = has('other-journal') ? await journalIn(page, 'other-journal') : journal;
  const head = { ...its.head, seed: seed ?? its.head.seed, dialect: dialect ?? its.head.dialect };
  const isChanged = seed !== undefined || dialect !== undefined;
  return {
    names,
    difference,
    game: has('other-definition') ? await gameIn(page, 'other-definition') : game,
    // The recorded states are those of another seed or dialect.
    journal: isChanged ? { ...its, head, hashes: new Map(), snapshots: [] } : its,
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
