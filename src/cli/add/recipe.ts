import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord } from '../../../engine/core/index.ts';
import { ownPackage } from '../../machine/index.ts';
import { closestHint } from '../../text/index.ts';
import { Failure } from '../failure.ts';
import type { Fit, JsonObject } from './fit.ts';

/** The parts that a recipe adds to a game, with placeholders for values that depend on the game. */
interface Recipe {
  readonly name: string;
  /** A sentence about the recipe for players of the game. */
  readonly does: string;
  readonly data: JsonObject;
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
  const read = (ending: string): string => readFileSync(join(folder(), name + ending), 'utf8');
  return { ...(JSON.parse(read('.json')) as Recipe), name, scenarios: read('.yaml') };
}

function folder(): string {
  const own = ownPackage();
  if (own === undefined)
    throw new Failure('no-package', 'The recipes were not found. Reinstall the npm package reenact.');
  return join(own.folder, 'templates/recipes');
}

/** The paths of the things that a recipe adds: members of sections, and scripts of types. */
export function ownThings({ data }: Recipe): string[][] {
  return Object.entries(data).flatMap(([section, things]) =>
    Object.entries(things as JsonObject).flatMap(([key, thing]) => {
      const { scripts = {} } = thing as { scripts?: object };
      const own = key.startsWith('{') ? [] : [[section, key]];
      return [...own, ...Object.keys(scripts).map((script) => [section, key, 'scripts', script])];
    }),
  );
}

/** Adapts a part of a recipe to a game: fills in placeholders, and replaces keys as given in `names`. */
export function fitted(value: unknown, names: Readonly<Record<string, string>>, fit: Fit): unknown {
  if (typeof value === 'string') return names[value] ?? fit.answer(value);
  if (Array.isArray(value)) return value.map((each) => fitted(each, names, fit));
  if (!isRecord(value)) return value;
  const { $at, $like, ...members } = value;
  const own = Object.entries(members).flatMap(([key, member]) => {
    const inner = fitted(member, names, fit);
    return (fit.keys(key) ?? [names[key] ?? key]).map((each) => [each, inner] as const);
  });
  const like = $like === undefined ? {} : fit.likeness;
  const place = $at === undefined ? {} : fit.placeAt($at as [number, number]);
  const merged: Record<string, unknown> = { ...like, ...place };
  for (const [key, member] of own) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(member) ? { ...before, ...member } : member;
  }
  return merged;
}

/** Adapts the scenarios of a recipe to a game. */
export function fittedScenarios({ scenarios }: Recipe, names: Readonly<Record<string, string>>, fit: Fit): string {
  const named = Object.entries(names).reduce(
    (text, [key, other]) => text.replaceAll(new RegExp(`\\b${key}\\b`, 'g'), other),
    scenarios,
  );
  return named
    .replaceAll('{unit}', String(fit.answer('{unit}')))
    .replaceAll(/\$at\((\S+) (\S+)\)/g, (_, x: string, y: string) => {
      const place = fit.placeAt([Number(x), Number(y)]);
      return `[${place.x}, ${place.y}]`;
    });
}
