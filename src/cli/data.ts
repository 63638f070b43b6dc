import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { guardJson } from '../../engine/core/json-guard.ts';
import { engineVersion } from '../../engine/core/version.ts';
import { ServerError } from '../server/base/codes.ts';
import { openRecordStore } from '../server/community/open-record-store.ts';
import { PlayersChat } from '../server/community/players-chat.ts';
import { Reports } from '../server/community/reports.ts';
import { requireJournalUrl } from '../server/journals.ts';
import { thisMachine } from '../server/machine/machine.ts';
import { openStore } from '../server/stores.ts';
import { accountBytesMax, isStoredAccount, type ListedStore, type StoredAccount } from '../store/store.ts';
import type { Terminal } from '../text/terminal.ts';
import type { DataAction } from './data-actions.ts';
import { exitCodes, Failure } from './failure.ts';
import { urlOf } from './serve.ts';

export interface DataOptions {
  readonly data: string;
  readonly store?: string;
  readonly storeUrlFile?: string;
  readonly journal?: string;
  readonly journalUrlFile?: string;
  readonly days?: number;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** The first line of a backup. */
interface Head {
  readonly kind: 'reenact-backup';
  readonly form: 1;
  readonly version: string;
  readonly atMs: number;
}

const dayMs = 24 * 3600 * 1000;

/** Manages the saved data of players, also while a server uses it. */
export async function data(
  action: DataAction,
  name: string | undefined,
  options: DataOptions,
  terminal: Terminal,
): Promise<number> {
  requireFitting(action, name, options);
  const damaged: string[] = [];
  try {
    const folder = options.data === '' ? undefined : options.data;
    const url = await urlOf('store', options.store, options.storeUrlFile);
    const isHere = folder !== undefined && existsSync(folder);
    // A missing folder looks like one in which nothing is saved, and an empty backup like a good one.
    if (url === undefined && !isHere && action !== 'restore') {
      throw new Failure(
        'data-failed',
        `There is no folder ${folder}. Name that of the server by --data, or its --store.`,
      );
    }
    const { store, close } = await openStore(url, folder);
    try {
      const said = await perform(action, name ?? '', options, store, (message) => damaged.push(message));
      const isOfPlayer = action === 'export-player' || action === 'delete-player';
      if (isOfPlayer && !isHere && options.journal === undefined && options.journalUrlFile === undefined) {
        terminal.stderr.write(
          `warning: without --journal and a folder ${folder}, reports and chat were not searched\n`,
        );
      }
      for (const message of damaged) terminal.stderr.write(`warning: ${message}\n`);
      terminal.stdout.write(
        options.json ? `${JSON.stringify({ ...said.json, damaged: damaged.length })}\n` : said.text,
      );
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof ServerError) throw new Failure(error.code, error.message);
    if (error instanceof Failure) throw error;
    throw new Failure('data-failed', error instanceof Error ? error.message : String(error));
  }
  return damaged.length > 0 ? exitCodes.errors : exitCodes.ok;
}

function requireFitting(action: DataAction, name: string | undefined, { days, overwrite }: DataOptions): void {
  const needs = { backup: 'a file', restore: 'a file', 'export-player': 'an account', 'delete-player': 'an account' };
  const needed = needs[action as keyof typeof needs] as string | undefined;
  if (needed !== undefined && name === undefined) throw new Failure('missing-argument', `${action} needs ${needed}.`);
  if (needed === undefined && name !== undefined) throw new Failure('bad-option', `${action} takes no "${name}".`);
  if (action === 'prune' && days === undefined) throw new Failure('missing-argument', 'prune needs --days.');
  if (action !== 'prune' && days !== undefined) throw new Failure('bad-option', '--days applies to prune only.');
  if (action !== 'restore' && overwrite === true)
    throw new Failure('bad-option', '--overwrite applies to restore only.');
}

interface Said {
  readonly text: string;
  readonly json: object;
}

async function perform(
  action: DataAction,
  name: string,
  options: DataOptions,
  store: ListedStore,
  onDamaged: (message: string) => void,
): Promise<Said> {
  switch (action) {
    case 'backup':
      return backUp(store, name, onDamaged);
    case 'restore':
      return restore(store, name, options.overwrite === true);
    case 'list':
      return list(store, onDamaged);
    case 'prune':
      return prune(store, options.days!, onDamaged);
    case 'export-player':
    case 'delete-player':
      return ofPlayer(store, name, options, action === 'delete-player', onDamaged);
  }
}

/** Writes a line for each account. The file is renamed once it is complete, and readable by its owner only. */
async function backUp(store: ListedStore, path: string, onDamaged: (message: string) => void): Promise<Said> {
  const beside = `${path}.${process.pid}.new`;
  const head: Head = { kind: 'reenact-backup', form: 1, version: engineVersion, atMs: Date.now() };
  let accounts = 0;
  // Fails if the file exists, because it could be a link that somebody else has put there.
  const file = await open(beside, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Failure('data-failed', `There is no folder ${dirname(path)}.`) : error;
  });
  try {
    await file.write(`${JSON.stringify(head)}\n`);
    for await (const account of store.all(onDamaged)) {
      await file.write(`${JSON.stringify(account)}\n`);
      accounts++;
    }
    // The last line proves that the file is complete.
    await file.write(`${JSON.stringify({ accounts })}\n`);
    await file.sync();
    await file.close();
    await rename(beside, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(beside, { force: true });
    throw error;
  }
  return { text: `${countText(accounts)} in ${path}\n`, json: { accounts, file: path } };
}

/** Restores a backup. Reads it twice, so that nothing is written from a damaged file. */
async function restore(store: ListedStore, path: string, overwrites: boolean): Promise<Said> {
  for await (const _account of accountsIn(path));
  let restored = 0;
  let newer = 0;
  for await (const { gameId, userId, kept } of accountsIn(path)) {
    const present = await store.load(gameId, userId);
    if (!overwrites && present !== undefined && (present.savedAtMs ?? 0) > (kept.savedAtMs ?? 0)) newer++;
    else {
      await store.save(gameId, userId, kept);
      restored++;
    }
  }
  const left =
    newer === 0 ? '' : `; ${newer} left as they are, because they were saved later (--overwrite replaces them)`;
  return { text: `${countText(restored)} restored${left}\n`, json: { restored, newer } };
}

/** The lines of a backup. One that has no end, which may be one of a file that is no backup, is not read whole. */
async function* linesIn(path: string, fail: (what: string) => never): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>) {
    let text = '';
    try {
      text = decoder.decode(part, { stream: true });
    } catch {
      fail('This is not UTF-8 text.');
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
    if (rest.length > accountBytesMax) fail(`The line is longer than ${accountBytesMax / 1024 ** 2} MB.`);
  }
  if (rest !== '') yield rest;
}

