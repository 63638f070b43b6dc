import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue, Severity } from '../../engine/index.ts';
import { offsetsOfIssues } from '../load/index.ts';
import { withSuggestion } from '../text/index.ts';
import { wordAt } from './json-text.ts';
import { rangeOf } from './outline.ts';

export interface LocatedIssue {
  readonly issue: Issue;
  readonly diagnostic: Diagnostic;
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** The maximum number of diagnostics. More would slow down the editor without helping the user. */
const diagnosticsMax = 2000;

/**
 * Locates the issues that `reenact check` reports in the document, each with the range that an editor underlines. If
 * there are too many, the most severe are kept.
 */
export function placed(issues: readonly Issue[], document: TextDocument): LocatedIssue[] {
  const shown =
    issues.length <= diagnosticsMax
      ? issues
      : [...issues].sort((a, b) => severities[a.severity] - severities[b.severity]).slice(0, diagnosticsMax);
  const text = document.getText();
  const offsets = offsetsOfIssues(text, shown);
  return shown.map((issue, i) => {
    const { code, severity } = issue;
    const range = rangeOf(document, wordAt(text, offsets[i] ?? 0));
    const message = withSuggestion(issue);
    return { issue, diagnostic: { range, severity: severities[severity], code, source: 'reenact', message } };
  });
}
