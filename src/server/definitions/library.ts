import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lineAndColumn, messageOf } from '../../../engine/core/index.ts';
import { type DialectName, definitionHash, type LoadedGame, loadDefinition } from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import { loadText, parseDocument } from '../../load/index.ts';
import { moddioData } from '../../modd-client/index.ts';
import { type Json, type JsonObject, publicData } from '../../net/index.ts';
import { gameTitle, titleOfFile } from '../../text/index.ts';

/** A definition in the form that clients load: JSON and its ETag. */
export interface PublicDefinition {
  readonly etag: string;
  readonly json: string;
  readonly gzip: Buffer;
}

/** A definition that rooms can be opened with. */
export class ServedDefinition {
  readonly slug: string;
  readonly title: string;
  /** `owner` of the definition, if it has one. */
  readonly author: string | undefined;
  /** A hash of the text. */
  readonly version: string;
  readonly text: string;
  readonly hash: string;
  readonly game: LoadedGame;
  private readonly data: Json;
  /** The members about the game itself, next to its data or inside. */
  private readonly metadata: Json;
  private made: PublicDefinition | undefined;
  private readonly madeForModdio = new Map<DialectName, PublicDefinition>();

  /** Undefined if the text is not a valid definition; `onRefusal` is told why. */
  static of(text: string, fallbackSlug: string, onRefusal?: (why: string) => void): ServedDefinition | undefined {
    const parsed = parseDocument(text);
    const { document } = parsed;
    const { game, issues } =
      document === undefined ? { game: undefined, issues: parsed.issues.list } : loadDefinition(document);
    if (game !== undefined) return new ServedDefinition(text, game, document, fallbackSlug);
    const { message, pointer, offset } = issues.find(({ severity }) => severity === 'error')!;
    const place = offset === undefined ? pointer : Object.values(lineAndColumn(text, offset)).join(':');
    onRefusal?.(`${place === '' ? '' : `${place}: `}${message}`);
    return undefined;
  }

  private constructor(text: string, game: LoadedGame, document: unknown, fallbackSlug: string) {
    const { defaultData, pointer } = game.definition;
    this.slug = slugOf(defaultData.gameSlug) ?? slugOf(fallbackSlug) ?? 'game';
    this.title = gameTitle(game.definition) ?? titleOfFile(fallbackSlug);
    this.text = text;
    this.version = createHash('sha256').update(text).digest('hex').slice(0, 24);
    this.hash = definitionHash(game.definition);
    this.game = game;
    this.data = pointer
      .split('/')
      .slice(1)
      .reduce((value, key) => (value as Record<string, unknown>)[key], document) as Json;
    const { defaultData: metadata } = this.data as { readonly defaultData?: Json };
    this.metadata = metadata ?? (document as Json);
    const { owner } = this.metadata as { readonly owner?: Json };
    this.author = typeof owner === 'string' && owner !== '' ? owner : undefined;
  }

  /** The maximum number of players of a room, if the definition sets one. */
  playersMax(dialect: DialectName): number | undefined {
    const { defaultMaxPlayers } = programsOfGame(this.game).definitionFor(dialect).defaultData;
    return defaultMaxPlayers !== undefined && defaultMaxPlayers > 0 ? defaultMaxPlayers : undefined;
  }

  get public(): PublicDefinition {
    if (this.made !== undefined) return this.made;
    const { data: _data, gameJson: _gameJson, ...beside } = this.metadata as JsonObject;
    // Metadata that a document has next to its data is moved into it.
    const defaultData =
      this.data === this.metadata || 'defaultData' in (this.data as JsonObject) ? {} : { defaultData: beside };
    const data = publicData({ ...defaultData, ...(this.data as JsonObject), title: this.title });
    this.made = publicDefinition({ gameJson: { status: 'success', data } });
    return this.made;
  }

  /** For clients of the original engine. `dialect` is that of the rooms. */
  forModdio(dialect: DialectName, styleHosts?: StyleHosts): PublicDefinition {
    const known = this.madeForModdio.get(dialect);
    if (known !== undefined) return known;
    const { data, metadata } = this;
    const definition = programsOfGame(this.game).definitionFor(dialect);
    const made = publicDefinition({ status: 'success', data: moddioData({ data, metadata, definition }, styleHosts) });
    this.madeForModdio.set(dialect, made);
    return made;
  }
}

function publicDefinition(content: unknown): PublicDefinition {
  const json = JSON.stringify(content);
  const etag = `"${createHash('sha256').update(json).digest('hex').slice(0, 32)}"`;
  return { etag, json, gzip: gzipSync(json) };
}

