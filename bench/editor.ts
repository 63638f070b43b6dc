import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import languageServer from 'vscode-json-languageservice';
import { publishedSchema } from '../src/language/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

const { getLanguageService, TextDocument } = languageServer;

/** Measures hovers, completions and validation of games in a warmed-up JSON language server. */
export async function editorHelp(paths: readonly string[], { places }: { readonly places: number }): Promise<Report> {
  const service = getLanguageService({});
  service.configure({ schemas: [{ uri: 'memory://schema.json', fileMatch: ['*'], schema: publishedSchema() }] });
  const rows: (string | number)[][] = [];
  for (const path of paths.filter((each) => existsSync(each))) {
    const text = readFileSync(path, 'utf8');
    const document = TextDocument.create('file:///game.json', 'json', 1, text);
    const parsed = service.parseJSONDocument(document);
    const times: Record<'hover' | 'completion' | 'validation', number[]> = {
      hover: [],
      completion: [],
      validation: [],
    };
    for (const round of ['warm-up', 'measured']) {
      for (let place = 0; place < places; place++) {
        const position = document.positionAt(Math.floor((text.length * (place + 0.5)) / places));
        const hover = await timed(() => service.doHover(document, position, parsed));
        const completion = await timed(() => service.doComplete(document, position, parsed));
        if (round === 'warm-up') continue;
        times.hover.push(hover);
        times.completion.push(completion);
      }
      for (let time = 0; time < 3; time++) {
        const validation = await timed(() => service.doValidation(document, parsed));
        if (round === 'measured') times.validation.push(validation);
      }
    }
    const kilobytes = Math.round(text.length / 1000);
    const cells = [times.hover, times.completion].flatMap((each) => [spread(each).median, spread(each).max]);
    rows.push([basename(path), kilobytes, ...[...cells, spread(times.validation).median].map((ms) => rounded(ms, 1))]);
  }
  return {
    head: ['game', 'kB', 'hover, median ms', 'largest', 'completion, median ms', 'largest', 'validation, median ms'],
    rows,
  };
}

async function timed(call: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}
