import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Dictionary, isRecord } from '../../../engine/core/index.ts';
import { nameText } from '../../expression/index.ts';
import { ownPackage } from '../../machine/index.ts';
import { closestHint } from '../../text/index.ts';
import { Failure } from '../failure.ts';
import { type Fit, isEmpty, type Needs } from './fit.ts';

/** The parts that a recipe adds to a game, with placeholders for values that depend on the game. */
interface Recipe {
  readonly name: string;
  /** A sentence about the recipe for players of the game. */
  readonly does: string;
  readonly data: Dictionary;
  /**
   * The attribute of units of which only one script may say what happens when it becomes zero: that of the recipe, or
   * one of the game.
   */
  readonly ends?: string;
  /** The number of inventory slots that the recipe needs. */
  readonly slots?: number;
  /** A list of scenarios in YAML. */
  readonly scenarios: string;
}

export function recipeNames(): string[] {
  return readdirSync(folder()).flatMap((file) => (file.endsWith('.json') ? basename(file, '.json') : []));
}

export function readRecipe(name: string): Recipe {
  const names = recipeNames();
  if (!names.includes(name)) {
    const hint = closestHint(name, names, ` The recipes are ${names.join(', ')}.`);
    throw new Failure('unknown-recipe', `No recipe is called "${name}".${hint}`);
  }
  const read = (ending: string) => readFileSync(join(folder(), name + ending), 'utf8');
  return { ...(JSON.parse(read('.json')) as Recipe), name, scenarios: read('.yaml') };
}

function folder() {
  const own = ownPackage();
  if (own === undefined)
    throw new Failure('no-package', 'The recipes were not found. Reinstall the npm package reenact.');
  return join(own.folder, 'templates/recipes');
}

/** The paths of the things that a recipe adds: members of sections, and scripts of types. */
export function ownThings({ data }: Recipe, fit: Fit): string[][] {
  return Object.entries(data).flatMap(([section, things]) =>
    Object.entries(things as Dictionary).flatMap(([key, thing]) => {
      const { scripts = {} } = thing as { scripts?: object };
      const own = key.startsWith('{') ? [] : [[section, key]];
      const owners = fit.keys(key) ?? [key];
      return [
        ...own,
        ...owners.flatMap((owner) => Object.keys(scripts).map((script) => [section, owner, 'scripts', script])),
      ];
    }),
  );
}

export function needsOf({ data, slots = 0 }: Recipe): Needs {
  const { attributes = {} } = ((data['unitTypes'] ?? {}) as Record<string, Dictionary>)['{unit}'] ?? {};
  return { attributes: Object.keys(attributes as object), slots };
}

/**
 * Adapts a part of a recipe to a game: fills in placeholders, and replaces keys as given in `names`. `unit`: the unit
 * type to which the part belongs.
 */
export function fitted(value: unknown, names: Dictionary<string>, fit: Fit, unit?: string): unknown {
  if (typeof value === 'string') return names[value] ?? fit.answer(value, unit);
  if (Array.isArray(value))
    return value.flatMap((each) =>
      typeof each === 'string' ? (fit.keys(each, unit) ?? names[each] ?? each) : [fitted(each, names, fit, unit)],
    );
  if (!isRecord(value)) return value;
  const { $at, $like, ...members } = value;
  const own = Object.entries(members).flatMap(([key, member]) =>
    (names[key] ? [names[key]] : (fit.keys(key, unit) ?? [key])).flatMap((each) => {
      const part = fitted(member, names, fit, key === '{unit}' ? each : unit);
      // If nothing in a part fits the game, the part is not added empty.
      return isEmpty(part) && !isEmpty(member) ? [] : [[each, part] as const];
    }),
  );
  const like = $like === undefined ? {} : fit.likeness;
  const place = $at === undefined ? {} : fit.placeAt($at as [number, number]);
  const merged: Record<string, unknown> = { ...like, ...place };
  for (const [key, member] of own) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(member) ? { ...before, ...member } : member;
  }
  return merged;
}

/**
 * Adapts the scenarios of a recipe to a game. Lines for unit types or player types are repeated for each of them.
 * `$at(0.2 0.7)` is a free place near this part of the map, and `$at(0.2 0.7 160)` one 160 px to the right of it.
 */
export function fittedScenarios({ scenarios }: Recipe, names: Dictionary<string>, fit: Fit): string {
  const renamed = (line: string, write: (name: string) => string) =>
    Object.entries(names).reduce(
      (text, [key, other]) =>
        key.startsWith('{') ? text : text.replaceAll(new RegExp(`\\b${key}\\b`, 'g'), write(other)),
      line,
    );
  const lines = scenarios.split('\n').flatMap((line) => {
    const type = /^ +"(\{\w+\})":/.exec(line)?.[1];
    if (type === undefined) return line.startsWith('- name:') ? line : renamed(line, nameText);
    return fit.keys(type)!.map((key) => renamed(line, JSON.stringify).replace(type, key));
  });
  return lines
    .join('\n')
    .replaceAll(/"(\{[a-z0-9 ]+\})"/g, (_, text: string) => JSON.stringify(names[text] ?? fit.answer(text)))
    .replaceAll(/\$at\((\S+) (\S+?)(?: (\d+))?\)/g, (_, x: string, y: string, right = '0') => {
      const place = fit.placeAt([Number(x), Number(y)]);
      return `[${place.x + Number(right)}, ${place.y}]`;
    });
}
