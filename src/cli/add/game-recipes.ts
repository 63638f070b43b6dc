import { type Dictionary, isRecord, parsePointer } from '../../../engine/core/index.ts';
import { type Fault, type LoadedGame, loadDefinition } from '../../../engine/index.ts';
import { needsAccount } from '../../../engine/tools.ts';
import { type Addition, mergeJson, takeBack } from '../../load/index.ts';
import { casesOf, Games, playCase, readScenarioText } from '../../scenario/index.ts';
import { Failure } from '../failure.ts';
import { Fit, isEmpty, misfit } from './fit.ts';
import { fitted, fittedScenarios, needsOf, ownThings, readRecipe } from './recipe.ts';

/** A recipe that a game has. */
interface AddedRecipe {
  readonly name: string;
  /** New keys for things of the recipe whose own keys the game already used, and its keys of the keyboard. */
  readonly names: Dictionary<string>;
  /** The unit types to which the recipe added something. */
  readonly units?: readonly string[] | undefined;
  /** The content of the recipe's scenario file. */
  readonly scenarios: string;
}

interface RecipeAddition extends Addition {
  readonly by: string;
}

/** The recipes of a game and their additions, in the order in which they were added. */
export interface RecipesFile {
  readonly format: string;
  readonly recipes: readonly AddedRecipe[];
  readonly added: readonly RecipeAddition[];
}

/** A game document to which recipes can be added and from which they can be removed. */
export class GameRecipes {
  added: readonly AddedRecipe[];
  private log: readonly RecipeAddition[];
  /**
   * Pointers to members for which the game and a newly added recipe have different values. The values of the game were
   * kept.
   */
  readonly kept: string[] = [];
  private readonly pointer: string;
  private readonly host;

  constructor(
    public text: string,
    { definition }: LoadedGame,
    private readonly file: string,
    { recipes, added }: RecipesFile,
  ) {
    this.pointer = definition.pointer;
    this.host = definition.host;
    this.added = recipes;
    this.log = added;
  }

  get document(): unknown {
    return JSON.parse(this.text);
  }

  get game(): LoadedGame {
    return loadDefinition(this.document, this.host).game!;
  }

  get record(): Omit<RecipesFile, 'format'> {
    return { recipes: this.added, added: this.log };
  }

  /**
   * Adds a recipe. Call `settle` afterwards, which adds the parts that depend on other recipes. Throws `Failure` if the
   * game already has the recipe.
   */
  add(name: string, unit: string | undefined) {
    if (this.added.some((each) => each.name === name))
      throw new Failure('recipe-added', `The game already has ${name}. To remove it: reenact add --undo ${name}`);
    const recipe = readRecipe(name);
    const fit = this.fit(unit === undefined ? undefined : [unit], recipe);
    const { units } = fit;
    const handler = recipe.ends && fit.endedBy(recipe.ends);
    if (handler)
      throw misfit(
        `Nothing was written, because the script "${handler}" of the game already handles units without ${recipe.ends}. Remove the script, then run the command again.`,
      );
    const { slots = 0 } = recipe;
    const full = units.find((each) => fit.freeSlots(each) < slots);
    if (full !== undefined)
      throw misfit(
        `Nothing was written, because the recipe ${name} needs a free inventory slot, but the default items of the unit type ${full} take all slots. Raise its inventorySize, then run the command again.`,
      );
    const places = ownThings(recipe, fit);
    const names: Record<string, string> = {};
    for (const key of JSON.stringify(recipe.data).match(/\{key \w+\}/g) ?? []) names[key] = String(fit.answer(key));
    for (const key of places.map((path) => path.at(-1)!)) {
      const own = places.filter((path) => path.at(-1) === key);
      const isTaken = (other: string) => own.some((path) => this.has([...path.slice(0, -1), other]));
      let free = key;
      for (let n = 2; isTaken(free); n++) free = `${key}${n}`;
      if (free !== key) names[key] = free;
    }
    this.added = [...this.added, { name, names, units, scenarios: fittedScenarios(recipe, names, fit) }];
    const kept = this.merge(this.added.at(-1)!);
    // Values that another recipe added are left out, because the author of the game did not choose them.
    const isOfGame = (at: string) => !this.kept.includes(at);
    this.kept.push(
      ...kept.filter((at) => isOfGame(at) && !this.log.some(({ pointer }) => `${at}/`.startsWith(`${pointer}/`))),
    );
  }

  /**
   * Completes all recipes until nothing is missing. For example, if a recipe adds a player type, the earlier recipes
   * then add to it what they have added to the other player types.
   */
  settle() {
    for (let count = -1; count !== this.log.length; ) {
      count = this.log.length;
      for (const recipe of this.added) this.merge(recipe);
    }
  }

