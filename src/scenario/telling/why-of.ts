import { Issues, lazy } from '../../../engine/core/index.ts';
import { arrangeJournal, type Issue, type JournalRecord } from '../../../engine/index.ts';
import { documentOf, readDefinition, scriptsOf } from '../../../engine/tools.ts';
import { checkGame } from '../../check/index.ts';
import { ExpressionError } from '../../expression/index.ts';
import { RecordedPlay, storyOf } from '../../why/index.ts';
import type { RunningCase } from '../playing/running-case.ts';
import { errorLines, explanationFailed } from './failure.ts';

const questionsMax = 2;
const issuesMax = 3;

/** Everything that is wrong with a game. */
function allIssues({ game, sim }: RunningCase): readonly Issue[] {
  const read = new Issues();
  const { definition } = game;
  readDefinition(documentOf(definition) as never, read, undefined, definition.host);
  return [...read.list, ...checkGame(game, sim.dialect)];
}

/** What a check reports in the scripts that a cause names, each message once. */
function issuesIn({ game }: RunningCase, issues: readonly Issue[], cause = '') {
  const lines = scriptsOf(game.definition)
    .scripts.filter(({ name }) => cause.includes(`"${name}"`))
    .flatMap(({ name, pointer }) =>
      issues
        .filter((issue) => issue.pointer.startsWith(`${pointer}/`))
        .map(({ message, code }) => `reenact check reports in "${name}": ${message} (${code})`),
    );
  return [...new Set(lines)].slice(0, issuesMax);
}

/** Explains why a scenario failed, from its recording. */
export function whyOf(
  records: readonly JournalRecord[],
  questions: readonly string[],
  running: RunningCase,
): readonly string[] {
  const journal = arrangeJournal(records);
  if (journal === undefined || questions.length === 0) return [];
  try {
    const play = new RecordedPlay(running.game, journal, running.idsByName());
    const issues = lazy(() => allIssues(running));
    play.issues = issues;
    const story = questions.slice(0, questionsMax).flatMap((each) => storyOf(play, each, journal.lastTick));
    return [...story, ...issuesIn(running, issues(), story[0])];
  } catch (error) {
    // The expression may use a name that a later step introduces and the recording does not know.
    return error instanceof ExpressionError ? [] : explanationFailed(errorLines(error));
  }
}
