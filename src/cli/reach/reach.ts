import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  amountOfTime,
  type ExplorePlan,
  exploreGame,
  goalKey,
  goalWith,
  newProgress,
  openGame,
  rangeText,
  searchProgressText,
  sightingFacts,
  writersText,
} from '../../explore/index.ts';
import { amount, fileTitle, printAnswer, StatusLine, type Terminal } from '../../text/index.ts';
import { lineMs, viewCommands, writeFinding } from '../explore/explore.ts';
import { exitCodes, Failure } from '../failure.ts';
import { hostWords } from '../read-game.ts';
import { writeText } from '../write-text.ts';
import { objectiveSecondsMax, type ReachOptions } from './command.ts';

export async function reach(path: string, goal: string | undefined, options: ReachOptions, terminal: Terminal) {
  const { seed, players, dialect, json = false } = options;
  const plan: ExplorePlan = {
    game: path,
    host: await hostWords(path, terminal),
    dialect,
    seed,
    players,
    goal,
    ...limitsOf(goal, options),
    never: [],
    always: [],
    within: [],
    reachable: [],
  };
  const { game, rate } = openGame(plan);
  const enough = new AbortController();
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const status = new StatusLine(terminal.stderr, lineMs);
  const progress = newProgress();
  const { findings, unexamined, ranges, ran, plays, best } = await exploreGame({
    plan,
    game,
    rate,
    progress,
    jobs: options.jobs ?? availableParallelism(),
    signal: enough.signal,
    budget: 'seconds' in options.for ? { ms: options.for.seconds * 1000 } : options.for,
    onProgress: (state) => status.show(searchProgressText(state, rate)),
  });
  stopListening();
  status.clear();
  const [found] = findings;
  const { objective } = plan;
  const wanted = objective === undefined ? goal! : objectiveText(plan);
  const finding = found && objective && best !== undefined ? { ...found, key: goalKey(goalWith(plan, best)) } : found;
  const played = `${amount(plays, 'play')}, ${amountOfTime(progress.ticks / rate)} in the game`;
  const output = options.output ?? join('.reenact', 'reach', fileTitle(path));
  if (finding === undefined) {
    const [seen] = unexamined;
    const file = join(output, 'unconfirmed.rj');
    if (seen?.journal !== undefined) writeText(file, seen.journal);
    const nearest = ranges.map((range) => {
      const isVariable = game.definition.variables.has(range.text);
      return `${rangeText(range)}${isVariable ? writersText(game, ran, range.text) : ''}`;
    });
    const unconfirmed = seen && file;
    const answer = { goal, ...objective, reached: false, unconfirmed, plays, ticks: progress.ticks, ranges };
    printAnswer(terminal, json, answer, () =>
      seen === undefined
        ? [`not reached in ${played}: ${wanted}`, ...nearest.map((line) => `    ${line}`), ''].join('\n')
        : `reached ${sightingFacts(seen, rate)}, but not confirmed by a replay: ${wanted}\n    ${viewCommands([file])}\n`,
    );
    return enough.signal.aborted ? exitCodes.interrupted : exitCodes.neverTrue;
  }
  const files = writeFinding(finding, plan, output);
  const { ticks, inputs, seed: seedOfPlay } = finding.recording;
  const length = `after ${amountOfTime(ticks / rate)} with ${amount(inputs.length, 'input')}`;
  const value = objective === undefined ? 'reached ' : `${objective.expression} is ${best} `;
  const play = { value: best, seed: seedOfPlay, ticks, ticksPerSecond: rate, inputs, files };
  printAnswer(terminal, json, { goal, ...objective, reached: true, plays, ...play }, () =>
    [`${value}${length}: ${wanted}`, ...viewCommands(files).map((line) => `    ${line}`), ''].join('\n'),
  );
  return exitCodes.ok;
}

/** The objective, and the maximum length of a play. */
function limitsOf(
  goal: string | undefined,
  { minimize, maximize, within }: ReachOptions,
): Pick<ExplorePlan, 'objective' | 'secondsMax'> {
  if (minimize !== undefined && maximize !== undefined)
    throw new Failure('bad-option', 'Give either --minimize or --maximize, not both.');
  const expression = minimize ?? maximize;
  if (goal === undefined && expression === undefined)
    throw new Failure('bad-option', 'Give an expression to reach, or use --minimize or --maximize with an expression.');
  return {
    secondsMax: within ?? (expression === undefined ? undefined : objectiveSecondsMax),
    objective:
      expression === undefined
        ? undefined
        : { expression, direction: minimize === undefined ? 'maximize' : 'minimize' },
  };
}

function objectiveText({ goal, objective, secondsMax }: ExplorePlan) {
  const condition = goal === undefined ? '' : ` while ${goal}`;
  return `${objective!.direction} ${objective!.expression}${condition} within ${amountOfTime(secondsMax!)}`;
}
