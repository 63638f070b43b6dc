import { posix } from 'node:path';
import { commentsOf, lineAt, type Sources } from './source.ts';

/** The facts that comments cite. The README.md of the folder describes the form. */
const folder = 'docs/reference/';
/** Where recorded cases are. */
const recordings = 'test/conformance/traces/';

/**
 * A comment or a document as one line, because a citation may continue in the next line. Offsets are those of the text.
 */
interface Passage {
  readonly path: string;
  readonly isProgram: boolean;
  readonly text: string;
}

interface Project {
  /** By page: the anchors that can be cited. */
  readonly anchors: ReadonlyMap<string, readonly string[]>;
  exists(path: string): boolean;
}

type Fault = readonly [index: number, what: string];
type Rule = (passage: Passage, project: Project) => Iterable<Fault>;

/** The anchors that GitHub generates for the headings of a page, and explicit ones. */
export function anchorsOf(page: string): string[] {
  const text = page.replace(/^```[\s\S]*?^```/gm, '');
  const slugs = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return [...slugs, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

function pageOf(name: string): string {
  return `${folder}${name}.md`;
}

const rules: readonly Rule[] = [
  /** In comments the word `reference` precedes a page and an anchor; in documents it is also an ordinary word. */
  function* form({ isProgram, text }, { anchors }) {
    if (!isProgram) return;
    for (const { index, 1: cited } of text.matchAll(/\breference:\s+(\S*)/gi)) {
      const page = /^([a-z-]+)#[a-z0-9-]+/.exec(cited!)?.[1];
      if (page === undefined) yield [index, `cites "${cited}": write reference: PAGE#ANCHOR of ${folder}`];
      else if (!anchors.has(pageOf(page))) yield [index, `cites ${cited}: no page ${pageOf(page)}`];
    }
  },

  function* heading({ text }, { anchors }) {
    for (const { index, 0: whole, 1: name, 2: anchor } of text.matchAll(/(?<![\w./-])([a-z-]+)#([a-z0-9-]+)/g)) {
      const known = anchors.get(pageOf(name!));
      if (known !== undefined && !known.includes(anchor!)) {
        yield [index, `cites ${whole}: ${pageOf(name!)} has no such heading`];
      }
    }
  },

  function* document({ path, text }, { exists }) {
    for (const { index, 1: name } of text.matchAll(/(?<![\w./:-])((?:[\w.-]+\/)*[\w-]+\.md)\b/g)) {
      const near = [name!, posix.join(posix.dirname(path), name!), `docs/${name}`];
      if (!near.some(exists)) yield [index, `names ${name}, which is not in the project`];
    }
  },

  function* recordedCase({ text }, { exists }) {
    for (const { index, 1: names } of text.matchAll(/\brecorded cases? ((?:`?[a-z]_\w+`?(?:, | and )?)+)/gi)) {
      for (const [name] of names!.matchAll(/[a-z]_\w+/g)) {
        if (!exists(`${recordings}${name}.json`))
          yield [index, `cites the recorded case ${name}: not in ${recordings}`];
      }
    }
  },

  function* outside({ text }) {
    const elsewhere = /(?:\.\.\/)+shared\b|§ ?\d|\b(?:actions|functions|triggers)\.json\b/g;
    for (const { index, 0: whole } of text.matchAll(elsewhere)) {
      yield [index, `cites ${whole}, which no reader of the project has`];
    }
  },

  function* link({ path, isProgram, text }, { anchors }) {
    if (isProgram) return;
    for (const { index, 1: file, 2: anchor } of text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)) {
      const page = file === '' ? path : posix.join(posix.dirname(path), file!);
      if (anchors.get(page)?.includes(anchor!) !== true) yield [index, `links to ${page}#${anchor}: no such heading`];
    }
  },
];

/** The start of a line of a comment. */
const continuation = /\n\s*(?:\*(?!\/)|\/\/)?[ \t]*/g;

function passages(path: string, text: string): { readonly offset: number; readonly passage: Passage }[] {
  if (path.endsWith('.md')) return [{ offset: 0, passage: { path, isProgram: false, text } }];
  return commentsOf(text).map((comment) => ({
    offset: comment.offset,
    passage: { path, isProgram: true, text: comment.text.replace(continuation, (gap) => ' '.repeat(gap.length)) },
  }));
}

/**
 * Citations in comments and documents that do not resolve or are malformed. `sources` holds the programs and documents,
 * `exists` tells whether there is a file at a path.
 */
export function citationFaults(sources: Sources, exists: (path: string) => boolean): string[] {
  const pages = [...sources].filter(([path]) => path.endsWith('.md'));
  const project: Project = { anchors: new Map(pages.map(([path, text]) => [path, anchorsOf(text)])), exists };
  const faults: string[] = [];
  for (const [path, text] of sources) {
    for (const { offset, passage } of passages(path, text)) {
      for (const rule of rules) {
        for (const [index, what] of rule(passage, project)) {
          faults.push(`${path}:${lineAt(text, offset + index)} ${what}`);
        }
      }
    }
    // Real games and recordings of them are tested if they exist; all other test data is in the project.
    if (path.endsWith('.md')) continue;
    for (const { index, 0: whole } of text.matchAll(
      /(?:\.\.\/)+shared\/(?!(?:games|histories|client-traffic)\b)[\w-]*/g,
    )) {
      faults.push(`${path}:${lineAt(text, index)} needs ${whole}, which no reader of the project has`);
    }
  }
  return faults;
}

/**
 * Headings of the reference that have the same anchor as another on their page, so that the later one cannot be cited.
 */
export function ambiguousAnchors(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, text]) => {
      const all = anchorsOf(text);
      return all.filter((anchor, index) => all.indexOf(anchor) !== index).map((anchor) => `${path}#${anchor}`);
    });
}
