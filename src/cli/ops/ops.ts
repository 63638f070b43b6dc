import { resolve } from 'node:path';
import { type Catalogue, type CatalogueOperation, catalogue, loadDefinition } from '../../../engine/index.ts';
import { everydayWords, operationPage, signature, triggerLine, triggerPage } from '../../language/index.ts';
import { closestHint, printAnswer, type Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { hostWordsOf } from '../host-words.ts';
import type { OpsOptions } from './command.ts';

/** Lists all operations and triggers of scripts, or those with `word` in their name or description. */
export async function ops(word: string | undefined, { json = false }: OpsOptions, terminal: Terminal) {
  const words = await hostWordsOf(resolve('game.json'), terminal);
  const all = catalogue(loadDefinition({ data: {} }, words).game?.definition);
  const listed = word === undefined ? all : matching(all, word);
  const pages = word === undefined ? undefined : pagesOf(all, word);
  printAnswer(terminal, json, listed, () => pages ?? opsText(listed));
  return exitCodes.ok;
}

type Named = Pick<CatalogueOperation, 'type' | 'aliases' | 'about'>;

/** The full descriptions of everything with exactly this name; undefined if there is none. */
function pagesOf({ actions, functions, triggers }: Catalogue, word: string) {
  const isMeant = ({ type, aliases }: Named) => type === word || aliases.includes(word);
  const pages = [
    ...[...actions, ...functions].filter(isMeant).map(operationPage),
    ...triggers.filter(isMeant).map(triggerPage),
  ];
  return pages.length === 0 ? undefined : pages.join('\n');
}

function matching(all: Catalogue, word: string): Catalogue {
  const words = word.toLowerCase().split(/\s+/);
  for (const wanted of [words, words.map(stemOf)]) {
    const matches = ({ type, aliases, about }: Named) => {
      const text = [type, ...aliases, about, everydayWords[type] ?? ''].join(' ').toLowerCase();
      return wanted.every((each) => text.includes(each));
    };
    const found = {
      actions: all.actions.filter(matches),
      functions: all.functions.filter(matches),
      triggers: all.triggers.filter(matches),
    };
    if (found.actions.length + found.functions.length + found.triggers.length > 0) return found;
  }
  const names = [...all.actions, ...all.functions, ...all.triggers].flatMap(({ type, aliases }) => [type, ...aliases]);
  throw new Failure(
    'unknown-operation',
    `No action, function or trigger has "${word}" in its name or its description.${closestHint(word, names)}`,
  );
}

/** Shortens a word to its stem, such as `winning` to `win`, because descriptions may use another form of the word. */
function stemOf(word: string) {
  return word.replace(/(?<=...)(?:(?<=(.))\1)?(?:ing|ers?|ed|e?s)$/, '');
}

function opsText({ actions, functions, triggers }: Catalogue) {
  const lines: string[] = [];
  const section = (title: string, operations: readonly CatalogueOperation[]) => {
    for (const family of new Set(operations.map((row) => row.family))) {
      lines.push(`${title}: ${family}`);
      for (const row of operations) if (row.family === family) lines.push(`  ${signature(row)}`);
      lines.push('');
    }
  };
  section('actions', actions);
  section('functions', functions);
  if (triggers.length > 0) {
    lines.push('triggers');
    for (const trigger of triggers) lines.push(`  ${triggerLine(trigger)}`);
    lines.push('');
  }
  return lines.join('\n');
}
