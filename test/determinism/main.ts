/**
 * `npm run determinism -- --ticks 10000 --on worker,node22,firefox:2000 game.json…`: plays games with bots, replays
 * every thousand ticks from a snapshot and compares. Then it plays the same on other hosts (`:N` limits the number of
 * ticks) and compares the hashes. Without games, plays the samples and those of `--games FOLDER`. Prints one line per
 * game and dialect. Exit code 1 if anything differs.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../bench/command-line.ts';
import { hostNames, missing, playOn } from './hosts.ts';
import type { LongPlayResult, LongPlayWishes } from './long-play.ts';

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: {
    ticks: { type: 'string', default: '10000' },
    on: { type: 'string', default: hostNames.filter((host) => missing(host) === undefined).join(',') },
    games: { type: 'string' },
    dialect: { type: 'string', default: 'standard,moddio' },
  },
});
const count = Number(values.ticks);
const hosts = (values.on ?? '').split(',').filter((each) => each !== '');
if (!(Number.isInteger(count) && count > 0)) usage('--ticks is a whole number above 0.');
for (const host of hosts) {
  const why = missing(host.split(':')[0]!);
  if (why !== undefined) usage(`${host}: ${why}`);
}

function usage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function gamesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => join(folder, name));
}

const games =
  positionals.length > 0
    ? positionals
    : [...gamesIn('scenarios/games'), ...(values.games === undefined ? [] : gamesIn(values.games))];

let failed = 0;
const totals = { plays: 0, ticks: 0, restored: 0, elsewhere: 0 };

/** The tick range of the first stretch that differs; undefined if one run is a prefix of the other. */
function partsAt({ hashes }: LongPlayResult, other: LongPlayResult, ticks: number): number | undefined {
  // The last hash of a shorter run may be from the middle of a stretch.
  const compared = ticks === count ? other.hashes.length : other.hashes.length - 1;
  const at = other.hashes.slice(0, compared).findIndex((hash, i) => hash !== hashes[i]);
  return at < 0 ? undefined : at + 1;
}

for (const game of games) {
  for (const dialect of (values.dialect ?? '').split(',') as LongPlayWishes['dialect'][]) {
    const wishes = { ticks: count, dialect, restores: true };
    const here = await playOn('worker', { game, wishes });
    totals.plays += here.plays;
    totals.ticks += here.ticks;
    totals.restored += here.restored;
    const differ: string[] = here.failure === undefined ? [] : [here.failure];
    for (const host of here.failure === undefined ? hosts : []) {
      const [name = '', some] = host.split(':');
      const ticks = Math.min(count, Number(some ?? count));
      const there = await playOn(name, { game, wishes: { ticks, dialect, restores: false } });
      totals.elsewhere += there.ticks;
      const at = partsAt(here, there, ticks);
      if (there.failure !== undefined) differ.push(`${host}: ${there.failure}`);
      else if (at !== undefined) differ.push(`${host}: another hash, number ${at}`);
    }
    const { ticks, plays, restored, inputs, entities, hashes } = here;
    const facts = `${ticks} ticks in ${plays} plays, ${inputs} inputs, up to ${entities} entities, restored ${restored} times, ${hashes.at(-1)}`;
    process.stdout.write(
      `${game} ${dialect}: ${facts}; ${differ.length === 0 ? `equal on ${hosts.join(', ') || 'itself'}` : differ.join('; ')}\n`,
    );
    failed += differ.length;
  }
}
process.stdout.write(
  `${games.length} games: ${totals.ticks} ticks in ${totals.plays} plays, restored ${totals.restored} times, ${totals.elsewhere} ticks elsewhere; ` +
    `${failed === 0 ? 'no difference' : `${failed} differences`}\n`,
);
process.exit(failed === 0 ? 0 : 1);
