import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { runHistories } from './run.ts';

// Recordings and games of other people are not part of the project. Paths are relative to its root, where npm runs
// scripts.
const histories = process.env['REENACT_HISTORIES'] ?? '../shared/histories';
const games = process.env['REENACT_GAMES'] ?? '../shared/games';

interface Options {
  readonly only: string;
  readonly until?: number;
  readonly explain?: string | true;
}

new Command('histories')
  .description(
    'Plays recordings of whole games with this engine and says where it does something else. A measure, not a gate: histories that fail do not change the exit code.',
  )
  .argument('[folder]', 'where the recordings are', histories)
  .argument('[games...]', `where their definitions are (default: "${games}")`)
  .option('--only <game>', 'games whose name contains this', '')
  .option('--until <second>', 'play and compare only so many seconds', wholeSecond)
  .option(
    '--explain [game]',
    'show what there is to know about the first difference, of all games or of those whose name contains this',
  )
  .action((folder: string, gamesFolders: readonly string[], { only, until, explain }: Options) => {
    const folders = gamesFolders.length === 0 ? [games] : gamesFolders;
    const asked = folder !== histories || gamesFolders.length > 0;
    const missing = [folder, ...folders].find((each) => !existsSync(each));
    if (!asked && missing !== undefined) {
      console.log(`skipped: there is no ${missing}`);
      return;
    }
    const options = {
      only: typeof explain === 'string' ? explain : only,
      until,
      explain: explain !== undefined,
    };
    try {
      runHistories(folder, folders, options, (text) => console.log(text));
    } catch (error) {
      console.error(`histories: ${(error as Error).message}`);
      process.exitCode = 2;
    }
  })
  .parse();

function wholeSecond(text: string): number {
  const second = Number(text);
  if (!Number.isInteger(second) || second < 0) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return second;
}
