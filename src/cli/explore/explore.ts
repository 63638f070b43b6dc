import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { definitionHash } from '../../../engine/index.ts';
import {
  corpusPath,
  corpusText,
  type Deadline,
  type ExplorePlan,
  type ExploreReport,
  exploreGame,
  exploreText,
  type Finding,
  identityOf,
  type KeptFinding,
  looksFor,
  nameOf,
  newProgress,
  openGame,
  progressText,
  readCorpus,
  readRecording,
  replayAll,
  scenarioText,
  type Unexamined,
} from '../../explore/index.ts';
import { drawn, graphOf, transitionText } from '../../graph/index.ts';
import {
  fileTitle,
  gameTitle,
  printAnswer,
  readDuration,
  StatusLine,
  type Terminal,
  titleOfFile,
} from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { hostWords } from '../read-game.ts';
import { replaceText, writeText } from '../write-text.ts';
import type { ExploreCommandOptions } from './command.ts';

/** The interval, in ms, at which a line of progress is printed if the output is not a terminal. */
export const lineMs = 10_000;
/** The corpus is written at least at this interval, in ms, so that a killed run loses little. */
const keepMs = 10_000;

/** The default folder for findings. Its parent gets a `.gitignore`. */
function outputFolder(game: string) {
  const folder = '.reenact';
  if (!existsSync(folder)) writeText(join(folder, '.gitignore'), '*\n');
  return join(folder, 'explore', fileTitle(game));
}

export async function explore(path: string, options: ExploreCommandOptions, terminal: Terminal) {
  const { seed, players, dialect, never, always, corpus: folder, json = false } = options;
  const plan: ExplorePlan = {
    game: path,
    host: await hostWords(path, terminal),
    dialect,
    seed,
    players,
    never,
    always,
    within: options.within.map((text) => deadlineOf(text, 'bad-within')),
    reachable: options.reachable.map((text) => deadlineOf(text, 'bad-reachable')),
    actionsMax: options.actions,
  };
  const startMs = performance.now();
  const { game, rate } = openGame(plan);
  const { definition } = game;
  const identity = identityOf(plan, definitionHash(definition));
  const { progress, findings: known } =
    folder === undefined ? { progress: newProgress(), findings: [] } : readCorpus(folder, identity);
  const output = folder ?? outputFolder(path);

  const enough = new AbortController();
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const status = new StatusLine(terminal.stderr, lineMs);
  const common = { plan, game, jobs: options.jobs ?? availableParallelism(), signal: enough.signal };
  const kept = known.flatMap((finding) => {
    const recording = looksFor(plan, finding) ? readRecording(output, finding) : undefined;
    return recording === undefined ? [] : [{ finding, recording, key: finding.key }];
  });
  const { for: length } = options;
  const totalMs = 'seconds' in length ? length.seconds * 1000 : Infinity;
  const showReplayed = (count: number) => status.show(`replaying known findings: ${count} of ${kept.length}`);
  if (kept.length > 0) showReplayed(0);
  const replayed = await replayAll(common, kept, totalMs / 2, showReplayed);
  const standing = kept.filter((_, i) => replayed[i] !== undefined && replayed[i] !== 'cut');
  const gone = kept.filter((_, i) => i < replayed.length && replayed[i] === undefined);
  const untried = kept.length - standing.length - gone.length;
  const goneFindings = new Set(gone.map(({ finding }) => finding));
  /**
   * All earlier findings except those that a replay did not confirm. Findings that were not replayed, because this run
   * does not look for them or was interrupted, still count.
   */
  const remaining = known.filter((finding) => !goneFindings.has(finding));

  const files = new Map<Finding | Unexamined, readonly string[]>();
  const fresh = new Map<string, KeptFinding>();
  let keptAtMs = performance.now();
  const keep = () => {
    if (folder === undefined) return;
    const findings = [...remaining, ...fresh.values()];
    replaceText(corpusPath(folder), corpusText(identity, { progress, findings }));
    keptAtMs = performance.now();
  };
  const exploration = await exploreGame({
    ...common,
    rate,
    known: new Set(remaining.map(({ key }) => key)),
    budget: 'seconds' in length ? { ms: totalMs - (performance.now() - startMs) } : length,
    progress,
    onProgress(state) {
      const text = progressText(state, rate);
      if (state.phase === 'play') status.showProgress(text, state.share);
      else status.show(text);
      if (performance.now() - keptAtMs > keepMs) keep();
    },
    onFinding(finding) {
      const { key, kind, message } = finding;
      files.set(finding, writeFinding(finding, plan, output));
      fresh.set(key, { key, kind, message, name: nameOf(finding) });
      keep();
    },
  });
  stopListening();
  status.clear();
  keep();
  const plays = new Map<Uint8Array, string>();
  for (const sighting of exploration.unexamined) {
    const { journal } = sighting;
    if (journal === undefined) continue;
    // Several sightings may come from the same play, which is written once.
    const file = plays.get(journal) ?? join(output, `unconfirmed-${nameOf(sighting)}.rj`);
    if (!plays.has(journal)) writeText(file, journal);
    plays.set(journal, file);
    files.set(sighting, [file]);
  }
  const { switches } = graphOf(game);
  const { ran } = exploration;
  const missing = switches.flatMap(({ variable, transitions }) =>
    transitions.flatMap((each) => (ran.has(each.action) ? [] : transitionText(variable, each))),
  );
  if (options.graph !== undefined) writeText(options.graph, await drawn({ switches, scripts: [] }, 'svg', ran));
  const report: ExploreReport = {
    title: gameTitle(definition) ?? titleOfFile(path),
    seed,
    rate,
    exploration,
    plays: progress.next,
    ticks: progress.ticks,
    standing: standing.map(({ finding }) => finding.message),
    untried,
    gone: gone.map(({ finding }) => finding.message),
    isInterrupted: enough.signal.aborted,
    goesOn: folder !== undefined,
    transitions: switches.flatMap(({ transitions }) => transitions).length,
    missing,
    viewCommands: (finding) => viewCommands(files.get(finding) ?? []),
  };
  printAnswer(terminal, json, jsonOf(report, files), () => exploreText(report));
  if (enough.signal.aborted) return exitCodes.interrupted;
  // Findings that could not be replayed in time count as errors, too, because they may still occur.
  const wrong = exploration.findings.length + exploration.unexamined.length + standing.length + untried;
  return wrong === 0 ? exitCodes.ok : exitCodes.errors;
}

