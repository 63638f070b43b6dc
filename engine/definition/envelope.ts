import type { Issues } from '../core/issue.ts';
import { type Dictionary, isRecord } from '../core/plain-object.ts';
import { joinPointer } from '../core/pointer.ts';
import { describe } from './reader.ts';
import type { Json } from './schema.ts';

type JsonObject = Dictionary<Json>;

/** The data object of a document, taken out of its envelope. */
interface Opened {
  readonly data: JsonObject;
  readonly path: readonly string[];
  /** In an editor's export: the object around `data`, whose other fields are metadata. */
  readonly beside: JsonObject | undefined;
}

/**
 * Finds the data object of a definition, which comes in three forms: `{gameJson: {status, data}}` as the service
 * returns it (specification, Envelope), `{...metadata, data}` as the editor exports it, or only the data object,
 * recognised by the keys in `sections`.
 */
export function openEnvelope(given: Json, sections: ReadonlySet<string>, issues: Issues): Opened | undefined {
  const document = withoutSchema(given, issues);
  if (isRecord(document)) {
    if (Object.hasOwn(document, 'gameJson')) return openAnswer(document, sections, issues);
    if (isRecord(document['data']) && Object.hasOwn(document, 'data')) {
      const opened = { data: document['data'], path: ['data'], beside: document };
      return isWrappedTwice(opened, sections, issues) ? undefined : opened;
    }
    if (hasSection(document, sections)) return { data: document, path: [], beside: undefined };
    if (Object.hasOwn(document, 'data')) {
      const found = describe(document['data']);
      issues.add(
        'not-a-definition',
        '/data',
        `\`data\` of a game definition must be an object of sections, not ${found}.`,
        {
          expected: 'an object with sections such as `unitTypes`',
          found,
        },
      );
      return undefined;
    }
  }
  if (typeof document === 'string') {
    const message = 'This is a string. A game definition is an object: parse the string with JSON.parse first.';
    issues.add('not-a-definition', '', message, { expected: 'an object', found: describe(document) });
    return undefined;
  }
  issues.add(
    'not-a-definition',
    '',
    `This is not a game definition: it has no \`gameJson\`, no \`data\` and no known section${hintOf(document, sections)}.`,
    {
      expected: 'an object with `gameJson`, with `data`, or with sections such as `unitTypes`',
      found: describe(document),
    },
  );
  return undefined;
}

function hasSection(document: JsonObject, sections: ReadonlySet<string>) {
  return Object.keys(document).some((key) => sections.has(key));
}

/**
 * Reports a document whose `data` contains only another `data` instead of a game, and returns whether this is the case.
 * Without the check, the document would load as an empty game without an error.
 */
function isWrappedTwice({ data, path }: Opened, sections: ReadonlySet<string>, issues: Issues) {
  if (!Object.hasOwn(data, 'data') || hasSection(data, sections)) return false;
  const pointer = [...path, 'data'].map((key) => `/${key}`).join('');
  issues.add('not-a-definition', pointer, '`data` contains another `data` instead of sections; remove one of them.', {
    expected: 'sections such as `unitTypes`',
    found: describe(data['data']),
  });
  return true;
}

/** A hint for the message if a member of the document contains the definition. */
function hintOf(document: Json, sections: ReadonlySet<string>) {
  if (!isRecord(document)) return '';
  const holds = (value: Json | undefined) =>
    isRecord(value) && (Object.hasOwn(value, 'gameJson') || isRecord(value['data']) || hasSection(value, sections));
  const key = Object.keys(document).find((each) => holds(document[each]));
  return key === undefined ? '' : `. The game definition seems to be in the member \`${key}\``;
}

/** Drops `$schema`, which is only for code completion in editors. */
function withoutSchema(document: Json, issues: Issues): Json {
  if (!isRecord(document) || !Object.hasOwn(document, '$schema')) return document;
  const { $schema, ...rest } = document;
  if (typeof $schema !== 'string') addWrongType(issues, '/$schema', 'a string', $schema);
  return rest;
}

function openAnswer(document: JsonObject, sections: ReadonlySet<string>, issues: Issues): Opened | undefined {
  const answer = document['gameJson'];
  for (const key of Object.keys(document)) {
    if (key !== 'gameJson')
      issues.add('unknown-field', joinPointer('', key), `Unknown field \`${key}\` beside \`gameJson\`.`);
  }
  if (!isRecord(answer)) {
    addWrongType(issues, '/gameJson', 'an object', answer);
    return undefined;
  }
  for (const key of Object.keys(answer)) {
    if (key === 'status' || key === 'data') continue;
    issues.add('unknown-field', joinPointer('/gameJson', key), `Unknown field \`${key}\` beside \`data\`.`);
  }
  if (!Object.hasOwn(answer, 'status')) {
    issues.add('missing-field', '/gameJson', '`status` is missing.', { expected: 'status' });
  } else if (answer['status'] !== 'success') {
    const found = describe(answer['status']);
    issues.add('status-not-success', '/gameJson/status', `The status is ${found}, not "success".`, {
      expected: '"success"',
      found,
    });
  }
  const data = answer['data'];
  if (isRecord(data)) {
    const opened = { data, path: ['gameJson', 'data'], beside: undefined };
    return isWrappedTwice(opened, sections, issues) ? undefined : opened;
  }
  if (Object.hasOwn(answer, 'data')) addWrongType(issues, '/gameJson/data', 'an object', data);
  else issues.add('missing-field', '/gameJson', '`data` is missing.', { expected: 'data' });
  return undefined;
}

function addWrongType(issues: Issues, pointer: string, expected: string, given: Json) {
  const found = describe(given);
  issues.add('wrong-type', pointer, `Expected ${expected}, found ${found}.`, { expected, found });
}
