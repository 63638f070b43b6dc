import { gzipSync } from 'node:zlib';
import { cached, lineAndColumn } from '../../../engine/core/index.ts';
import {
  type DialectName,
  definitionHash,
  type HostWords,
  type LoadedGame,
  loadDefinition,
} from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import type { StyleHosts } from '../../html/index.ts';
import { packGame, parseDocument } from '../../load/index.ts';
import { digest } from '../../machine/index.ts';
import { moddioData } from '../../modd-client/index.ts';
import { type Json, type JsonObject, publicData } from '../../net/index.ts';
import { gameTitle, titleOfFile } from '../../text/index.ts';

/** A definition in the form that clients load: as JSON, with its ETag. */
export interface PublicDefinition {
  readonly etag: string;
  readonly json: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

/** A definition with which rooms can be opened. */
export class ServedDefinition {
  readonly slug: string;
  readonly title: string;
  /** The member `owner` of the definition; undefined if it has none. */
  readonly author: string | undefined;
  /** A hash of the text. It identifies this version of the definition. */
  readonly version: string;
  readonly hash: string;
  private readonly data: Json;
  /** The members of a document that describe the game itself. They are next to the game's data or inside it. */
  private readonly metadata: Json;
  private made: PublicDefinition | undefined;
  private readonly madeForModdio = new Map<DialectName, PublicDefinition>();

  /**
   * Reads a definition. Returns undefined if the text is not a valid one, and calls `onRefusal` with the reason.
   * `words`: the operations and triggers that the host adds. `slug` takes precedence over the slug in the definition.
   */
  static of(
    text: string,
    fallbackSlug: string,
    words?: HostWords,
    onRefusal?: (why: string) => void,
    slug?: string,
  ): ServedDefinition | undefined {
    const parsed = parseDocument(text);
    const { document } = parsed;
    const { game, issues } =
      document === undefined ? { game: undefined, issues: parsed.issues.list } : loadDefinition(document, words);
    if (game !== undefined)
      return new ServedDefinition(packGame(text, game.definition.host), game, document, fallbackSlug, slug);
    const { message, pointer, offset } = issues.find(({ severity }) => severity === 'error')!;
    const place = offset === undefined ? pointer : Object.values(lineAndColumn(text, offset)).join(':');
    onRefusal?.(`${place === '' ? '' : `${place}: `}${message}`);
    return undefined;
  }

  private constructor(
    /** The text of the definition, packed together with the operations and triggers that its host adds. */
    readonly text: string,
    readonly game: LoadedGame,
    document: unknown,
    fallbackSlug: string,
    slug: string | undefined,
  ) {
    const { defaultData, pointer } = game.definition;
    this.slug = slug ?? slugOf(defaultData.gameSlug) ?? slugOf(fallbackSlug) ?? 'game';
    this.title = gameTitle(game.definition) ?? titleOfFile(fallbackSlug);
    this.version = digest(text, 24);
    this.hash = definitionHash(game.definition);
    this.data = pointer
      .split('/')
      .slice(1)
      .reduce((value, key) => (value as Record<string, unknown>)[key], document) as Json;
    const { defaultData: metadata } = this.data as { readonly defaultData?: Json };
    this.metadata = metadata ?? (document as Json);
    const { owner } = this.metadata as { readonly owner?: Json };
    this.author = typeof owner === 'string' && owner !== '' ? owner : undefined;
  }

  /** The maximum number of players of a room; undefined if the definition does not set one. */
  playersMax(dialect: DialectName): number | undefined {
    const { defaultMaxPlayers } = programsOfGame(this.game).definitionFor(dialect).defaultData;
    return defaultMaxPlayers !== undefined && defaultMaxPlayers > 0 ? defaultMaxPlayers : undefined;
  }

  get public(): PublicDefinition {
    if (this.made !== undefined) return this.made;
    const { data: _data, gameJson: _gameJson, ...beside } = this.metadata as JsonObject;
    // Metadata next to the document's data is moved into the data.
    const defaultData =
      this.data === this.metadata || 'defaultData' in (this.data as JsonObject) ? {} : { defaultData: beside };
    const data = publicData({ ...defaultData, ...(this.data as JsonObject), title: this.title });
    this.made = publicDefinition({ gameJson: { status: 'success', data } });
    return this.made;
  }

  /** The definition for clients of the original engine. `dialect` is the dialect of the rooms. */
  forModdio(dialect: DialectName, styleHosts?: StyleHosts): PublicDefinition {
    return cached(this.madeForModdio, dialect, () => {
      const { data, metadata } = this;
      const definition = programsOfGame(this.game).definitionFor(dialect);
      return publicDefinition({ status: 'success', data: moddioData({ data, metadata, definition }, styleHosts) });
    });
  }
}

function publicDefinition(content: unknown): PublicDefinition {
  const json = JSON.stringify(content);
  const etag = `"${digest(json, 32)}"`;
  return { etag, json, gzip: new Uint8Array(gzipSync(json)) };
}

/** The definitions with which rooms can be opened. */
export interface Definitions {
  /** All definitions. The first one is the default. */
  readonly all: readonly ServedDefinition[];
  get(slug: string): ServedDefinition | undefined;
}

/** A collection of a single definition. */
export function onlyDefinition(definition: ServedDefinition): Definitions {
  return { all: [definition], get: (slug) => (slug === definition.slug ? definition : undefined) };
}

/** Converts a name to lower-case letters, digits and hyphens; undefined if nothing is left. */
function slugOf(name: string | undefined): string | undefined {
  const slug = (name ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  return slug === '' ? undefined : slug;
}
