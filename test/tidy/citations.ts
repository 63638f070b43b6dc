import { posix } from 'node:path';
import { commentsOf, lineAt, type Sources } from './source.ts';

/** Where the facts are that comments cite. The README.md of the folder tells the form. */
const folder = 'docs/reference/';
/** Where recorded cases are. */
const recordings = 'test/conformance/traces/';

/** The anchors that GitHub makes of the headings of a page, and those that are written out. */
export function anchorsOf(page: string): string[] {
  const text = page.replace(/^```[\s\S]*?^```/gm, '');
  const slugs = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
  // GitHub numbers the later ones of a name, which nobody should have to count.
  return [...slugs, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

/** What a line of a comment starts with. */
const continuation = /\n\s*(?:\*(?!\/)|\/\/)?[ \t]*/g;
/** A citation in a comment, and what stands where its page and anchor should. */
const citation = /\breference:\s+(\S*)/gi;
const target = /^([a-z-]+)#([a-z0-9-]+)/;

/**
 * What the comments and documents of the project cite without its being there, or not in the form that can be looked up. `sources` holds the
 * programs and documents that are read, `exists` says whether there is a file of that path.
 */
export function citationFaults(sources: Sources, exists: (path: string) => boolean): string[] {
  const anchors = new Map<string, readonly string[]>();
  for (const [path, text] of sources) if (path.endsWith('.md')) anchors.set(path, anchorsOf(text));
  const pages = [...anchors.keys()]
    .filter((path) => path.startsWith(folder))
    .map((path) => posix.basename(path, '.md'));
  const anyPage = new RegExp(`(?<![\\w./-])(${pages.join('|')})#([a-z0-9-]+)`, 'g');

  const faults: string[] = [];
  for (const [path, text] of sources) {
    const isProgram = !path.endsWith('.md');
    const parts = isProgram ? commentsOf(text) : [{ offset: 0, text }];
    for (const part of parts) {
      const say = (index: number, what: string) => faults.push(`${path}:${lineAt(text, part.offset + index)} ${what}`);
      // Of the same length, so that offsets stay: a citation may go on in the next line.
      const flat = isProgram ? part.text.replace(continuation, (gap) => ' '.repeat(gap.length)) : part.text;
      if (isProgram) {
        for (const { index, 1: cited } of flat.matchAll(citation)) {
          const found = target.exec(cited!);
          if (found === null) say(index, `cites "${cited}": write reference: PAGE#ANCHOR of ${folder}`);
          else if (!pages.includes(found[1]!)) say(index, `cites ${found[0]}: no page ${folder}${found[1]}.md`);
        }
      }
      for (const { index, 0: whole, 1: page, 2: anchor } of flat.matchAll(anyPage)) {
        if (!anchors.get(`${folder}${page}.md`)!.includes(anchor!)) {
          say(index, `cites ${whole}: ${folder}${page}.md has no such heading`);
        }
      }
      for (const { index, 1: name } of flat.matchAll(/(?<![\w./:-])((?:[\w.-]+\/)*[\w-]+\.md)\b/g)) {
        const near = [name!, posix.join(posix.dirname(path), name!), `docs/${name}`];
        if (!near.some(exists)) say(index, `names ${name}, which is not in the project`);
      }
      for (const { index, 0: whole } of flat.matchAll(
        /(?:\.\.\/)+shared\b|§ ?\d|\b(?:actions|functions|triggers)\.json\b/g,
      )) {
        say(index, `cites ${whole}, which no reader of the project has`);
      }
      if (isProgram) continue;
      for (const { index, 1: file, 2: anchor } of flat.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)) {
        const page = file === '' ? path : posix.join(posix.dirname(path), file!);
        if (anchors.get(page)?.includes(anchor!) !== true) say(index, `links to ${page}#${anchor}: no such heading`);
      }
    }
  }
  return faults;
}

/** Headings of the reference that share an anchor with another of their page, so that the later one cannot be cited. */
export function ambiguousAnchors(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, text]) => {
      const all = anchorsOf(text);
      return all.filter((anchor, index) => all.indexOf(anchor) !== index).map((anchor) => `${path}#${anchor}`);
    });
}
