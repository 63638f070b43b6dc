import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cached, engineVersion, guardJson, isUserError, messageOf } from '../../../engine/core/index.ts';
import { thisMachine } from '../../machine/index.ts';
import {
  type Ban,
  type CommunityLine,
  CommunityRestore,
  communityLines,
  isCommunityLine,
  isSharedJournal,
  openRecordStore,
  openStore,
  PlayersChat,
  Reports,
  requireJournalUrl,
} from '../../server/index.ts';
import {
  type AccountStore,
  accountBytesMax,
  isStoredAccount,
  jsonRecords,
  type RecordStore,
  type StoredAccount,
} from '../../store/index.ts';
import { amount, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { urlOf } from '../serve/serve.ts';
import type { DataOptions } from './command.ts';
import type { DataAction } from './data-actions.ts';

const noCounts = { accounts: 0, bans: 0, reports: 0 };

const dayMs = 24 * 3600 * 1000;
/** The actions about a single player. They also export or delete the player's chat messages. */
const actionsOfPlayer: ReadonlySet<DataAction> = new Set(['export-player', 'delete-player']);

/** Manages the saved data of players, their bans and reports. It can run while a server uses them. */
export async function data(action: DataAction, name: string | undefined, options: DataOptions, terminal: Terminal) {
  requireFitting(action, name, options);
  const damaged: string[] = [];
  try {
    const folder = options.data === '' ? undefined : options.data;
    const url = await urlOf('store', options.store, options.storeUrlFile);
    const isHere = folder !== undefined && existsSync(folder);
    // A missing folder is an error, because otherwise a misspelt name would produce a backup that is empty but looks
    // complete.
    if (url === undefined && !isHere && action !== 'restore') {
      throw new Failure(
        'data-failed',
        `The folder ${folder ?? 'of --data'} does not exist. Give the data folder of the server with --data, or its store with --store.`,
      );
    }
    const journal = await urlOf('journal', options.journal, options.journalUrlFile);
    requireJournalUrl(journal);
    const isShared = isSharedJournal(journal);
    const store = await openStore(url, folder);
    const records = await openRecordStore(journal, folder, thisMachine);
    try {
      if (action === 'restore' && !isShared && folder === undefined) {
        throw new Failure('missing-argument', 'restore needs --data or --journal to store bans and reports in.');
      }
      const said = await perform(action, name ?? '', options, { store, records }, (message) => damaged.push(message));
      const isDatabase = url !== undefined && !/^(?:file|memory):/i.test(url);
      if (action !== 'prune' && url !== undefined && !isShared && (isDatabase || !isHere)) {
        const what = actionsOfPlayer.has(action) ? 'bans, reports and chat' : 'bans and reports';
        const where = `${action === 'restore' ? 'were restored to' : 'were looked for in'} the folder ${folder}`;
        const missing = isHere || action === 'restore' ? '' : ', which does not exist';
        terminal.stderr.write(
          `warning: ${what} ${where}${missing}; if the servers share a journal in Redis, give its URL with --journal\n`,
        );
      }
      for (const message of damaged) terminal.stderr.write(`warning: ${message}\n`);
      terminal.stdout.write(
        options.json ? `${JSON.stringify({ ...said.json, damaged: damaged.length })}\n` : said.text,
      );
    } finally {
      await records.close();
      await store.close();
    }
  } catch (error) {
    if (isUserError(error)) throw error;
    throw new Failure('data-failed', messageOf(error));
  }
  return damaged.length > 0 ? exitCodes.errors : exitCodes.ok;
}

function requireFitting(action: DataAction, name: string | undefined, { days, overwrite }: DataOptions) {
  const needs = { backup: 'a file', restore: 'a file', 'export-player': 'an account', 'delete-player': 'an account' };
  const needed = needs[action as keyof typeof needs] as string | undefined;
  if (needed !== undefined && name === undefined) throw new Failure('missing-argument', `${action} needs ${needed}.`);
  if (needed === undefined && name !== undefined)
    throw new Failure('bad-option', `${action} takes no name, but "${name}" was given.`);
  if (action === 'prune' && days === undefined) throw new Failure('missing-argument', 'prune needs --days.');
  if (action !== 'prune' && days !== undefined) throw new Failure('bad-option', '--days applies to prune only.');
  if (action !== 'restore' && action !== 'backup' && overwrite === true)
    throw new Failure('bad-option', '--overwrite applies to backup and restore only.');
  if (action === 'backup' && overwrite !== true && existsSync(name!))
    throw new Failure('data-failed', `${name} already exists. Name another file, or add --overwrite to replace it.`);
}

/** The places where a server stores saved data, and bans and reports. */
interface Kept {
  readonly store: AccountStore;
  readonly records: RecordStore;
}

async function perform(
  action: DataAction,
  name: string,
  options: DataOptions,
  kept: Kept,
  onDamaged: (message: string) => void,
) {
  switch (action) {
    case 'backup':
      return backUp(kept, name, onDamaged);
    case 'restore':
      return restore(kept, name, options.overwrite === true);
    case 'list':
      return list(kept, onDamaged);
    case 'prune':
      return prune(kept.store, options.days!, onDamaged);
    case 'export-player':
    case 'delete-player':
      return ofPlayer(kept, name, options, action === 'delete-player', onDamaged);
  }
}

/**
 * Writes a backup with one line for each account, ban and report. Only the owner can read the file. It is written under
 * a temporary name, and renamed once it is complete.
 */
async function backUp({ store, records }: Kept, path: string, onDamaged: (message: string) => void) {
  const beside = `${path}.${process.pid}.new`;
  const head = { kind: 'reenact-backup', form: 2, version: engineVersion, atMs: Date.now() };
  const counts = { ...noCounts };
  // The flag `wx` fails if the file exists, because an existing file could be a link that another user created.
  const file = await open(beside, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Failure('data-failed', `The folder ${dirname(path)} of the backup does not exist.`)
      : error;
  });
  try {
    await file.appendFile(`${JSON.stringify(head)}\n`);
    for await (const account of store.all(onDamaged)) {
      await file.appendFile(`${JSON.stringify(account)}\n`);
      counts.accounts++;
    }
    for await (const line of communityLines(records, onDamaged)) {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      if ('ban' in line) counts.bans++;
      if ('report' in line) counts.reports++;
    }
    // The last line proves that the backup is complete.
    await file.appendFile(`${JSON.stringify(counts)}\n`);
    await file.sync();
    await file.close();
    await rename(beside, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(beside, { force: true });
    throw error;
  }
  return { text: `${countsText(counts)} in ${path}\n`, json: { ...counts, file: path } };
}

/** Restores a backup. The file is read twice, so that nothing is written if it is damaged. */
async function restore({ store, records }: Kept, path: string, overwrites: boolean) {
  for await (const _line of backupIn(path));
  let restored = 0;
  let newer = 0;
  const community = await CommunityRestore.begin(records, Date.now(), overwrites);
  for await (const line of backupIn(path)) {
    if (!isStoredAccount(line)) {
      await community.add(line);
      continue;
    }
    const { gameId, userId, kept } = line;
    // With `overwrites`, the stored account is not read, because it may be damaged: that may be why the backup is
    // restored.
    const present = overwrites ? undefined : await store.load(gameId, userId);
    if (present !== undefined && (present.savedAtMs ?? 0) > (kept.savedAtMs ?? 0)) newer++;
    else {
      await store.save(gameId, userId, kept);
      restored++;
    }
  }
  newer += community.newer;
  const left =
    newer === 0 ? '' : `; ${newer} not restored, because they were saved after the backup (--overwrite replaces them)`;
  const { bans, reports } = community;
  const text = `${countsText({ accounts: restored, bans, reports })} restored${left}\n`;
  return { text, json: { restored, bans, reports, newer } };
}

/**
 * The lines of a backup. Fails before a line that is too long has been read to its end: the file is then not a backup.
 */
async function* linesIn(path: string, fail: (what: string) => never): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>) {
    let text = '';
    try {
      text = decoder.decode(part, { stream: true });
    } catch {
      fail('The file is not UTF-8 text.');
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
    if (rest.length > accountBytesMax) fail(`The line is longer than ${accountBytesMax / 1024 ** 2} MB.`);
  }
  if (rest !== '') yield rest;
}

