import { posix } from 'node:path';
import { codeOnly, lineAt, type Sources } from './source.ts';

interface Export {
  readonly name: string;
  readonly line: number;
}

const nothing: ReadonlySet<string> = new Set();

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+([\w$]+)/gm;
const reexport = /^export\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'( +)'/dgm;
const reexportOfAll = /^export\s+(?:type\s+)?\*\s*(?:as\s+[\w$]+\s+)?from\s*'( +)'/dgm;
const listed = /\bimport\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*'( +)'/dg;
const namespace = /\bimport\s+(?:type\s+)?\*\s*as\s+([\w$]+)\s+from\s*'( +)'/dg;
const dynamic = /(?:\{([^{}]*)\}\s*=\s*)?(?:await\s+)?\bimport\s*\(\s*'( +)'\s*\)(?:\s*\)\s*\.\s*([\w$]+))?/dg;

/** A file named by `new URL(…)`, for example that of a worker. */
const file = /\bnew\s+URL\s*\(\s*'( +)'\s*,\s*import\.meta\.url/dg;

/** `a, type B as C` as pairs of the exported name and the local name. */
function* namesIn(list: string, rename: RegExp): Generator<[there: string, here: string]> {
  for (const part of list.split(',')) {
    const [there, here] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(rename);
    if (there) yield [there, here ?? there];
  }
}

function exportsOf(code: string): Export[] {
  const found: Export[] = [];
  for (const match of code.matchAll(declaration)) found.push({ name: match[1]!, line: lineAt(code, match.index) });
  for (const match of code.matchAll(reexport)) {
    for (const [, name] of namesIn(match[1]!, /\s+as\s+/)) found.push({ name, line: lineAt(code, match.index) });
  }
  return found;
}

/** Calls `use` for each name that a file imports or re-exports; `*` stands for all names of a file. */
function eachUse(path: string, text: string, code: string, use: (target: string, name: string) => void): void {
  const each = (form: RegExp, names: (match: RegExpExecArray) => Iterable<string>) => {
    for (const match of code.matchAll(form)) {
      const specifier = text.slice(...match.indices!.find((_, group) => group > 0 && /^ +$/.test(match[group] ?? ''))!);
      if (!specifier.startsWith('.')) continue;
      for (const name of names(match)) use(posix.join(posix.dirname(path), specifier), name);
    }
  };
  const firsts = (list: string, rename: RegExp) => Array.from(namesIn(list, rename), ([there]) => there);
  for (const form of [listed, reexport]) each(form, (match) => firsts(match[1]!, /\s+as\s+/));
  for (const form of [reexportOfAll, file]) each(form, () => ['*']);
  each(namespace, ([, alias]) =>
    Array.from(
      code.matchAll(new RegExp(`(?<![\\w$.]|as\\s+)${alias}\\b(?:\\.([\\w$]+))?`, 'g')),
      ([, name]) => name ?? '*',
    ),
  );
  each(dynamic, ([, list, , member]) => (member ? [member] : list === undefined ? ['*'] : firsts(list, /\s*:\s*/)));
}

/**
 * Exports of engine/, src/ and bench/ that no other file imports. Tests count as importers only of names that the file
 * itself uses: they may access internals, but nothing is kept for tests alone. Exports of entry points are for other
 * programs.
 */
export function unusedExports(sources: Sources, entries: readonly string[]): string[] {
  const codes = new Map(Array.from(sources, ([path, text]) => [path, codeOnly(text)]));
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    eachUse(path, text, codes.get(path)!, (target, name) => {
      const key = `${target} ${name}`;
      importers.set(key, (importers.get(key) ?? new Set()).add(path));
    });
  }
  const isTest = (path: string) => path.startsWith('test/');
  const faults: string[] = [];
  for (const [path, code] of codes) {
    if (isTest(path) || entries.includes(path)) continue;
    for (const { name, line } of exportsOf(code)) {
      const by = [...(importers.get(`${path} ${name}`) ?? nothing), ...(importers.get(`${path} *`) ?? nothing)];
      if (by.some((importer) => !isTest(importer))) continue;
      const isUsedHere = code.split(new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`)).length > 2;
      if (by.length === 0) faults.push(`${path}:${line} exports ${name}, which no other file imports`);
      else if (!isUsedHere) faults.push(`${path}:${line} exports ${name}, which only tests use`);
    }
  }
  return faults;
}
