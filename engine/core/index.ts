/**
 * The door of the plain helpers: what tools share with the engine and that knows no game. What programs see of it is in
 * `engine/index.ts`.
 */

// Problems: collected up to a limit, joined, counted.
export { type IssueDetails, Issues, issuesMax, joinIssues, severityCounts } from './issue.ts';
export { type Explained, withSeverity } from './issue-codes.ts';
export { formatValue, requireKnownOptions, unknownWord } from './usage-error.ts';

// JSON: its limits, its syntax errors, and the places of its values.
export { defaultJsonLimits, guardJson, type JsonLimits, membersOf } from './json-guard.ts';
export { duplicateKeys, keysAt, locateNearest } from './json-position.ts';
export { findSyntaxError } from './json-scan.ts';
export { joinPointer, parsePointer } from './pointer.ts';

// Values and errors of others.
export { messageOf } from './error-message.ts';
export { defined, isObject, isRecord, isSameJson } from './plain-object.ts';

// Texts: places in them, and words that are near.
export { Lines, lineAndColumn } from './lines.ts';
export { suggest } from './suggest.ts';

// Bytes, chance, hash and events, the same on every machine.
export { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';
export { EventEmitter } from './emitter.ts';
export { hashText } from './hash.ts';
export { RandomStream, RandomStreams } from './random.ts';
export { engineVersion } from './version.ts';