async function* accountsIn(path: string): AsyncGenerator<StoredAccount> {
  let number = 0;
  let accounts = 0;
  let end: unknown;
  const fail = (what: string, line = number): never => {
    throw new Failure('bad-backup', `${path}:${line}: ${what}`);
  };
  for await (const line of linesIn(path, (what) => fail(what, number + 1))) {
    number++;
    const value = parsed(line);
    if (number === 1) {
      const { kind, form } = (value ?? {}) as Partial<Head>;
      if (kind !== 'reenact-backup') fail('This is not a backup of reenact data.');
      if (form !== 1) fail(`The backup has format ${form}, which this version cannot read.`);
    } else if (end !== undefined) fail('Unexpected line after the end of the backup.');
    else if (isStoredAccount(value)) {
      accounts++;
      yield value;
    } else {
      end = (value as { accounts?: unknown } | undefined)?.accounts;
      if (end !== accounts) fail(`Expected an account, or {"accounts": ${accounts}} at the end.`);
    }
  }
  if (end === undefined) throw new Failure('bad-backup', `${path} was cut short: its last line is missing.`);
}

function parsed(line: string): unknown {
  // Values nested too deeply cannot be stored.
  if (guardJson(line).refusal !== undefined) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function list(store: ListedStore, onDamaged: (message: string) => void): Promise<Said> {
  const games = new Map<string, { accounts: number; newestMs: number | undefined }>();
  for await (const { gameId, kept } of store.all(onDamaged)) {
    const game = games.get(gameId) ?? { accounts: 0, newestMs: undefined };
    game.accounts++;
    if (kept.savedAtMs !== undefined) game.newestMs = Math.max(game.newestMs ?? 0, kept.savedAtMs);
    games.set(gameId, game);
  }
  const rows = [...games].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = rows.map(([game, { accounts, newestMs }]) => {
    const when = newestMs === undefined ? '' : `, last saved ${new Date(newestMs).toISOString()}`;
    return `${JSON.stringify(game)}: ${countText(accounts)}${when}\n`;
  });
  return {
    text: text.length === 0 ? 'Nothing is saved.\n' : text.join(''),
    json: { games: rows.map(([game, figures]) => ({ game, ...figures })) },
  };
}

/** Keeps accounts without a time of saving. */
async function prune(store: ListedStore, days: number, onDamaged: (message: string) => void): Promise<Said> {
  const before = Date.now() - days * dayMs;
  let removed = 0;
  for await (const { gameId, userId, kept } of store.all(onDamaged)) {
    if (kept.savedAtMs === undefined || kept.savedAtMs >= before) continue;
    // The account may have been saved since the listing.
    if (((await store.load(gameId, userId))?.savedAtMs ?? 0) >= before) continue;
    await store.remove(gameId, userId);
    removed++;
  }
  return { text: `${countText(removed)} removed\n`, json: { removed } };
}

/** What is kept about one account: its saved data in all games, the reports by and about it, and what it said in the chat. */
async function ofPlayer(
  store: ListedStore,
  userId: string,
  { data: folder, ...options }: DataOptions,
  removes: boolean,
  onDamaged: (message: string) => void,
): Promise<Said> {
  const journal = await urlOf('journal', options.journal, options.journalUrlFile);
  requireJournalUrl(journal);
  const records = await openRecordStore(journal, folder === '' ? undefined : folder, thisMachine);
  try {
    const reports = new Reports(records, thisMachine);
    const concerned = (await reports.all()).filter(({ by, about }) => by.userId === userId || about.userId === userId);
    const chat = new PlayersChat(folder, userId);
    const saved: StoredAccount[] = [];
    for await (const account of store.all(onDamaged)) if (account.userId === userId) saved.push(account);
    if (!removes) {
      const found = {
        userId,
        saved: saved.map(({ gameId, kept }) => ({ gameId, kept })),
        reports: concerned,
        chat: await chat.lines(),
      };
      return { text: `${JSON.stringify(found, null, 2)}\n`, json: found };
    }
    for (const { gameId } of saved) await store.remove(gameId, userId);
    for (const { id } of concerned) await reports.remove(id);
    const json = { games: saved.length, reports: concerned.length, chat: await chat.erase() };
    return {
      text: `removed: data of ${json.games} games, ${json.reports} reports, ${json.chat} chat messages\n`,
      json,
    };
  } finally {
    records.close();
  }
}

function countText(accounts: number): string {
  return `${accounts} ${accounts === 1 ? 'account' : 'accounts'}`;
}
