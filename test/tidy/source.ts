import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Text by path; paths are relative to the root of the project, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  /** As written: `../base/issue.ts`, `planck`, `node:fs`. */
  readonly specifier: string;
  /** The path it leads to, when it is relative. */
  readonly target: string | undefined;
  /** Erased before anything runs. `import { type A }` is not: it stays behind as an import without names. */
  readonly typeOnly: boolean;
  readonly line: number;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

const notOurs = new Set(['node_modules', 'dist', 'coverage', '.git', 'results']);

/**
 * Every file below `folders` (or the files named there) whose path `wanted` accepts, in an order that does not depend
 * on the machine.
 */
export function readSources(folders: readonly string[], wanted: (path: string) => boolean): Map<string, string> {
  const sources = new Map<string, string>();
  const visit = (folder: string) => {
    const entries = readdirSync(root + folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!notOurs.has(entry.name)) visit(path);
      } else if (wanted(path)) {
        sources.set(path, readFileSync(root + path, 'utf8'));
      }
    }
  };
  for (const folder of folders) visit(folder);
  return sources;
}

export function readTypeScript(...folders: string[]): Map<string, string> {
  return readSources(folders, (path) => path.endsWith('.ts'));
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i !== -1 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

const wordsBeforePattern = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await)$/;
const plain = /[^/'"`{}]+/y;
const signsBeforePattern = '(,=:[!&|?{;+-*%~^<>';

/**
 * The text with comments, the contents of strings and templates, and regular expressions replaced by spaces, so that
 * only code is left. Quotes, line breaks, offsets and the code inside `${}` stay.
 */
export function codeOnly(text: string): string {
  return scan(text, () => {});
}

/** The comments of a program, each with its offset, as written. */
export function commentsOf(text: string): { readonly offset: number; readonly text: string }[] {
  const comments: { offset: number; text: string }[] = [];
  scan(text, (offset, end) => comments.push({ offset, text: text.slice(offset, end) }));
  return comments;
}

function scan(text: string, onComment: (offset: number, end: number) => void): string {
  const out: string[] = [];
  /** For each enclosing template, how many braces of its `${}` are open. */
  const templates: number[] = [];
  let i = 0;

  const keep = (count: number) => {
    out.push(text.slice(i, i + count));
    i += count;
  };
  const blank = (count: number) => {
    out.push(text.slice(i, i + count).replace(/[^\n]/g, ' '));
    i += count;
  };
  const blankComment = (end: number) => {
    onComment(i, end === -1 ? text.length : end);
    blank((end === -1 ? text.length : end) - i);
  };
  const blankString = (quote: string) => {
    while (i < text.length && text[i] !== quote && text[i] !== '\n') blank(text[i] === '\\' ? 2 : 1);
    keep(1);
  };
  const blankTemplate = () => {
    while (i < text.length && text[i] !== '`') {
      if (text.startsWith('${', i)) {
        keep(2);
        templates.push(0);
        return;
      }
      blank(text[i] === '\\' ? 2 : 1);
    }
    keep(1);
  };
  const blankPattern = () => {
    let inClass = false;
    blank(1);
    while (i < text.length && text[i] !== '\n' && (inClass || text[i] !== '/')) {
      if (text[i] === '[') inClass = true;
      else if (text[i] === ']') inClass = false;
      blank(text[i] === '\\' ? 2 : 1);
    }
    blank(1);
  };
  const patternMayStart = () => {
    const before = out.slice(-200).join('').trimEnd();
    return before === '' || signsBeforePattern.includes(before.at(-1)!) || wordsBeforePattern.test(before);
  };

  while (i < text.length) {
    const character = text[i]!;
    if (text.startsWith('//', i)) blankComment(text.indexOf('\n', i));
    else if (text.startsWith('/*', i)) {
      const end = text.indexOf('*/', i + 2);
      blankComment(end === -1 ? -1 : end + 2);
    } else if (character === "'" || character === '"') {
      keep(1);
      blankString(character);
    } else if (character === '`') {
      keep(1);
      blankTemplate();
    } else if (character === '/' && patternMayStart()) blankPattern();
    else if (templates.length > 0 && (character === '{' || character === '}')) {
      const open = templates.pop()!;
      keep(1);
      if (character === '{') templates.push(open + 1);
      else if (open > 0) templates.push(open - 1);
      else blankTemplate();
    } else {
      plain.lastIndex = i;
      keep(plain.exec(text)?.[0].length ?? 1);
    }
  }
  return out.join('');
}

// These match code whose strings are blanked out. The specifier is then read from the original text at the same
// position.
const importForms = [
  /\bimport\s+(?<type>type\s+(?=[\w$*{]))?(?:[\w$*{},\s]+?from\s*)?(?<quote>['"])(?<blanks> +)\k<quote>/dg,
  /\bexport\s+(?<type>type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*(?<quote>['"])(?<blanks> +)\k<quote>/dg,
  /\bimport\s*\(\s*(?<quote>['"])(?<blanks> +)\k<quote>/dg,
  /\bnew\s+URL\s*\(\s*(?<quote>['"])(?<blanks> +)\k<quote>\s*,\s*import\.meta\.url/dg,
];

/** Static and dynamic imports, re-exports, and files named with `new URL(…, import.meta.url)`. */
export function importsOf(path: string, text: string): Import[] {
  const code = codeOnly(text);
  const imports: Import[] = [];
  for (const form of importForms) {
    for (const match of code.matchAll(form)) {
      const [start, end] = match.indices!.groups!['blanks']!;
      const specifier = text.slice(start, end);
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
      const typeOnly = match.groups!['type'] !== undefined;
      imports.push({ specifier, target, typeOnly, line: lineAt(text, start) });
    }
  }
  return imports.sort((a, b) => a.line - b.line);
}
