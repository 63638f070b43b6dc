import { type IssueCode, issueCodes, type Severity } from './issue-codes.ts';
import { suggest } from './suggest.ts';

/** One thing that is wrong with, or worth saying about, a definition. Positions (line, column) are found later, from the pointer. */
export interface Issue {
  readonly code: IssueCode;
  readonly severity: Severity;
  /** RFC 6901 pointer into the document as it was given. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The word that the author perhaps meant. */
  readonly suggestion?: string;
  /** For issues about a whole class of nodes: how many there are. */
  readonly count?: number;
  /** UTF-16 offset into the text, for what no pointer can name: text that was never parsed, the one of two equal keys that is meant. */
  readonly offset?: number;
}

export type IssueDetails = Pick<Issue, 'expected' | 'found' | 'suggestion' | 'count' | 'offset'>;

/** Issues of one severity in a list. Beyond it they are counted: a document of some megabytes can have a million. */
export const issuesMax = 10_000;

/**
 * Pairs of words that one collector compares to find the one that was meant. A document with so many misspelt names has more to be repaired than
 * a proposal for each.
 */
const comparisonsMax = 3_000_000;

/** Collects issues; nothing throws at the first. */
export class Issues {
  private readonly found: Issue[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly kept: Record<Severity, number> = noneOfAny();
  private readonly more: Record<Severity, number> = noneOfAny();
  private readonly keptMax: number;
  private comparisonsLeft = comparisonsMax;

  /** `keptMax`: issues of one severity that are kept; with 0 they are only counted. */
  constructor(keptMax: number = issuesMax) {
    this.keptMax = keptMax;
  }

  /** In the order in which they were added; checks that wait are made first. Last, for each severity, how many more there are. */
  get list(): readonly Issue[] {
    // A check that asks for the list while it runs does not run again.
    for (let check = this.waiting.shift(); check !== undefined; check = this.waiting.shift()) check();
    const rest = severities.filter((severity) => this.more[severity] > 0);
    if (rest.length === 0) return this.found;
    return [...this.found, ...rest.map((severity) => this.moreOf(severity))];
  }

  /** A check that only adds issues is made when the list is first asked for: a play that never asks does not pay for it. */
  later(check: () => void): void {
    this.waiting.push(check);
  }

  /** Whether an issue of a code would only be counted, so that it need not be described. */
  isFull(code: IssueCode): boolean {
    return this.kept[issueCodes[code].severity] >= this.keptMax;
  }

  /** The known word that an unknown one was perhaps meant to be, for an issue of a code. */
  near(code: IssueCode, word: string, known: Iterable<string>): string | undefined {
    if (this.isFull(code) || this.comparisonsLeft <= 0) return undefined;
    const words = [...known];
    // Each is compared with the word as it stands, and with each two of its letters changed over.
    this.comparisonsLeft -= words.length * word.length;
    return suggest(word, words);
  }

  /** `pointer` is asked for where the issue is kept. */
  add(code: IssueCode, pointer: string | (() => string), message: string, details?: IssueDetails): void {
    const { severity } = issueCodes[code];
    if (this.isFull(code)) this.more[severity]++;
    else {
      this.kept[severity]++;
      const place = typeof pointer === 'string' ? pointer : pointer();
      this.found.push({ code, severity, pointer: place, message, ...details });
    }
  }

  /** The issues of another list, as if they had been added here. */
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
    const message = `${count} more of this severity are not listed: the list has the first ${this.keptMax}.`;
    return { code: 'more-issues', severity, pointer: '', message, count };
  }
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

function noneOfAny(): Record<Severity, number> {
  return { error: 0, warning: 0, info: 0 };
}

/** Lists one after the other, as long as one list may be. */
export function joinIssues(...lists: readonly (readonly Issue[])[]): readonly Issue[] {
  const all = new Issues();
  for (const list of lists) all.append(list);
  return all.list;
}

/** How many there are of each severity, with those that are not listed. */
export function severityCounts(issues: Iterable<Issue>): Record<Severity, number> {
  const counts = noneOfAny();
  for (const { code, severity, count = 0 } of issues) counts[severity] += code === 'more-issues' ? count : 1;
  return counts;
}
