import { existsSync, type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import type { HostWords } from '../../../engine/index.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import { loadText } from '../../load/index.ts';
import { type Definitions, ServedDefinition } from './served.ts';

/** How long to wait after a change before the file is read, ms, because editors write a file in several steps. */
const settleMs = 150;
const definitionFile = /\.json(\.gz)?$/i;
/**
 * Kubernetes updates all files of a ConfigMap at the same time, by replacing this symbolic link, through which the
 * links of the files lead.
 */
const mountedData = '..data';

/** The definitions in some files and folders. They are kept up to date while the server runs. */
export class Library implements Definitions {
  private readonly bySlug = new Map<string, ServedDefinition>();
  /** The slugs of definitions, by file. */
  private readonly byFile = new Map<string, string>();
  private readonly watchers: FSWatcher[] = [];
  /** Files that have changed, and folders in which any file may have changed. */
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** Serializes reads: if two reads of a file overlapped, the older one could finish last. */
  private reading: Promise<void> = Promise.resolve();

  private constructor(
    private readonly paths: readonly string[],
    private readonly onNotice: Observer['problem'],
    private readonly words: HostWords | undefined,
  ) {}

  /** Reads the definitions. Rejects with `ServerError` if no file contains one. */
  static async open(paths: readonly string[], onNotice: Observer['problem'], words?: HostWords): Promise<Library> {
    const library = new Library(paths, onNotice, words);
    for (const file of await filesOf(paths)) await library.read(file);
    if (library.bySlug.size === 0) {
      throw new ServerError(
        'no-definition',
        `There is no playable definition in ${paths.join(', ')}. Run reenact check to see why.`,
      );
    }
    return library;
  }

  /** All definitions, in the order of their files. */
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
      // For a single file, its folder is watched, because editors replace files rather than writing to them.
      const folder = isFolder ? path : dirname(path);
      // If a folder cannot be watched, its definitions are served without updates.
      const fails = (error: unknown) => {
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

  close() {
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.close();
  }

  private async readChanged(onChange: (definition: ServedDefinition) => void) {
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
    const definition =
      why === undefined ? ServedDefinition.of(text, fallback, this.words, (reason) => (why = reason)) : undefined;
    if (definition === undefined) {
      this.onNotice('bad-definition', `${file}: ${why}`, { file });
      return undefined;
    }
    const { slug } = definition;
    const before = this.byFile.get(file);
    if (before !== slug && this.isTaken(slug)) {
      this.onNotice('duplicate-slug', `${file}: another file already has the slug "${slug}".`, { file });
      return undefined;
    }
    // A game that was renamed is no longer served under its previous slug.
    if (before !== undefined && before !== slug) this.bySlug.delete(before);
    this.byFile.set(file, slug);
    this.bySlug.set(slug, definition);
    return definition;
  }

  /** Whether a file that still exists has the slug. Files that were moved or deleted are forgotten. */
  private isTaken(slug: string) {
    for (const [file, name] of this.byFile) {
      if (name !== slug) continue;
      if (existsSync(file)) return true;
      this.byFile.delete(file);
    }
    return false;
  }
}

/** The files with definitions, for paths of files and folders. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    const isFolder = await isDirectory(path);
    if (!isFolder) files.push(path);
    else for (const name of (await readdir(path)).sort()) if (definitionFile.test(name)) files.push(join(path, name));
  }
  return files;
}

/** Whether a path is a folder. False for a missing path, which may later become a file. */
function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
