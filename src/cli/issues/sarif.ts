import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Issue, Severity } from '../../../engine/index.ts';
import { issueCodes } from '../../check/index.ts';
import { locateIssues } from '../../load/index.ts';
import type { TextPosition } from '../../text/index.ts';
import type { SuppressedIssue } from './config.ts';
import type { FileIssues } from './file-issues.ts';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>;
const codes = Object.entries(issueCodes);
const ruleIndices: ReadonlyMap<string, number> = new Map(codes.map(([code], index) => [code, index]));

/** SARIF 2.1.0, which code hosts and editors read. The log has one run, whose rules are all codes. */
export function sarifIssues(files: readonly FileIssues[]): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'reenact',
            rules: codes.map(([code, { about, severity }]) => ({
              id: code,
              shortDescription: { text: escapeMessage(about) },
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        artifacts: files.map(({ file }) => ({ location: { uri: uriOf(file) } })),
        results: files.flatMap(({ file, text, issues, suppressed = [] }, fileIndex) => {
          const all = [...issues, ...suppressed.map(({ issue }) => issue)];
          const places = locateIssues(text, all);
          return all.map((issue, i) => ({
            ...result(issue, places[i], uriOf(file), fileIndex),
            ...(i >= issues.length && { suppressions: [suppression(suppressed[i - issues.length]!)] }),
          }));
        }),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result(issue: Issue, place: TextPosition | undefined, uri: string, index: number) {
  const { expected, found, suggestion, pointer, count } = issue;
  return {
    ruleId: issue.code,
    ruleIndex: ruleIndices.get(issue.code),
    level: levels[issue.severity],
    message: { text: escapeMessage(messageText(issue)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, index },
          ...(place && { region: { startLine: place.line, startColumn: place.column } }),
        },
        ...(pointer !== '' && { logicalLocations: [{ fullyQualifiedName: pointer }] }),
      },
    ],
    ...(count !== undefined && count >= 1 && { occurrenceCount: count }),
    properties: { pointer, expected, found, suggestion },
  };
}

/** The exception in the configuration that suppresses an issue. */
function suppression({ because }: SuppressedIssue) {
  return { kind: 'external', ...(because !== undefined && { justification: escapeMessage(because) }) };
}

function messageText({ message, expected, found, suggestion }: Issue) {
  const parts = [message];
  if (expected !== undefined && found !== undefined) parts.push(`Expected ${expected}, found ${found}.`);
  else if (expected !== undefined) parts.push(`Expected ${expected}.`);
  else if (found !== undefined) parts.push(`Found ${found}.`);
  if (suggestion !== undefined && !message.includes(suggestion)) parts.push(`Did you mean "${suggestion}"?`);
  return parts.join(' ');
}

/**
 * Doubles braces, because `{0}` would be a placeholder (SARIF 2.1.0, section 3.11.5). Also breaks up `[a](b)`, which
 * would be a link (3.11.6), because a game must not be able to create links. Escaping with a backslash is not enough,
 * because the text may already contain a backslash before it.
 */
function escapeMessage(text: string) {
  return text.replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] (');
}

/** A relative path stays relative: the reader of the log knows its base folder. */
function uriOf(file: string) {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  // Lone surrogates cannot be encoded.
  return file
    .replace(/\p{Cs}/gu, '\ufffd')
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
}