/** Parses `60s state == "over"`: a duration, then an expression. */
function deadlineOf(text: string, code: 'bad-within' | 'bad-reachable'): Deadline {
  const [, time, expression] = /^\s*(\d+(?:\.\d+)?\s*(?:ms|s|sec|seconds?|min|minutes?))\s+(\S.*)$/.exec(text) ?? [];
  const duration = readDuration(time);
  if (duration === undefined || !('seconds' in duration)) {
    throw new Failure(code, `Expected a time and an expression, such as \`60s round > 1\`, not "${text}".`);
  }
  return { seconds: duration.seconds, expression: expression! };
}

/** Writes the journal of a finding, and a scenario if a scenario can express the finding. Returns their paths. */
export function writeFinding(finding: Finding, { dialect, game }: ExplorePlan, folder: string): string[] {
  const name = nameOf(finding);
  const journal = join(folder, `${name}.rj`);
  writeText(journal, finding.journal);
  const scenario = scenarioText(finding, dialect, `${name}.rj`, relative(folder, game).replaceAll('\\', '/'));
  if (scenario === undefined) return [journal];
  const path = join(folder, `${name}.scenario.yaml`);
  writeText(path, scenario);
  return [journal, path];
}

/** The commands that show the files of a finding. */
export function viewCommands(files: readonly string[]): string[] {
  return files.map((file) => (file.endsWith('.rj') ? `reenact view ${file} --open` : `reenact test ${file}`));
}

function jsonOf(
  { exploration, plays: playsOfCorpus, rate: ticksPerSecond, isInterrupted: interrupted, ...report }: ExploreReport,
  files: ReadonlyMap<Finding | Unexamined, readonly string[]>,
): object {
  const { findings, unexamined, unconfirmed, plays } = exploration;
  return {
    ...report,
    plays,
    playsOfCorpus,
    ticksPerSecond,
    findings: findings.map((finding) => {
      const { key, kind, message, recording, inputsBefore } = finding;
      return { key, kind, message, ...recording, inputsBefore, files: files.get(finding) };
    }),
    interrupted,
    unexamined: unexamined.map((each) => {
      const { key, kind, message, tick } = each;
      return { key, kind, message, tick, files: files.get(each) };
    }),
    unconfirmed,
  };
}
