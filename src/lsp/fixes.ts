import type { Edit } from 'jsonc-parser';
import { type CodeAction, CodeActionKind, type Range, type TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Issue } from '../../engine/index.ts';
import { fixIssues, misspeltMax, suggestedEdits } from '../load/index.ts';
import type { LocatedIssue } from './diagnostics.ts';
import { rangeOf } from './outline.ts';

/**
 * Code actions for the issues in a range: replacing a misspelt word by the suggested one, and all repairs of `check
 * --fix`.
 */
export function fixes(document: TextDocument, issues: readonly LocatedIssue[], range: Range): CodeAction[] {
  const { uri } = document;
  const here = issues.filter(
    ({ issue, diagnostic }) => issue.suggestion !== undefined && overlap(document, diagnostic.range, range),
  );
  if (here.length === 0) return [];
  const edits = suggestedEdits(
    document.getText(),
    here.map(({ issue }) => issue),
  );
  return here.flatMap(({ diagnostic }, i): CodeAction[] => {
    const edit = edits[i];
    if (edit === undefined) return [];
    const title = `Change to ${edit.content}`;
    const changes = { [uri]: [textEdit(document, edit)] };
    return [{ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], edit: { changes }, isPreferred: true }];
  });
}

/** All repairs of `reenact check --fix` as one code action; none if it would change nothing or too many words. */
export function fixAll(issues: readonly Issue[], document: TextDocument): CodeAction[] {
  if (issues.filter(({ suggestion }) => suggestion !== undefined).length > misspeltMax) return [];
  const { edits } = fixIssues(document.getText(), issues);
  if (edits.length === 0) return [];
  const changes = { [document.uri]: edits.map((edit) => textEdit(document, edit)) };
  return [{ title: 'Apply all safe fixes', kind: `${CodeActionKind.SourceFixAll}.reenact`, edit: { changes } }];
}

export function textEdit(document: TextDocument, { offset, length, content }: Edit): TextEdit {
  return { range: rangeOf(document, { start: offset, end: offset + length }), newText: content };
}

function overlap(document: TextDocument, a: Range, b: Range) {
  const isAtOrAfter = (one: Range['end'], other: Range['start']) => document.offsetAt(one) >= document.offsetAt(other);
  return isAtOrAfter(a.end, b.start) && isAtOrAfter(b.end, a.start);
}
