import type { FileIssues } from './file-issues.ts';
import { jsonIssues } from './json.ts';
import { prettyIssues } from './pretty.ts';
import { sarifIssues } from './sarif.ts';

export type { FileIssues } from './file-issues.ts';

const issueFormats = ['pretty', 'json', 'sarif'] as const;
export type IssueFormat = (typeof issueFormats)[number];

interface FormatOptions {
  /** Only `pretty` has colour. See `wantsColor`. */
  readonly color?: boolean | undefined;
  /**
   * `pretty` stops after twenty issues of one code in one file unless this is set. The other formats are for programs
   * and always complete.
   */
  readonly all?: boolean | undefined;
}

/** Text to print as it is: it ends with a line end. */
export function formatIssues(files: readonly FileIssues[], format: IssueFormat, options: FormatOptions = {}): string {
  switch (format) {
    case 'pretty':
      return prettyIssues(files, options.color ?? false, options.all ?? false);
    case 'json':
      return jsonIssues(files);
    case 'sarif':
      return sarifIssues(files);
  }
}

/**
 * Colour is for people at a terminal who did not ask for none: https://no-color.org counts `NO_COLOR` when it is not
 * empty.
 */
export function wantsColor(stream: { isTTY?: boolean | undefined }, env: Record<string, string | undefined>): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '';
}