  /**
   * Removes everything that a recipe added, and what other recipes added to the things of this recipe. Returns the
   * content of the recipe's scenario file. Throws `Failure` if the game does not have the recipe.
   */
  remove(name: string): string {
    const recipe = this.added.find((each) => each.name === name);
    if (recipe === undefined)
      throw new Failure('recipe-not-added', `The recipe ${name} cannot be removed, because the game does not have it.`);
    const own = this.log.filter(({ by, pointer }) => by === name && this.isOwn(pointer));
    const keys = new Set(own.map(({ pointer }) => parsePointer(pointer).at(-1)!));
    const isGone = ({ by, pointer, value }: RecipeAddition) =>
      by === name || isEmpty(value) || parsePointer(pointer).some((key) => keys.has(key));
    const { text, changed, kept } = takeBack(this.text, this.log.filter(isGone));
    if (changed.length > 0)
      throw new Failure(
        'recipe-changed',
        `Nothing was written, because additions of the recipe ${name} were changed later: ${changed.join(', ')}. Revert these changes, or remove the recipe by hand.`,
      );
    this.text = text;
    this.log = this.log.filter((each) => !isGone(each) || kept.includes(each));
    this.added = this.added.filter((each) => each !== recipe);
    return recipe.scenarios;
  }

  /**
   * Plays the scenarios of a new recipe, and completes their file. Throws `Failure` if a scenario fails for another
   * reason than a fault of the game's own scripts.
   */
  prove(name: string, path: string) {
    const recipe = this.added.find((each) => each.name === name)!;
    const indented = recipe.scenarios.replaceAll(/^(?=.)/gm, '  ');
    const guests = needsAccount(this.game) ? 'definition: { defaultData: { isGuestPlayerAllowed: true } }\n' : '';
    const text = (more: string) =>
      `# Written by: reenact add ${name}\ngame: ${this.file}\n${guests}${more}\nscenarios:\n${indented}`;
    const games = new Games();
    const own = this.log.filter(({ by }) => by === name).map(({ pointer }) => pointer.slice(this.pointer.length + 1));
    const codes = new Set<string>();
    for (const each of casesOf(readScenarioText(path, text(''))))
      for (const dialect of ['standard', 'moddio'] as const) {
        games.replace(each.game, this.document);
        let faults: readonly Fault[] = [];
        const played = { ...each, dialect, faults: 'allow', host: this.host } as const;
        const note = (sim: { faults(): readonly Fault[] }) => {
          faults = sim.faults();
        };
        const { failure } = playCase(played, games, {}, { onTick: note });
        const ownFault = faults.find(({ at }) => own.some((place) => `${at}/`.startsWith(`${place}/`)));
        const found = ownFault === undefined ? failure && [failure.expected, ...failure.found] : [ownFault.message];
        if (found)
          throw misfit(
            `Nothing was written, because the recipe ${name} does not work in this game. Its scenario "${each.title}" failed (${dialect}): ${found.join('; ')}`,
            this.kept.flatMap((at) => (/\/attributes\//.test(at) ? [] : `  ${keptText(at)}`)),
          );
        for (const { code } of faults) codes.add(code);
      }
    const faults = [...codes].join(', ');
    const scenarios = text(faults && `faults: [${faults}] # of scripts that the game had before\n`);
    this.added = this.added.map((each) => (each === recipe ? { ...each, scenarios } : each));
  }

  private merge({ name, names, units }: AddedRecipe) {
    const recipe = readRecipe(name);
    const part = fitted(recipe.data, names, this.fit(units, recipe));
    const own = this.log.filter(({ by }) => by === name);
    const { text, added, kept } = mergeJson(this.text, this.pointer, part, {
      // The members of player types are recorded one by one, because relations between player types depend on other
      // recipes, which may be added and removed later.
      isThing: (pointer) => this.isOwn(pointer) && this.keysOf(pointer)[0] !== 'playerTypes',
      isKnown: (pointer) =>
        own.some((each) => {
          const keys = pointer.startsWith(`${each.pointer}/`) ? parsePointer(pointer.slice(each.pointer.length)) : [''];
          return each.pointer === pointer || valueAt(each.value, keys) !== undefined;
        }),
    });
    this.text = text;
    this.log = [...this.log, ...added.map((each) => ({ ...each, by: name }))];
    return kept;
  }

  private fit(units: readonly string[] | undefined, recipe: ReturnType<typeof readRecipe>) {
    return new Fit(this.game, this.data, units, needsOf(recipe));
  }

  private get data() {
    return valueAt(this.document, parsePointer(this.pointer)) as Dictionary;
  }

  /** Whether a pointer leads to a thing in a section of the definition, or to a script of a type. */
  private isOwn(pointer: string) {
    const keys = this.keysOf(pointer);
    return keys.length === 2 || (keys.length === 4 && keys[2] === 'scripts');
  }

  private keysOf(pointer: string) {
    return parsePointer(pointer.slice(this.pointer.length));
  }

  private has(path: readonly string[]) {
    return valueAt(this.data, path) !== undefined;
  }
}

export function keptText(pointer: string): string {
  return `kept the value that the game already had: ${pointer}`;
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((each, key) => (isRecord(each) ? each[key] : undefined), value);
}
