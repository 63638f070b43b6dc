import { Command, Option } from '@commander-js/extra-typings';
import {
  defaultIdleMs,
  defaultLeaseMs,
  endPolicies,
  journalFailurePolicies,
  type PlacementPolicy,
  placements,
  readinesses,
  syncPolicies,
  threadMemoryFactor,
} from '../../server/index.ts';
import { decimalNumber, exceptOption, type OptionsOf, openDialectOption, wholeNumber } from '../options.ts';
import { addresses, hostNames, hosts, milliseconds, origins, protocolOption, quota, webSocketUrl } from './options.ts';

const serveHelp = `
Each option can also be set in the file of --config, by its name without the leading dashes (page: false for --no-page; games: […] for the
arguments), and by an environment variable, such as REENACT_SERVE_PORT for --port. The command line overrides the environment, and the environment
overrides the file. Relative paths in the file are relative to the folder of the file. Schema: reenact schema --serve

SIGTERM and SIGINT shut the server down cleanly, with exit code 0.
Guide: docs/server.md`;

export function command() {
  return new Command('serve')
    .description('run a multiplayer server for game definitions')
    .argument(
      '[path...]',
      'game definitions, or folders that contain them (in the configuration: games); clients that name no game may enter rooms of all games',
    )
    .option('--config <file>', 'YAML or JSON file with settings')
    .option('--check-config', 'check settings, definitions and secrets, print the settings, and start nothing')
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(protocolOption())
    .option('--client <folder>', 'with --protocol moddio: folder of the original browser client, to serve its page')
    .option('--compress', 'compress messages (permessage-deflate); costs memory and time for each connection')
    .option('--no-watch', 'do not reload changed definitions')
    .addOption(
      new Option('--log <level>', 'level of the log: JSON lines on standard output')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .optionsGroup('Play:')
    .addOption(openDialectOption('standard; with --protocol moddio: moddio'))
    .addOption(exceptOption())
    .option('--seed <text>', 'seed of all rooms (default: each room has a random seed)')
    .option(
      '--sight <px>',
      'how far players see along each axis from the unit that their camera follows; entities beyond that are not sent (default: the whole map)',
      decimalNumber(1, 1e6),
    )
    .option(
      '--lag-compensation <time>',
      'judge rays and melee attacks by the positions at which the attacker saw the targets, at most this long ago (up to 500ms; default: off)',
      milliseconds(500),
      0,
    )
    .option('--show <variable...>', 'global variables sent to clients, besides those with streamMode 1')
    .option('--grace <seconds>', 'how long a disconnected player stays in the game', decimalNumber(0, 3600), 30)
    .optionsGroup('Rooms:')
    .option(
      '--rooms <number>',
      'number of rooms of each definition at the start; the server opens more when all are full',
      wholeNumber(0, 10_000),
      1,
    )
    .option(
      '--rooms-max <number>',
      'maximum number of rooms, of all definitions together',
      wholeNumber(1, 100_000),
      1000,
    )
    .option(
      '--idle <seconds>',
      'how long a room without players stays open, if it was opened because all others were full; such a room ends earlier if the limit of rooms is reached',
      decimalNumber(1, 86_400),
      defaultIdleMs / 1000,
    )
    .option(
      '--per-game <quota>',
      'limit of what all rooms of one game together may use, such as rooms=20,memory=500,cores=1.5 (memory: MB of state); the server opens no more rooms beyond this limit',
      quota,
    )
    .option(
      '--per-author <quota>',
      'limit of what all games with the same owner (defaultData.owner) together may use',
      quota,
    )
    .option(
      '--memory-max <MB>',
      `maximum memory of the state of a room; the server ends rooms that exceed it, and gives each thread of rooms ${threadMemoryFactor} times as much`,
      wholeNumber(2, 4096),
      64,
    )
    .addOption(
      new Option(
        '--placement <how>',
        'which room new players enter: the fullest one that has a free seat, or the emptiest one',
      )
        .choices([...placements])
        .default('fill' satisfies PlacementPolicy),
    )
    .option('--watchers <number>', 'maximum number of watchers per room; 0 for none', wholeNumber(0, 10_000), 32)
    .option(
      '--workers <number>',
      'number of threads for rooms; 0 runs the rooms in the network thread (default: number of cores - 1)',
      wholeNumber(0, 256),
    )
    .optionsGroup('Saved data:')
    .option(
      '--data <folder>',
      'folder of the journal, saved player data and the token secret; "" saves nothing',
      'reenact-data',
    )
    .option(
      '--store <url>',
      'where saved player data is kept: redis://…, rediss://…, redis-sentinel://…, postgres://…, file:FOLDER, memory: (default: files in the data folder)',
    )
    .option('--store-url-file <file>', 'file with the URL for --store, so that a password in the URL stays secret')
    .option(
      '--journal <url>',
      'where to keep the journal, from which rooms resume after a crash: file:FOLDER, redis://…, rediss://…, redis-sentinel://HOST,HOST#NAME, off (default: a folder in the data folder)',
    )
    .option('--journal-url-file <file>', 'file with the URL for --journal, so that a password in the URL stays secret')
    .addOption(
      new Option('--sync <when>', 'when to fsync the journal: always before an acknowledgement, every second, or never')
        .choices([...syncPolicies])
        .default('always'),
    )
    .option(
      '--snapshot-seconds <number>',
      'time between snapshots of a room; at most this much is replayed after a crash',
      decimalNumber(1, 3600),
      10,
    )
    .addOption(
      new Option('--on-journal-failure <what>', 'when the journal fails, rooms continue (go-on) or pause (stop)')
        .choices([...journalFailurePolicies])
        .default('go-on'),
    )
    .addOption(
      new Option(
        '--on-end <what>',
        'what happens to rooms at SIGTERM: keep: other processes with the same redis://… or the next start resume them; hand-over (redis://… only): the same, but the rooms end if there is no other process; end: all of them end (default: keep, if there is a journal)',
      ).choices([...endPolicies]),
    )
    .addOption(
      new Option(
        '--readyz <what>',
        'when /readyz answers 200: while new players may join (players), or only while the journal can also be written (journal, the default with --on-journal-failure stop)',
      )
        .choices([...readinesses])
        .default('players'),
    )
    .option(
      '--chat-log <days>',
      'keep chat messages for this many days, in the folder chat of the data folder',
      wholeNumber(1, 3650),
    )
    .optionsGroup('Several processes (--journal redis://…):')
    .option(
      '--lease <seconds>',
      `with redis://…: how long a process may be silent before other processes take over its rooms (default: ${defaultLeaseMs / 1000})`,
      decimalNumber(0.5, 600),
    )
    .option(
      '--journal-replicas <number>',
      'with redis://…: number of replicas that must have stored an input before it is acknowledged (default: 1 with redis-sentinel://…, else 0)',
      wholeNumber(0, 16),
    )
    .option(
      '--public-url <url>',
      'with redis://…: URL at which clients can reach this process directly, wss://…; without it, processes forward clients to each other',
      webSocketUrl,
    )
    .option(
      '--cluster-url <url>',
      'with redis://…: URL at which the other processes reach this one, ws://… (default: from --host and --port)',
      webSocketUrl,
    )
    .optionsGroup('Access:')
    .option(
      '--token-secret-file <file>',
      'file with the secret that signs tokens: at least 32 characters, not readable by other users (default: created in the data folder)',
    )
    .option(
      '--admin-token-file <file>',
      'file with a token of at least 16 characters, or with lines NAME: SCOPES TOKEN; enables the routes for administrators',
    )
    .option('--origin <url...>', 'origins of other sites whose pages may connect; * for all', origins)
    .option(
      '--host-name <name...>',
      'host names accepted in the header Host, in addition to IP addresses and localhost; * for any (default: the names of the machine if --host is loopback and --trust-proxy is not given, else any)',
      hostNames,
    )
    .option('--allow-http <host...>', 'hosts (name or name:port) that scripts may request', hosts)
    .option(
      '--style-host <name...>',
      'hosts from which the style sheets of games may load pictures; * for any',
      hostNames,
    )
    .option(
      '--trust-address <address...>',
      'IP addresses and subnets that are exempt from limits per address, such as 10.0.0.0/8, and from the rule of some games that no two players share an address',
      addresses,
    )
    .option('--trust-proxy', 'take the IP address of a client from the last entry of X-Forwarded-For')
    .option('--platform <file>', 'file that describes your platform: advertisements, coins, secure requests')
    .option('--words <file>', 'module with the words of the host that games may use, and their handlers')
    .optionsGroup('Pages:')
    .option('--images', 'let pages also load pictures and sounds from other hosts that definitions name')
    .option('--no-page', 'serve no page at /')
    .addHelpText('after', serveHelp);
}

export type ServeOptions = OptionsOf<typeof command>;
