import { availableParallelism } from 'node:os';
import { botIds, countBots, optionsOf } from '../../bots/index.ts';
import { bindExpression, GameSource } from '../../expression/index.ts';
import { playsOf, runSweep, type SweepPlan, summarise, sweepCsv, sweepText } from '../../sweep/index.ts';
import { StatusLine, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { changesOf, readGame, requireGame } from '../read-game.ts';
import { withExpressionErrors } from '../until.ts';
import { writeText } from '../write-text.ts';
import type { SweepCommandOptions } from './command.ts';

const playsMax = 1_000_000;

export async function sweep(path: string, options: SweepCommandOptions, terminal: Terminal): Promise<number> {
  const { seeds, bots, tries, seconds, dialect, until, measure: measures, set: settings, output } = options;
  if (output !== undefined && !/\.(?:csv|json)$/.test(output))
    throw new Failure('bad-output', `The name of ${output} must end in .csv or .json.`);
  if (path === '-') throw new Failure('unreadable-file', 'Threads cannot share standard input; give a file.');
  const count = settings.reduce((product, { values }) => product * values.length, seeds.length);
  if (count > playsMax)
    throw new Failure('bad-option', `The sweep would have ${count} runs; the maximum is ${playsMax}.`);

  // Paths and expressions are checked before anything runs.
  const point = settings.map((setting) => `${setting.path}=${JSON.stringify(setting.values[0])}`);
  const game = requireGame(await readGame(path, terminal, changesOf(point)), terminal);
  const source = new GameSource(game, dialect, { players: botIds(countBots(bots)) });
  withExpressionErrors(() => {
    for (const text of until === undefined ? measures : [...measures, until]) bindExpression(text, source);
    optionsOf(bots, game, dialect);
  });

  const { host } = game.definition;
  const plan: SweepPlan = { game: path, host, dialect, bots, tries, seconds, until, measures };
  const status = new StatusLine(terminal.stderr);
  const enough = new AbortController();
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const results = await runSweep({
    plan,
    settings,
    plays: playsOf(settings, seeds),
    workers: options.workers ?? availableParallelism(),
    onProgress: (done) => status.showProgress(`${done} of ${count} runs`, done / count),
    signal: enough.signal,
  });
  stopListening();
  status.clear();

  const summary = summarise(plan, settings, results);
  const json = `${JSON.stringify({ ...summary, plays: results }, null, 1)}\n`;
  if (output !== undefined) writeText(output, output.endsWith('.csv') ? sweepCsv(summary, results) : json);
  terminal.stdout.write(options.json ? json : sweepText(summary));
  if (!enough.signal.aborted) return exitCodes.ok;
  terminal.stderr.write(`interrupted: ${results.length} of ${count} runs are done\n`);
  return exitCodes.interrupted;
}
