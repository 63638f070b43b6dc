import { type IssueCode, issueCodes, type Severity } from './issue-codes.ts';
import type { Dictionary } from './plain-object.ts';
import { suggest } from './suggest.ts';

/** A problem in a definition, or a note about it. The line and column are computed later, from the pointer. */
export interface Issue {
  /** A key of `issueCodes`, or a code that a check of a loaded game declares. */
  readonly code: string;
  readonly severity: Severity;
  /** JSON Pointer (RFC 6901) into the original document. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The word that the author probably meant. */
  readonly suggestion?: string;
  /** The number of values that one issue reports together, such as all invalid tiles of a layer. */
  readonly count?: number;
  /**
   * UTF-16 offset into the text, if a pointer is not enough: for text that was never parsed, and for one of two equal
   * keys.
   */
  readonly offset?: number;
}

export type IssueDetails = Pick<Issue, 'expected' | 'found' | 'suggestion' | 'count' | 'offset'>;

/**
 * Maximum number of issues of one severity in a list. Further issues are only counted, because a document of a few
 * megabytes can have a million.
 */
export const issuesMax = 10_000;

/**
 * Maximum number of word comparisons that one collector makes for suggestions. A document with that many misspelt names
 * has bigger problems than a missing suggestion.
 */
const comparisonsMax = 3_000_000;

/** Collects issues, so that a check can continue after the first. */
export class Issues<Code extends string = IssueCode> {
  private readonly found: Issue[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly kept: Record<Severity, number> = noneOfAny();
  private readonly more: Record<Severity, number> = noneOfAny();
  private comparisonsLeft = comparisonsMax;

  /**
   * `keptMax`: maximum number of issues of one severity to keep; with 0, issues are only counted. `codes`: the severity
   * of each code.
   */
  constructor(
    private readonly keptMax: number = issuesMax,
    private readonly codes: Dictionary<{ readonly severity: Severity }> = issueCodes,
  ) {}

  /**
   * Runs the deferred checks; returns all issues in the order of addition, then the number of further ones for each
   * severity.
   */
  get list(): readonly Issue[] {
    // Each check is removed before it runs, because a check that reads this list would otherwise run again.
    for (let check = this.waiting.shift(); check !== undefined; check = this.waiting.shift()) check();
    const rest = severities.filter((severity) => this.more[severity] > 0);
    if (rest.length === 0) return this.found;
    return [...this.found, ...rest.map((severity) => this.moreOf(severity))];
  }

  /**
   * Defers a check, which must do nothing but add issues, until the list is read. A run that never reads the list does
   * not pay for the check.
   */
  later(check: () => void): void {
    this.waiting.push(check);
  }

  /** Whether an issue with this code would only be counted, so that its details are not needed. */
  isFull(code: Code): boolean {
    return this.kept[this.codes[code]!.severity] >= this.keptMax;
  }

  /**
   * The known word most similar to an unknown one, for an issue with this code; undefined if none is similar enough.
   */
  near(code: Code, word: string, known: Iterable<string>): string | undefined {
    if (this.isFull(code) || this.comparisonsLeft <= 0) return undefined;
    const words = [...known];
    // Each known word is compared with the word itself and with each swap of two adjacent letters.
    this.comparisonsLeft -= words.length * word.length;
    return suggest(word, words);
  }

  /** Adds an issue. A `pointer` function is called only if the issue is kept. */
  add(code: Code, pointer: string | (() => string), message: string, details?: IssueDetails): void {
    const { severity } = this.codes[code]!;
    if (this.isFull(code)) this.more[severity]++;
    else {
      this.kept[severity]++;
      const place = typeof pointer === 'string' ? pointer : pointer();
      this.found.push({ code, severity, pointer: place, message, ...details });
    }
  }

  /** Adds the issues of another list. */
  append(list: readonly Issue[]): void {
    for (const issue of list) {
      const { code, severity, count = 0 } = issue;
      if (code === 'more-issues') this.more[severity] += count;
      else if (this.kept[severity] >= this.keptMax) this.more[severity]++;
      else {
        this.kept[severity]++;
        this.found.push(issue);
      }
    }
  }

  count(severity: Severity): number {
    return severityCounts(this.list)[severity];
  }

  private moreOf(severity: Severity): Issue {
    const count = this.more[severity];
    const message = `${count} more issues of this severity were found, but only the first ${this.keptMax} are listed.`;
    return { code: 'more-issues', severity, pointer: '', message, count };
  }
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

function noneOfAny(): Record<Severity, number> {
  return { error: 0, warning: 0, info: 0 };
}

/** Concatenates lists, subject to the limits of a single list. */
export function joinIssues(...lists: readonly (readonly Issue[])[]): readonly Issue[] {
  const all = new Issues();
  for (const list of lists) all.append(list);
  return all.list;
}

/** The number of issues of each severity, including those that are only counted. */
export function severityCounts(issues: Iterable<Issue>): Record<Severity, number> {
  const counts = noneOfAny();
  for (const { code, severity, count = 0 } of issues) counts[severity] += code === 'more-issues' ? count : 1;
  return counts;
}
