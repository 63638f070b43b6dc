import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isUserError, messageOf } from '../../../engine/core/index.ts';
import { nodeDisk } from '../../machine/index.ts';
import {
  Admins,
  type Attempt,
  GameServer,
  hasJournal,
  isSharedJournal,
  protocols,
  readHostModule,
  readSecretFile,
  ServerError,
  type ServerOptions,
  viewerScripts,
  workerUrl,
} from '../../server/index.ts';
import type { Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { type AppliedSettings, demandValid } from '../settings.ts';
import type { ServeOptions } from './command.ts';
import { quotaOf } from './options.ts';

/** The maximum time for stopping, in ms; after that the process exits regardless. */
const endMs = 10_000;

/** Serves definitions until the process receives a termination signal. */
export async function serve(paths: readonly string[], options: ServeOptions, terminal: Terminal) {
  const { stderr } = terminal;
  // Signals are handled from here on, because startup with a large journal takes a while.
  const stopped = new Promise<void>((resolve) => {
    terminal.onInterrupt(resolve);
    terminal.onTerminate?.(resolve);
  });
  const starting = GameServer.start(await serverOptions(paths, options, terminal, (_setting, act) => act()));
  // If startup hangs after a signal, it is abandoned. Nothing is lost, because no client has received an
  // acknowledgement yet.
  const server = await Promise.race([starting, stopped.then(() => setTimeout(endMs, undefined, { ref: false }))]);
  if (server === undefined) {
    stderr.write(`notice: stopped during startup, which did not finish within ${endMs / 1000} s\n`);
    return exitCodes.ok;
  }
  stderr.write(`serving on http://${options.host}:${server.port}\n`);
  const isTaken = await Promise.race([stopped.then(() => false), server.taken.then(() => true)]);
  await server.stop();
  if (!isTaken) return exitCodes.ok;
  throw new Failure(
    'journal-in-use',
    'Another process took over the journal while this process did not respond.',
    exitCodes.errors,
  );
}

/** The options of the server. `attempt` reports options that contradict each other or name unreadable files. */
async function serverOptions(
  paths: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
  attempt: Attempt,
): Promise<ServerOptions> {
  const demand = (setting: string, isFitting: boolean, message: string, code: Failure['code'] = 'bad-option') =>
    attempt(setting, async () => {
      if (!isFitting) throw new Failure(code, message);
    });
  await demand(
    'games',
    paths.length > 0,
    "missing required argument 'path'. Name game definitions or folders that contain them, or set games in the configuration.",
    'missing-argument',
  );
  const workers = options.workers ?? Math.max(1, availableParallelism() - 1);
  const [first = 'reenact', ...others] = new Set(options.protocol);
  const isForExisting = options.protocol.includes('moddio');
  await demand('client', isForExisting || options.client === undefined, '--client needs --protocol moddio.');
  await demand(
    'sight',
    !isForExisting || options.sight === undefined,
    '--sight cannot be combined with --protocol moddio, whose clients always see the whole map.',
  );
  await demand(
    'chat-log',
    options.chatLog === undefined || options.data !== '',
    '--chat-log needs a data folder (--data), where it keeps the messages.',
  );
  const journal = await attempt('journal', () => urlOf('journal', options.journal, options.journalUrlFile));
  // If the URL of the journal cannot be read, the journal may be shared. In that case, options that need a shared
  // journal are not reported as errors.
  const mayBeShared = isSharedJournal(journal) || (journal === undefined && options.journalUrlFile !== undefined);
  const { lease, journalReplicas, publicUrl, clusterUrl } = options;
  const sharedOnly = { lease, 'journal-replicas': journalReplicas, 'public-url': publicUrl, 'cluster-url': clusterUrl };
  for (const [name, value] of Object.entries(sharedOnly)) {
    await demand(name, value === undefined || mayBeShared, `--${name} needs a journal in Redis (--journal redis://…).`);
  }
  const data = options.data === '' ? undefined : options.data;
  const { onEnd = 'end', words } = options;
  const needs = {
    'hand-over': 'a journal in Redis (--journal redis://…)',
    keep: 'a journal (--data or --journal)',
    end: '',
  }[onEnd];
  const mayKeep = onEnd === 'keep' && hasJournal(journal, data);
  await demand('on-end', onEnd === 'end' || mayBeShared || mayKeep, `--on-end ${onEnd} needs ${needs}.`);
  return {
    // The options that the server has under the same name. The members below replace the others.
    ...options,
    paths,
    play: {
      // Clients of the original engine expect its rules.
      dialect: options.dialect ?? (isForExisting ? 'moddio' : 'standard'),
      snapshotSeconds: options.snapshotSeconds,
      sight: options.sight ?? Infinity,
      lagCompensationMs: options.lagCompensation,
      variables: options.show ?? [],
      stateBytesMax: options.memoryMax * 1024 * 1024,
      styleHosts: options.styleHost?.includes('*') ? 'any' : (options.styleHost ?? []),
    },
    web: { allowed: options.allowHttp ?? [] },
    idleMs: options.idle * 1000,
    perGame: options.perGame === undefined ? undefined : quotaOf(options.perGame),
    perAuthor: options.perAuthor === undefined ? undefined : quotaOf(options.perAuthor),
    watchersMax: options.watchers,
    workers,
    workerUrl: await workerUrl(),
    protocols: [protocols[first], ...others.map((name) => protocols[name])],
    data,
    store: await attempt('store', () => urlOf('store', options.store, options.storeUrlFile)),
    journal,
    leaseMs: lease === undefined ? undefined : lease * 1000,
    publicUrl: publicUrl?.replace(/^(wss?:\/\/[^/]+)\/$/, '$1/play'),
    clusterUrl: clusterUrl?.replace(/\/$/, ''),
    hostModule: words === undefined ? undefined : await attempt('words', () => readHostModule(words)),
    traffic: { trustedAddresses: options.trustAddress ?? [] },
    chatLogDays: options.chatLog,
    adminToken: await attempt('admin-token-file', () => tokensIn(options.adminTokenFile)),
    origins: options.origin?.includes('*') ? 'any' : (options.origin ?? []),
    hostNames: options.hostName?.includes('*') ? 'any' : options.hostName,
    trustProxy: options.trustProxy === true,
    compress: options.compress === true,
    graceMs: options.grace * 1000,
    endMs,
    // The pages use the protocol `reenact`, so they are left out without it.
    viewer: options.page && options.protocol.includes('reenact') ? pagesOf(options, terminal) : undefined,
    logTo: terminal.stdout,
  };
}

/**
 * Finds everything that would keep the server from starting, without opening a journal, a port or a connection. Throws
 * a `Failure` that lists the problems, each with its setting.
 */
export async function checkServer(
  paths: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
  settings: AppliedSettings,
) {
  const wrong = [...settings.wrong];
  const attempt: Attempt = async (setting, act) => {
    try {
      return await act();
    } catch (error) {
      if (!isUserError(error)) throw error;
      wrong.push(`${settings.placeOf(setting)}: ${error.code}: ${error.message}`);
      return undefined;
    }
  };
  await GameServer.check(await serverOptions(paths, options, terminal, attempt), attempt);
  demandValid({ wrong });
}

/**
 * The URL of a store or a journal; undefined if none is given. If a file is given, the URL is read from the file, which
 * keeps a password in the URL secret. Throws `Failure` if both are given.
 */
export async function urlOf(name: 'store' | 'journal', url: string | undefined, file: string | undefined) {
  if (file === undefined) return url;
  if (url === undefined) return secretTextIn(file);
  throw new Failure('bad-option', `Both --${name} and --${name}-url-file are set. Set only one of them.`);
}

/**
 * The scripts of the viewer pages. Missing scripts cause only a notice, because the server runs without these pages.
 */
function pagesOf({ images }: ServeOptions, { stderr }: Terminal) {
  const scripts = viewerScripts();
  if (scripts !== undefined) return { ...scripts, images };
  stderr.write('notice: the server has no page at /, because the page has not been built. Run npm run build.\n');
  return undefined;
}

async function tokensIn(path: string | undefined) {
  if (path === undefined) return undefined;
  const text = await secretTextIn(path);
  try {
    new Admins(text);
  } catch (error) {
    if (error instanceof ServerError) throw new Failure(error.code, `${path}: ${error.message}`);
    throw error;
  }
  return text;
}

async function secretTextIn(path: string) {
  const bytes = await readSecretFile(nodeDisk, path).catch((error: unknown) => {
    if (error instanceof ServerError) throw error;
    throw new Failure('unreadable-file', messageOf(error));
  });
  return new TextDecoder().decode(bytes).trim();
}
