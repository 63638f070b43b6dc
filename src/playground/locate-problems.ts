import type { Issue, Severity } from '../../engine/index.ts';
import { locateIssues } from '../load/index.ts';
import { wordAt } from '../lsp/index.ts';
import { withSuggestion } from '../text/index.ts';
import type { LocatedProblem } from './worker-messages.ts';

/** Maximum number of problems to show, so that the page stays fast. */
const problemsMax = 500;

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** The most important issues, with their positions in the text. */
export function locateProblems(text: string, all: readonly Issue[]): LocatedProblem[] {
  const shown = [...all].sort((a, b) => ranks[a.severity] - ranks[b.severity]).slice(0, problemsMax);
  const places = locateIssues(text, shown);
  return shown.map((issue, i) => {
    const { severity, code, pointer } = issue;
    const place = places[i];
    const { start, end } = wordAt(text, place?.offset ?? 0);
    return {
      severity,
      code,
      message: withSuggestion(issue),
      pointer,
      line: place?.line,
      column: place?.column,
      from: start,
      to: place === undefined ? start : end,
    };
  });
}
