import { Issues } from '../core/issue.ts';
import { isRecord, isSameJson } from '../core/plain-object.ts';
import type { Definition } from './definition.ts';
import { openEnvelope } from './envelope.ts';
import { FrozenMap } from './frozen-map.ts';
import type { Host } from './host.ts';
import { cellSizeOf } from './map.ts';
import { metadata } from './metadata.ts';
import { type Layer, Reader, type Spelling } from './reader.ts';
import { pointerIn } from './reference-report.ts';
import { checkReferences } from './references.ts';
import type { Json } from './schema.ts';
import { sectionKeys, sections } from './sections.ts';
import { settings } from './settings.ts';
import { looksLikeViews, type View, views } from './view.ts';

/** The document from which each definition was read. */
const documents = new WeakMap<Definition, Json>();

const envelopeKeys: ReadonlySet<string> = new Set(['data']);

/**
 * Reads a definition in any of its three document forms and adds everything that is wrong with it to `issues`. Returns
 * undefined only if the document has no data object. Never throws and never changes the document. References are
 * checked when the issues are listed; the document must not change until then. Accepted legacy spellings are added to
 * `spellings`.
 */
export function readDefinition(
  document: Json,
  issues: Issues,
  spellings?: Spelling[],
  host?: Host,
): Definition | undefined {
  const opened = openEnvelope(document, sectionKeys, issues);
  if (opened === undefined) return undefined;
  const { data, path, beside } = opened;
  const reader = new Reader(issues, spellings);

  const viewKeys = new Set(Object.keys(data).filter((key) => !sectionKeys.has(key) && looksLikeViews(data[key])));
  const read = reader.readLayers(sections, [{ value: data, path, foreign: viewKeys }]);
  const moreViews: [string, View][] = [];
  for (const key of viewKeys) moreViews.push(...(reader.readAt(views, data[key], [...path, key]) ?? []));

  const layers: Layer[] = [];
  if (isRecord(read.defaultData)) layers.push({ value: read.defaultData, path: [...path, 'defaultData'] });
  else if (read.defaultData !== undefined && read.defaultData !== '')
    reader.readAt(metadata, read.defaultData, [...path, 'defaultData']);
  if (beside !== undefined) layers.push({ value: beside, path: [], foreign: envelopeKeys });
  const defaultData = reader.readLayers(metadata, layers);

  const definition: Definition = Object.freeze({
    ...read,
    views: moreViews.length === 0 ? read.views : new FrozenMap([...read.views, ...moreViews]),
    settings: read.settings ?? reader.readLayers(settings, []),
    defaultData,
    cellSize: cellSizeOf(read.map, defaultData.dontResize),
    pointer: path.map((key) => `/${key}`).join(''),
    ...(host !== undefined && { host }),
  });
  documents.set(definition, document);
  issues.later(() => checkReferences(definition, document, issues));
  return definition;
}

/**
 * Converts a pointer in the normal form of a definition to the pointer in its document. If the document has no value
 * there, returns the pointer of the innermost enclosing value that exists.
 */
export function givenPointer(definition: Definition, pointer: string): string {
  return pointerIn(documents.get(definition), pointer);
}

/** The document from which a definition was read. */
export function documentOf(definition: Definition): Json {
  return documents.get(definition);
}

/** Whether the documents of two definitions are the same, apart from the conditions and actions of scripts. */
export function haveSameData(a: Definition, b: Definition): boolean {
  if (!isSameJson(a.host, b.host)) return false;
  return isSameJson(
    documents.get(a),
    documents.get(b),
    (key, _, collection) => collection !== 'scripts' || (key !== 'actions' && key !== 'conditions'),
  );
}

/**
 * Lists legacy spellings that are accepted without an issue: numbers as strings, and old field names. Does not look at
 * scripts.
 */
export function spellingsOf(document: Json): readonly Spelling[] {
  const spellings: Spelling[] = [];
  readDefinition(document, new Issues(), spellings);
  return spellings;
}
