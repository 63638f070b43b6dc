import type { Issue } from '../../../engine/core/issue.ts';
import type { IssueCode } from '../../../engine/core/issue-codes.ts';
import { locateNearest } from '../../../engine/core/json-position.ts';
import { Lines } from '../../../engine/core/lines.ts';
import type { TextPosition } from '../../text/excerpt.ts';

/** They are about the name of a member, not about what it holds. */
const aboutKeys: ReadonlySet<IssueCode> = new Set([
  'unknown-field',
  'unknown-parameter',
  'duplicate-key',
  'forbidden-key',
]);
/** They are about the document as a whole before anything in it was looked at, or about other issues. */
const aboutNoPlace: ReadonlySet<IssueCode> = new Set(['unreadable-file', 'too-large', 'more-issues']);

/**
 * The place of each issue, in their order, with one pass over the text for all of them. An issue about something absent
 * is placed at its nearest ancestor. Costs a fraction of a parse, so callers ask for the issues they will show and no
 * others.
 */
export function placeIssues(text: string, issues: readonly Issue[]): (TextPosition | undefined)[] {
  if (issues.length === 0) return [];
  const pointers = new Set<string>();
  for (const issue of issues) if (needsPointer(issue)) pointers.add(issue.pointer);
  const located = pointers.size === 0 ? undefined : locateNearest(text, pointers);
  const lines = new Lines(text);
  return issues.map((issue) => {
    if (issue.offset !== undefined) return { ...lines.at(issue.offset), offset: issue.offset };
    const location = needsPointer(issue) ? located?.get(issue.pointer) : undefined;
    if (location === undefined) return undefined;
    const { exact, keyOffset } = location;
    const offset = exact && keyOffset !== undefined && aboutKeys.has(issue.code) ? keyOffset : location.offset;
    return { ...lines.at(offset), offset };
  });
}

function needsPointer(issue: Issue): boolean {
  return issue.offset === undefined && !aboutNoPlace.has(issue.code);
}
