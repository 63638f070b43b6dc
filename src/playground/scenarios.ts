import { casesOf } from '../scenario/cases.ts';
import { failureText } from '../scenario/failure.ts';
import { Games } from '../scenario/games.ts';
import { type CaseResult, playCase, skipped, unknownNameFailure } from '../scenario/play-case.ts';
import { type FileProblem, InvalidFile, readScenarioText } from '../scenario/read.ts';
import type { PlacedProblem, ScenarioResult, ScenarioRun } from './messages.ts';
import type { Progress } from './session.ts';

/** Scenarios name the game that they are about; here it is always the open one. */
const file = 'game.scenario.yaml';

/** What is wrong with the text of a scenario file; empty if it can be run. */
export function scenarioProblems(text: string): readonly PlacedProblem[] {
  try {
    casesOf(readScenarioText(file, text));
    return [];
  } catch (error) {
    if (error instanceof InvalidFile) return error.flaws.map((flaw) => placed(flaw, text));
    throw error;
  }
}

/** Plays all scenarios of a text with a game, which every `game:` of the text refers to. */
export function playScenarios(text: string, game: string, progress: Progress): ScenarioRun {
  const problems = scenarioProblems(text);
  if (problems.length > 0) return { problems, results: [] };
  const document: unknown = JSON.parse(game);
  const all = casesOf(readScenarioText(file, text));
  const wanted = all.some(({ only }) => only) ? all.filter(({ only }) => only) : all;
  const games = new Games();
  for (const path of new Set(all.map((each) => each.game))) games.replace(path, document);
  const results = wanted.map((each, i) => {
    progress(i / wanted.length, `${i + 1} of ${wanted.length}: ${each.title}`);
    if (each.skip !== undefined) return shown(skipped(each));
    return shown(unknownNameFailure(each, games) ?? playCase(each, games, {}));
  });
  return { problems: [], results };
}

function shown(result: CaseResult): ScenarioResult {
  const { failure, outcome, note, simulatedSeconds, wallMs, failedLine } = result;
  return {
    ...{ title: result.case.title, outcome, note, simulatedSeconds, wallMs },
    line: failedLine ?? result.case.line,
    story: failure === undefined ? undefined : failureText(failure),
    picture: failure?.picture ?? '',
  };
}

function placed({ line, column, message }: FileProblem, text: string): PlacedProblem {
  const from = offsetOf(text, line ?? 1, column ?? 1);
  const end = text.indexOf('\n', from);
  const to = line === undefined || end === -1 ? from : end;
  return { severity: 'error', code: 'scenario', message, pointer: '', line, column, from, to };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf('\n', start) + 1;
  return Math.min(text.length, start + column - 1);
}
