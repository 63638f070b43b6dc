import { Lines, locateNearest } from '../../engine/core/index.ts';
import type { Issue, IssueCode } from '../../engine/index.ts';
import type { TextPosition } from '../text/index.ts';

/** Codes of issues about a key rather than its value. */
const aboutKeys: ReadonlySet<string> = new Set<IssueCode>([
  'unknown-field',
  'unknown-parameter',
  'misspelt-parameter',
  'duplicate-key',
  'forbidden-key',
]);
/** Codes of issues without a position: about the document as a whole, or about other issues. */
const aboutNoPlace: ReadonlySet<string> = new Set<IssueCode>(['unreadable-file', 'too-large', 'more-issues']);

/**
 * The positions of issues, in the order of the issues. An issue about something missing is placed at its nearest
 * existing ancestor. A single pass over the text finds all positions. It costs a fraction of a parse, so callers pass
 * only the issues that they will show.
 */
export function locateIssues(text: string, issues: readonly Issue[]): (TextPosition | undefined)[] {
  if (issues.length === 0) return [];
  const lines = new Lines(text);
  return offsetsOfIssues(text, issues).map((offset) =>
    offset === undefined ? undefined : { ...lines.at(offset), offset },
  );
}

/** Like `locateIssues`, but returns offsets, for callers that have the lines of the text. */
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

function needsPointer(issue: Issue) {
  return issue.offset === undefined && !aboutNoPlace.has(issue.code);
}