/** The definitions that rooms can be opened with. */
export interface Definitions {
  /** The first one is the default. */
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

/** How long to wait after a change, because editors write a file in several steps. */
const settleMs = 150;
const definitionFile = /\.json(\.gz)?$/i;
/**
 * Kubernetes changes all files of a ConfigMap at once, by replacing this link, through which the links to the files
 * lead.
 */
const mountedData = '..data';

/** The definitions of some files and folders, kept up to date while the server runs. */
export class Library implements Definitions {
  private readonly paths: readonly string[];
  private readonly onNotice: Observer['problem'];
  private readonly bySlug = new Map<string, ServedDefinition>();
  /** Slugs by file. */
  private readonly byFile = new Map<string, string>();
  private readonly watchers: FSWatcher[] = [];
  /** Files, and folders of which all files may have changed. */
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** Serializes reads: of two simultaneous reads of a file, the older one could otherwise finish last. */
  private reading: Promise<void> = Promise.resolve();

  private constructor(paths: readonly string[], onNotice: Observer['problem']) {
    this.paths = paths;
    this.onNotice = onNotice;
  }

  /** Rejects with `ServerError` if no file is a definition. */
  static async open(paths: readonly string[], onNotice: Observer['problem']): Promise<Library> {
    const library = new Library(paths, onNotice);
    for (const file of await filesOf(paths)) await library.read(file);
    if (library.bySlug.size === 0) {
      throw new ServerError(
        'no-definition',
        `There is no playable definition in ${paths.join(', ')}. Run reenact check on them.`,
      );
    }
    return library;
  }

  /** In the order of the files. */
  get all(): readonly ServedDefinition[] {
    return [...this.bySlug.values()];
  }

  get(slug: string): ServedDefinition | undefined {
    return this.bySlug.get(slug);
  }

  /** Starts watching for changed and new files. `onChange` is called with each new version of a definition. */
  async watch(onChange: (definition: ServedDefinition) => void): Promise<void> {
    for (const path of this.paths) {
      const isFolder = await isDirectory(path);
      // For a file, its folder is watched, because editors replace files rather than writing to them.
      const folder = isFolder ? path : dirname(path);
      // A folder that cannot be watched is served without updates.
      const fails = (error: unknown): void => {
        const message = messageOf(error);
        this.onNotice('bad-definition', `${folder} cannot be watched for changes: ${message}`, { file: folder });
      };
      try {
        const watcher = watch(folder, (_event, name) => {
          if (name === mountedData) this.changed.add(path);
          else if (name !== null && (isFolder ? definitionFile.test(name) : name === basename(path)))
            this.changed.add(join(folder, name));
          else return;
          clearTimeout(this.timer);
          this.timer = setTimeout(() => {
            this.reading = this.reading.then(() => this.readChanged(onChange)).catch(fails);
          }, settleMs);
        });
        watcher.on('error', fails);
        this.watchers.push(watcher);
      } catch (error) {
        fails(error);
      }
    }
  }

  close(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.close();
  }

  private async readChanged(onChange: (definition: ServedDefinition) => void): Promise<void> {
    const paths = [...this.changed];
    this.changed.clear();
    for (const file of await filesOf(paths)) {
      const before = this.bySlug.get(this.byFile.get(file) ?? '');
      const after = await this.read(file);
      if (after !== undefined && after.version !== before?.version) onChange(after);
    }
  }

  private async read(file: string): Promise<ServedDefinition | undefined> {
    const { text, issues } = await loadText(file);
    const fallback = basename(file).replace(definitionFile, '');
    let why = issues.list[0]?.message;
    const definition = why === undefined ? ServedDefinition.of(text, fallback, (reason) => (why = reason)) : undefined;
    if (definition === undefined) {
      this.onNotice('bad-definition', `${file}: ${why}`, { file });
      return undefined;
    }
    const { slug } = definition;
    const before = this.byFile.get(file);
    if (before !== slug && (await this.isTaken(slug))) {
      this.onNotice('duplicate-slug', `${file}: another file already has the slug "${slug}".`, { file });
      return undefined;
    }
    // A renamed game is no longer served under its previous slug.
    if (before !== undefined && before !== slug) this.bySlug.delete(before);
    this.byFile.set(file, slug);
    this.bySlug.set(slug, definition);
    return definition;
  }

  /** Whether an existing file has the slug. Files that were moved or deleted are forgotten. */
  private async isTaken(slug: string): Promise<boolean> {
    for (const [file, name] of this.byFile) {
      if (name !== slug) continue;
      const isThere = await stat(file).then(
        () => true,
        () => false,
      );
      if (isThere) return true;
      this.byFile.delete(file);
    }
    return false;
  }
}

/** The definitions that paths of files and folders name. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const isFolder = await isDirectory(path);
    if (!isFolder) files.push(path);
    else for (const name of (await readdir(path)).sort()) if (definitionFile.test(name)) files.push(join(path, name));
  }
  return files;
}

/** False for a path that does not exist: it may become a file. */
function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
