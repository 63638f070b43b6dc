import { Lines, locateNearest } from '../../engine/core/index.ts';
import type { Issue, IssueCode } from '../../engine/index.ts';
import type { TextPosition } from '../text/index.ts';

/** Issues about a key rather than its value. */
const aboutKeys: ReadonlySet<string> = new Set<IssueCode>([
  'unknown-field',
  'unknown-parameter',
  'misspelt-parameter',
  'duplicate-key',
  'forbidden-key',
]);
/** Issues without a position: about the document as a whole, or about other issues. */
const aboutNoPlace: ReadonlySet<string> = new Set<IssueCode>(['unreadable-file', 'too-large', 'more-issues']);

/**
 * Positions of issues, in their order, found in a single pass over the text. An issue about something missing is placed
 * at its nearest existing ancestor. The pass costs a fraction of a parse, so callers ask only for the issues they will
 * show.
 */
export function locateIssues(text: string, issues: readonly Issue[]): (TextPosition | undefined)[] {
  if (issues.length === 0) return [];
  const lines = new Lines(text);
  return offsetsOfIssues(text, issues).map((offset) =>
    offset === undefined ? undefined : { ...lines.at(offset), offset },
  );
}

/** The same, for callers that know the lines of the text. */
export function offsetsOfIssues(text: string, issues: readonly Issue[]): (number | undefined)[] {
  const pointers = new Set<string>();
  for (const issue of issues) if (needsPointer(issue)) pointers.add(issue.pointer);
  const located = pointers.size === 0 ? undefined : locateNearest(text, pointers);
  return issues.map((issue) => {
    if (issue.offset !== undefined) return issue.offset;
    const location = needsPointer(issue) ? located?.get(issue.pointer) : undefined;
    if (location === undefined) return undefined;
    const { exact, keyOffset } = location;
    return exact && keyOffset !== undefined && aboutKeys.has(issue.code) ? keyOffset : location.offset;
  });
}

function needsPointer(issue: Issue): boolean {
  return issue.offset === undefined && !aboutNoPlace.has(issue.code);
}
