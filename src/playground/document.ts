import { defaultJsonLimits, Issues, joinIssues } from '../../engine/core/index.ts';
import { loadDefinition } from '../../engine/index.ts';
import { parseDocument, tooLargeMessage } from '../load/index.ts';
import { bytesOfBody, documentBytesMax } from './load.ts';

const limits = { ...defaultJsonLimits, bytesMax: documentBytesMax };

/**
 * Reads a document as `reenact check` does. Never throws because of the document's content. Unless it is checked, the
 * game is opened to be played: its scripts are not checked, and problems are only counted unless they prevent playing.
 */
export async function readDocument(given: Uint8Array | string, isChecked = false) {
  const issues = new Issues();
  const text = typeof given === 'string' ? given : await textOf(given, issues);
  const { document } = issues.list.length > 0 ? { document: undefined } : parseDocument(text, limits, issues);
  const loaded = document === undefined ? undefined : loadDefinition(document);
  const game = loaded?.game;
  const checked =
    game === undefined || !isChecked ? [] : (await import('./check-document.ts')).checkGame(game, 'standard');
  const all = joinIssues(issues.list, loaded?.issues ?? [], checked);
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of all) counts[severity]++;
  if (all.length === 0 || (game !== undefined && !isChecked)) return { text, game, problems: [], counts };
  const { locateProblems } = await import('./locate-problems.ts');
  return { text, game, problems: locateProblems(text, all), counts };
}

async function textOf(bytes: Uint8Array, issues: Issues) {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let plain = bytes;
  if (isGzip) {
    try {
      const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
      plain = await bytesOfBody(new Response(stream));
    } catch {
      issues.add('unreadable-file', '', 'The gzip data is damaged or incomplete.');
      return '';
    }
  }
  if (plain.length > documentBytesMax) {
    issues.add('too-large', '', tooLargeMessage(documentBytesMax));
    return '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    const isUtf16 = (plain[0] === 0xff && plain[1] === 0xfe) || (plain[0] === 0xfe && plain[1] === 0xff);
    issues.add(
      'syntax-error',
      '',
      isUtf16
        ? 'The text is encoded in UTF-16. Save the file as UTF-8.'
        : 'The data is not UTF-8 text, so it is not JSON.',
    );
    return '';
  }
}
