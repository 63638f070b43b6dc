import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Simulation } from '../../engine/index.ts';
import { scenarioDiagnostics } from '../lsp/index.ts';
import {
  type Case,
  type CaseResult,
  CaseStopped,
  casesOf,
  type FileProblem,
  failureText,
  Games,
  InvalidFile,
  playCase,
  readScenarioText,
  skipped,
  unknownNameFailure,
} from '../scenario/index.ts';
import type { Progress } from './session.ts';
import { StateLimit } from './state-limit.ts';
import type { LocatedProblem, ScenarioRun, ScenarioText } from './worker-messages.ts';

/**
 * The name for the text of the scenarios in messages. The games that the scenarios name are all replaced by the open
 * game.
 */
const file = 'game.scenario.yaml';

/** The cases of a scenario file, or the problems because of which its text cannot be run. */
function read(text: string) {
  try {
    return { cases: casesOf(readScenarioText(file, text)), flaws: [] };
  } catch (error) {
    if (error instanceof InvalidFile) return { cases: [], flaws: error.flaws.map((flaw) => placed(flaw, text)) };
    throw error;
  }
}

function gamesOf(cases: readonly Case[], game: string) {
  const document: unknown = JSON.parse(game);
  const games = new Games();
  for (const path of new Set(cases.map((each) => each.game))) games.replace(path, document);
  return games;
}

/** The problems that the language server reports for a scenario file, including names that the game does not have. */
export function checkScenarios({ text, game }: ScenarioText): readonly LocatedProblem[] {
  const { cases, flaws } = read(text);
  if (flaws.length > 0) return flaws;
  const document = TextDocument.create(file, 'yaml', 0, text);
  return scenarioDiagnostics(document, file, gamesOf(cases, game)).map(({ message, range: { start, end } }) => ({
    severity: 'error',
    code: 'bad-scenario',
    message: String(message),
    pointer: '',
    line: start.line + 1,
    column: start.character + 1,
    from: document.offsetAt(start),
    to: document.offsetAt(end),
  }));
}

/** Plays all scenarios of a text. Every `game:` in the text stands for the given game. */
export function runScenarios({ text, game }: ScenarioText, progress: Progress): ScenarioRun {
  const { cases: all, flaws: problems } = read(text);
  if (problems.length > 0) return { problems, results: [] };
  const wanted = all.some(({ only }) => only) ? all.filter(({ only }) => only) : all;
  const games = gamesOf(all, game);
  const results = wanted.map((each, i) => {
    progress(i / wanted.length, `${i + 1} of ${wanted.length}: ${each.title}`);
    if (each.skip !== undefined) return shown(skipped(each));
    const limit = new StateLimit();
    const onTick = (sim: Simulation) => {
      try {
        limit.afterTick(sim);
      } catch (error) {
        throw new CaseStopped(`"${each.title}" was stopped. ${(error as Error).message}`);
      }
    };
    return shown(unknownNameFailure(each, games) ?? playCase(each, games, {}, { onTick }));
  });
  return { problems, results };
}

function shown(result: CaseResult) {
  const { failure, outcome, note, simulatedSeconds, wallMs, failedLine } = result;
  return {
    title: result.case.title,
    outcome,
    note,
    simulatedSeconds,
    wallMs,
    line: failedLine ?? result.case.line,
    story: failure && failureText(failure),
    picture: failure?.picture ?? '',
  };
}

function placed({ line, column, message }: FileProblem, text: string): LocatedProblem {
  const document = TextDocument.create(file, 'yaml', 0, text);
  const from = document.offsetAt({ line: (line ?? 1) - 1, character: (column ?? 1) - 1 });
  const end = text.indexOf('\n', from);
  const to = line === undefined || end === -1 ? from : end;
  return { severity: 'error', code: 'bad-scenario', message, pointer: '', line, column, from, to };
}
