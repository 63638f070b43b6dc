import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is edited before anything has checked it.
type Document = any;

export const samplesFolder = fileURLToPath(new URL('../../scenarios/games/', import.meta.url));

export function sampleDocument(file: string): Document {
  return JSON.parse(readFileSync(`${samplesFolder}${file}`, 'utf8'));
}

/** A sample game, with the test's changes to its `data`. */
export function sampleGame(file: string, change: (data: Document) => void = () => {}): LoadedGame {
  const document = sampleDocument(file);
  change(document.gameJson.data);
  const { game, issues } = loadDefinition(document);
  if (game === undefined) throw new Error(`${file} is no definition: ${JSON.stringify(issues)}`);
  return game;
}
