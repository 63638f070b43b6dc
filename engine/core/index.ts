/**
 * The entry point of the plain helpers, which know nothing about games; tools share them with the engine.
 * `engine/index.ts` exports those that programs may use.
 */

// Issues: collected up to a limit, joined, counted, and explained.
export { type IssueDetails, Issues, issuesMax, joinIssues, severityCounts } from './issue.ts';
export { type Explained, withSeverity } from './issue-codes.ts';
export { escapeHtml } from './escape-html.ts';
export { formatValue, requireKnownOptions, unknownWord } from './usage-error.ts';
export { isUserError, UserError } from './user-error.ts';

// JSON: its limits, its syntax errors, and the positions of its values.
export { defaultJsonLimits, guardJson, type JsonLimits, membersOf } from './json-guard.ts';
export { duplicateKeys, keysAt, locateNearest } from './json-position.ts';
export { findSyntaxError } from './json-scan.ts';
export { joinPointer, parsePointer } from './pointer.ts';

// Checks of unknown values, and messages of thrown errors.
export { messageOf, stackOf } from './error-message.ts';
export { type Dictionary, defined, isObject, isRecord, isSameJson, mapMembers } from './plain-object.ts';

// Strings: lines and columns, and similar words for suggestions.
export { Lines, lineAndColumn } from './lines.ts';
export { suggest } from './suggest.ts';

// Cached values.
export { cached, lazy } from './cached.ts';

// Bytes, random numbers, hashes and events, the same on every machine.
export { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
export { EventEmitter, type StopListening } from './emitter.ts';
export { hashText } from './hash.ts';
export { RandomStream, RandomStreams } from './random.ts';
export { engineVersion } from './version.ts';
