import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue, Severity } from '../../engine/index.ts';
import { offsetsOfIssues } from '../load/index.ts';
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

/** More diagnostics would slow an editor down and help nobody. */
const diagnosticsMax = 2000;

/**
 * The issues as `reenact check` prints them, each with the text that an editor underlines. Keeps the most severe if
 * there are too many.
 */
export function placed(issues: readonly Issue[], document: TextDocument): LocatedIssue[] {
  const shown =
    issues.length <= diagnosticsMax
      ? issues
      : [...issues].sort((a, b) => severities[a.severity] - severities[b.severity]).slice(0, diagnosticsMax);
  const text = document.getText();
  const offsets = offsetsOfIssues(text, shown);
  return shown.map((issue, i) => {
    const { code, message, severity, suggestion } = issue;
    const hint = suggestion === undefined || message.includes(suggestion) ? '' : ` Did you mean "${suggestion}"?`;
    const range = rangeOf(document, wordAt(text, offsets[i] ?? 0));
    return {
      issue,
      diagnostic: { range, severity: severities[severity], code, source: 'reenact', message: `${message}${hint}` },
    };
  });
}