async function* backupIn(path: string): AsyncGenerator<StoredAccount | CommunityLine> {
  let number = 0;
  const counts = { ...noCounts };
  let end: unknown;
  const fail = (what: string, line = number): never => {
    throw new Failure('bad-backup', `${path}:${line}: ${what}`);
  };
  for await (const line of linesIn(path, (what) => fail(what, number + 1))) {
    number++;
    const value = parsed(line);
    if (number === 1) {
      const { kind, form } = (value ?? {}) as { readonly kind?: unknown; readonly form?: unknown };
      if (kind !== 'reenact-backup') fail('The file is not a backup that reenact data wrote.');
      if (form !== 2) fail(`The backup has format ${form}, which this version cannot read.`);
    } else if (end !== undefined) fail('Unexpected line after the end of the backup.');
    else if (isStoredAccount(value)) {
      counts.accounts++;
      yield value;
    } else if (isCommunityLine(value)) {
      if ('ban' in value) counts.bans++;
      if ('report' in value) counts.reports++;
      yield value;
    } else {
      end = value;
      const expected = JSON.stringify(counts);
      if (line !== expected) fail(`Expected an account, a ban or a report, or the last line ${expected}.`);
    }
  }
  if (end === undefined) throw new Failure('bad-backup', `${path} is truncated: its last line is missing.`);
}

