import type { FileIssues } from './file-issues.ts';
import { issuesAsData } from './json.ts';
import { prettyIssues } from './pretty.ts';
import { sarifIssues } from './sarif.ts';
import { unixIssues } from './unix.ts';

export type { FileIssues } from './file-issues.ts';

const issueFormats = ['pretty', 'json', 'sarif', 'unix'] as const;
type IssueFormat = (typeof issueFormats)[number];

interface FormatOptions {
  /** Whether to use colour, which only `pretty` does. See `wantsColor`. */
  readonly color?: boolean | undefined;
  /**
   * Whether `pretty` shows all issues. By default, it shows at most twenty of each code per file. The other formats are
   * for programs and always complete.
   */
  readonly all?: boolean | undefined;
}

/** The issues in a format, as text that ends with a newline. */
export function formatIssues(files: readonly FileIssues[], format: IssueFormat, options: FormatOptions = {}): string {
  switch (format) {
    case 'pretty':
      return prettyIssues(files, options.color ?? false, options.all ?? false);
    case 'json':
      return `${JSON.stringify(issuesAsData(files), null, 2)}\n`;
    case 'sarif':
      return sarifIssues(files);
    case 'unix':
      return unixIssues(files);
  }
}
