import { type Dictionary, isRecord, mapMembers, messageOf } from '../../../engine/core/index.ts';
import { sectionNouns } from '../../review/index.ts';
import { Failure } from '../failure.ts';

/** A game that was split into files: the text of each file, by its path in the folder. */
export type GameParts = ReadonlyMap<string, string>;

const format = 'reenact-parts/1';
/** The file that contains everything that has no file of its own, and the indentation of the original text. */
export const rootFile = 'game.json';
/**
 * A section whose entries have their own files is replaced by an object with this key. Its value is the path of the
 * folder with these files.
 */
const folderKey = '$folder';

/**
 * An entry of a section. It names the entry before it instead of having a number, so that two branches can add entries
 * without a conflict.
 */
interface Part {
  readonly key: string;
  readonly after?: string;
  readonly value: unknown;
}

/** Splits the text of a game into one file for each script, type and other entry of a section. */
export function splitGame(text: string): GameParts {
  const files = new Map<string, string>();
  const put = (path: string, value: object) => {
    const json = JSON.stringify(value, null, 2);
    // Lists of numbers, such as tiles, take one line.
    files.set(path, `${json.replace(/\[\n\s+-?\d[-+.,eE\d\s]*\]/g, (list) => list.replace(/\s+/g, ''))}\n`);
  };
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '';
  const [end] = /\s*$/.exec(text)!;
  put(rootFile, { format, indent, end, game: outsourced(JSON.parse(text) as Dictionary, '') });
  return files;

  function outsourced(value: Dictionary, above: string): Dictionary {
    const members = Object.entries(value).map(([key, member]) => {
      if (!isRecord(member)) return [key, member];
      if (above === '' && (key === 'gameJson' || key === 'data')) return [key, outsourced(member, above)];
      const entries = Object.entries(member);
      const isSection = above === '' ? Object.hasOwn(sectionNouns, key) : key === 'scripts';
      if (!isSection || !entries.every(([, entry]) => isRecord(entry))) return [key, member];
      const folder = `${above}${key}/`;
      for (const [i, [own, entry]] of (entries as [string, Dictionary][]).entries()) {
        const name = fileName(own, entry['name'], (path) => files.has(`${folder}${path}.json`));
        const part: Part = { key: own, value: outsourced(entry, `${folder}${name}/`) };
        put(`${folder}${name}.json`, i === 0 ? part : { ...part, after: entries[i - 1]![0] });
      }
      return [key, { [folderKey]: folder }];
    });
    return Object.fromEntries(members) as Dictionary;
  }
}

/** The text of a game from its files. Throws `Failure`. */
export function joinGame(files: GameParts): string {
  const { indent, end, game, ...root } = read(rootFile);
  if (root['format'] !== format)
    throw new Failure('unreadable-file', `${rootFile} does not have the format ${format} of reenact split.`);
  return `${JSON.stringify(filled(game), null, String(indent))}${end}`;

  function read(path: string): Dictionary {
    try {
      return JSON.parse(files.get(path)!) as Dictionary;
    } catch (error) {
      throw new Failure('unreadable-file', `${path}: ${messageOf(error)}`);
    }
  }

  function filled(value: unknown): unknown {
    if (!isRecord(value)) return value;
    const folder = value[folderKey];
    if (typeof folder !== 'string') return mapMembers(value, filled);
    const paths = [...files.keys()].filter((path) => path.slice(0, path.lastIndexOf('/') + 1) === folder);
    const parts = new Map<string, Part>();
    for (const path of paths.sort()) {
      const part = read(path) as unknown as Part;
      if (parts.has(part.key))
        throw new Failure('unreadable-file', `${path}: another file also has the key ${JSON.stringify(part.key)}.`);
      parts.set(part.key, part);
    }
    return Object.fromEntries(ordered(parts).map(({ key, value: entry }) => [key, filled(entry)]));
  }
}

/** The entries of a section in their original order. Entries whose predecessor was removed come last. */
function ordered(parts: ReadonlyMap<string, Part>) {
  const all = [...parts.values()];
  const found = new Set<Part>();
  const orphans = all.filter(({ after }) => after !== undefined && !parts.has(after));
  const waiting = [...all.filter(({ after }) => after === undefined), ...orphans].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key } = next;
    found.add(next);
    waiting.push(...all.filter(({ after }) => after === key).reverse());
  }
  return [...new Set([...found, ...all])];
}

/** A file name that is valid on every system, and distinct even on systems that ignore the case of letters. */
function fileName(key: string, name: unknown, isTaken: (name: string) => boolean) {
  const title = typeof name === 'string' && name !== key ? `${name}.${key}` : key;
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .slice(0, 60);
  const base = /^(?:con|prn|aux|nul|com\d|lpt\d)?$/.test(plain) ? `_${plain}` : plain;
  let unique = base;
  for (let i = 2; isTaken(unique); i++) unique = `${base}-${i}`;
  return unique;
}