function parsed(line: string): unknown {
  // A line with values that are nested too deeply cannot be an account.
  if (guardJson(line).refusal !== undefined) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function list({ store, records }: Kept, onDamaged: (message: string) => void) {
  const games = new Map<string, { accounts: number; newestMs: number | undefined }>();
  for await (const { gameId, kept } of store.all(onDamaged)) {
    const game = cached(games, gameId, () => ({ accounts: 0, newestMs: undefined }));
    game.accounts++;
    if (kept.savedAtMs !== undefined) game.newestMs = Math.max(game.newestMs ?? 0, kept.savedAtMs);
  }
  const rows = [...games].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = rows.map(([game, { accounts, newestMs }]) => {
    const when = newestMs === undefined ? '' : `, last saved ${new Date(newestMs).toISOString()}`;
    return `${JSON.stringify(game)}: ${amount(accounts, 'account')}${when}\n`;
  });
  const bans = (await jsonRecords(records, 'bans')).size;
  const reports = (await jsonRecords(records, 'reports')).size;
  if (bans + reports > 0) text.push(`${amount(bans, 'ban')}, ${amount(reports, 'report')}\n`);
  return {
    text: text.length === 0 ? 'Nothing is saved.\n' : text.join(''),
    json: { games: rows.map(([game, figures]) => ({ game, ...figures })), bans, reports },
  };
}

/** Removes accounts that were last saved more than `days` days ago. Accounts without a time of saving are kept. */
async function prune(store: AccountStore, days: number, onDamaged: (message: string) => void) {
  const before = Date.now() - days * dayMs;
  let removed = 0;
  for await (const { gameId, userId, kept } of store.all(onDamaged)) {
    if (kept.savedAtMs === undefined || kept.savedAtMs >= before) continue;
    // The account is checked again, because it may have been saved since it was listed.
    if (((await store.load(gameId, userId))?.savedAtMs ?? 0) >= before) continue;
    await store.remove(gameId, userId);
    removed++;
  }
  return { text: `${amount(removed, 'account')} removed\n`, json: { removed } };
}

/**
 * Exports or removes what is stored about one account: its saved data in all games, its bans, the reports by and about
 * the account, and what it said in the chat. Bans are never removed, because a banned player could otherwise come back
 * by asking for the deletion of the data.
 */
async function ofPlayer(
  { store, records }: Kept,
  userId: string,
  { data: folder }: DataOptions,
  removes: boolean,
  onDamaged: (message: string) => void,
) {
  const reports = new Reports(records, thisMachine);
  const concerned = (await reports.all()).filter(({ by, about }) => by.userId === userId || about.userId === userId);
  const bans = [...(await jsonRecords<Ban>(records, 'bans')).values()].filter((ban) => ban.userId === userId);
  const chat = new PlayersChat(folder, userId);
  const saved: StoredAccount[] = [];
  for await (const account of store.all(onDamaged)) if (account.userId === userId) saved.push(account);
  if (!removes) {
    const found = {
      userId,
      saved: saved.map(({ gameId, kept }) => ({ gameId, kept })),
      bans,
      reports: concerned,
      chat: await chat.lines(),
    };
    return { text: `${JSON.stringify(found, null, 2)}\n`, json: found };
  }
  for (const { gameId } of saved) await store.remove(gameId, userId);
  for (const { id } of concerned) await reports.remove(id);
  const json = { games: saved.length, reports: concerned.length, chat: await chat.erase(), bansKept: bans.length };
  const removed = `data of ${amount(json.games, 'game')}, ${amount(json.reports, 'report')}, ${amount(json.chat, 'chat message')}`;
  const left = bans.length === 0 ? '' : `; ${amount(bans.length, 'ban')} kept`;
  return { text: `removed: ${removed}${left}\n`, json };
}

function countsText({ accounts, bans, reports }: typeof noCounts) {
  return `${amount(accounts, 'account')}, ${amount(bans, 'ban')}, ${amount(reports, 'report')}`;
}
