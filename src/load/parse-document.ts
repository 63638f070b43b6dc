import {
  defaultJsonLimits,
  duplicateKeys,
  findSyntaxError,
  guardJson,
  Issues,
  type JsonLimits,
  keysAt,
  membersOf,
} from '../../engine/core/index.ts';

interface ParsedDocument {
  /**
   * The parsed document; undefined if the text was rejected or is not JSON. An issue of severity `error` then says why.
   */
  readonly document: unknown;
  readonly issues: Issues;
}

const duplicatesReportedMax = 1000;

/**
 * Parses JSON and reports what `JSON.parse` alone does not: `too-large`, `too-deep` and `forbidden-key` before parsing,
 * `syntax-error` with a position, and `duplicate-key`. Issues carry an offset into the text; `formatIssues` turns it
 * into line, column and excerpt.
 */
export function parseDocument(
  text: string,
  limits: JsonLimits = defaultJsonLimits,
  issues = new Issues(),
): ParsedDocument {
  const refused: ParsedDocument = { document: undefined, issues };
  const guard = guardJson(text, limits);
  if (guard.refusal?.code === 'too-large') {
    issues.add('too-large', '', tooLargeMessage(limits.bytesMax));
    return refused;
  }
  if (guard.refusal !== undefined) {
    issues.add('too-deep', '', `Objects and arrays are nested deeper than ${limits.depthMax} levels.`, {
      offset: guard.refusal.offset,
    });
    return refused;
  }
  if (guard.forbiddenKeyOffsets.length > 0) {
    const keys = keysAt(text, guard.forbiddenKeyOffsets);
    for (const { pointer, key, offset } of keys) {
      issues.add(
        'forbidden-key',
        pointer,
        `The key "${key}" is not allowed, because it could compromise the host program.`,
        { offset },
      );
    }
    // The guard does not check syntax. If there is a syntax error before all forbidden keys that it found, they were
    // not really keys; the syntax error is then reported below.
    if (keys.length > 0) return refused;
  }

  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (thrown) {
    // The message of `JSON.parse` is not used, because it is written for programmers and does not always have a
    // position.
    const problem = findSyntaxError(text);
    if (problem === undefined) throw thrown;
    issues.add('syntax-error', '', problem.message, { offset: problem.offset });
    return refused;
  }

  // A duplicate key leaves the value with fewer members than the text has. Counting members takes a third of the time
  // of parsing; looking for duplicates by name takes longer than parsing, and hardly any document has them.
  issues.later(() => {
    if (membersOf(document) !== guard.memberCount) reportDuplicates(text, issues);
  });
  return { document, issues };
}

export function tooLargeMessage(bytesMax: number): string {
  const megabyte = 1024 * 1024;
  const limit = bytesMax >= megabyte ? `${Math.floor((bytesMax / megabyte) * 10) / 10} MB` : `${bytesMax} bytes`;
  return `The document is larger than ${limit}.`;
}

function reportDuplicates(text: string, issues: Issues) {
  const found = duplicateKeys(text, duplicatesReportedMax + 1);
  for (const { pointer, key, offset } of found.slice(0, duplicatesReportedMax)) {
    issues.add('duplicate-key', pointer, `The object already has the key "${key}"; the last one counts.`, {
      offset,
    });
  }
  if (found.length > duplicatesReportedMax) {
    issues.add(
      'duplicate-key',
      '',
      `More than ${duplicatesReportedMax} keys are duplicates; the others are not listed.`,
    );
  }
}
