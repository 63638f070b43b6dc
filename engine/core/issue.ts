import { type IssueCode, issueCodes, type Severity } from './issue-codes.ts';

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

/** Collects issues; nothing throws at the first. */
export class Issues {
  private readonly found: Issue[] = [];
  private readonly waiting: (() => void)[] = [];

  /** In the order in which they were added; checks that wait are made first. */
  get list(): readonly Issue[] {
    // A check that asks for the list while it runs does not run again.
    for (let check = this.waiting.shift(); check !== undefined; check = this.waiting.shift()) check();
    return this.found;
  }

  /** A check that only adds issues is made when the list is first asked for: a play that never asks does not pay for it. */
  later(check: () => void): void {
    this.waiting.push(check);
  }

  add(code: IssueCode, pointer: string, message: string, details?: IssueDetails): void {
    this.found.push({ code, severity: issueCodes[code].severity, pointer, message, ...details });
  }

  count(severity: Severity): number {
    let count = 0;
    for (const issue of this.list) if (issue.severity === severity) count++;
    return count;
  }
}
