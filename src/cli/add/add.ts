import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { diffGames, diffText, thingsOf } from '../../review/index.ts';
import { painter, printAnswer, type Terminal } from '../../text/index.ts';
import { markOf } from '../check/check.ts';
import { exitCodes, Failure } from '../failure.ts';
import { wantsColor } from '../issues/pretty.ts';
import { readGame, requireGame } from '../read-game.ts';
import { replaceText } from '../write-text.ts';
import type { AddOptions } from './command.ts';
import { GameRecipes, keptText, type RecipesFile } from './game-recipes.ts';
import { readRecipe, recipeNames } from './recipe.ts';

/** The format of the file that records which recipes a game has. */
const format = 'reenact-recipes/1';

export async function add(names: readonly string[], options: AddOptions, terminal: Terminal) {
  const { game: path, undo, unit, dryRun, json } = options;
  if (names.length === 0) {
    const recipes = recipeNames().map((name) => ({ name, does: readRecipe(name).does }));
    printAnswer(terminal, json, { recipes }, () =>
      recipes.map((each) => `${each.name.padEnd(18)}${each.does}\n`).join(''),
    );
    return exitCodes.ok;
  }
  const file = await readGame(path, terminal);
  const mark = markOf(path, file.text);
  const recipes = new GameRecipes(file.text, requireGame(file, terminal), basename(path), recordedIn(recordOf(path)));
  const before = thingsOf(recipes.document, recipes.game);
  const obsolete = undo ? names.map((name) => [name, recipes.remove(name)] as const) : [];
  if (!undo) for (const name of names) recipes.add(name, unit);
  recipes.settle();
  const { kept } = recipes;
  const scenarioFile = (name: string) => besideGame(path, `${name}.scenario.yaml`);
  if (!undo) for (const name of names) recipes.prove(name, scenarioFile(name));
  const scenarios = undo ? [] : recipes.added.filter(({ name }) => names.includes(name));
  for (const [name, text] of obsolete) {
    const own = scenarioFile(name);
    if (existsSync(own) && readFileSync(own, 'utf8') !== text)
      throw new Failure(
        'recipe-changed',
        `Nothing was written, because the scenario file ${own} was edited after the recipe was added. Delete or rename the file, then run the command again.`,
      );
  }
  for (const { name } of scenarios)
    if (existsSync(scenarioFile(name)))
      throw new Failure(
        'already-there',
        `Nothing was written, because the scenario file ${scenarioFile(name)} already exists. Delete or rename the file, then run the command again.`,
      );
  if (!dryRun) {
    replaceText(path, mark + recipes.text);
    for (const { name, scenarios: text } of scenarios) replaceText(scenarioFile(name), text);
    for (const [name] of obsolete) rmSync(scenarioFile(name), { force: true });
    const record: RecipesFile = { format, ...recipes.record };
    if (record.recipes.length === 0) rmSync(recordOf(path), { force: true });
    else replaceText(recordOf(path), `${JSON.stringify(record, null, 1)}\n`);
  }

  const diff = diffGames(before, thingsOf(recipes.document, recipes.game));
  const files = [path, recordOf(path), ...names.map(scenarioFile)];
  printAnswer(terminal, json, { ...diff, kept, files: dryRun ? [] : files }, () => {
    const own = kept.map((pointer) => `${keptText(pointer)}\n`).join('');
    const done = dryRun
      ? 'nothing was written'
      : `${undo ? 'removed' : 'added'} ${names.join(', ')}: ${files.join(', ')}`;
    const next = dryRun || undo ? '' : `Next: reenact test\nTo take back: reenact add --undo ${names.join(' ')}\n`;
    return `${diffText(diff, [], painter(wantsColor(terminal)))}\n${own}${done}\n${next}`;
  });
  return exitCodes.ok;
}

/** The path of the file that records which recipes a game has. */
function recordOf(path: string) {
  return besideGame(path, 'recipes.json');
}

/** The path of a file next to a game, such as `game.recipes.json` for `game.json` and the ending `recipes.json`. */
export function besideGame(path: string, ending: string): string {
  return path.replace(/(\.json)?$/i, `.${ending}`);
}

function recordedIn(path: string): RecipesFile {
  if (!existsSync(path)) return { format, recipes: [], added: [] };
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as RecipesFile;
    if (record.format === format) return record;
  } catch {
    // A file that is not JSON is reported by the `Failure` below.
  }
  throw new Failure('unreadable-file', `${path}, the list of added recipes, is damaged or of another version.`);
}
