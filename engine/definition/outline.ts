import { Issues } from '../core/issue.ts';
import { parsePointer } from '../core/pointer.ts';
import type { Definition } from './definition.ts';
import type { ItemTypeHead, ScriptHead, TypeHead, UnitTypeHead } from './heads.ts';
import { itemType } from './item.ts';
import { LazyMap } from './lazy-map.ts';
import { projectileType } from './projectile.ts';
import { readDefinition } from './read-definition.ts';
import { Reader } from './reader.ts';
import type { Json, Schema } from './schema.ts';
import { script } from './script.ts';
import { unitType } from './unit.ts';

/**
 * The positions and heads of a document's types and scripts. With an outline a game can be played without parsing the whole document. It is plain
 * JSON, so that it can be cached, and valid for one text and one version of the engine only.
 */
export interface Outline {
  readonly scripts: readonly Outlined<ScriptFacts>[];
  readonly unitTypes: readonly Outlined<TypeFacts>[];
  readonly itemTypes: readonly Outlined<TypeFacts>[];
  readonly projectileTypes: readonly Outlined<TypeFacts>[];
}

interface Outlined<F> {
  readonly key: string;
  /** JSON pointer (RFC 6901), and the range in the text in UTF-16 code units, end exclusive. */
  readonly pointer: string;
  readonly from: number;
  readonly to: number;
  readonly head: F;
}

export interface ScriptFacts {
  readonly key: string;
  readonly triggers: readonly string[];
  readonly locations: number;
  readonly jobs: number;
}

export interface TypeFacts {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly variables: readonly string[];
  readonly states: readonly string[];
  readonly particles: readonly string[];
  readonly animations: readonly string[];
  /** Abilities of a unit type. */
  readonly abilities: readonly string[];
  readonly scripts: readonly ScriptFacts[];
  /** The projectile type nested in an item type. */
  readonly projectile?: TypeFacts | undefined;
}

/** Reads a definition whose types and scripts are read on first access. Throws if the outline belongs to another text. */
export function readOutlined(text: string, outline: Outline): Definition {
  const { scripts, unitTypes, itemTypes, projectileTypes } = outline;
  const spans = [...scripts, ...unitTypes, ...itemTypes, ...projectileTypes].sort((a, b) => a.from - b.from);
  // Cut the types and scripts out of the text, so that parsing skips them.
  let rest = '';
  let end = 0;
  for (const { from, to } of spans) {
    rest += `${text.slice(end, from)}null`;
    end = to;
  }
  const definition = readDefinition(JSON.parse(rest + text.slice(end)), new Issues());
  if (definition === undefined) throw new Error('The outline belongs to another text.');
  const lazily = <T, F, H>(entries: readonly Outlined<F>[], schema: Schema<T>, headOf: (facts: F) => H) => {
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    const heads = new Map(entries.map(({ key, head }) => [key, headOf(head)]));
    return new LazyMap<T, H>(heads, (key) => {
      const { pointer, from, to } = byKey.get(key)!;
      const json: Json = JSON.parse(text.slice(from, to));
      return new Reader(new Issues()).readAt(schema, json, parsePointer(pointer))!;
    });
  };
  return Object.freeze({
    ...definition,
    scripts: lazily(scripts, script, scriptHead),
    unitTypes: lazily(unitTypes, unitType, unitTypeHead),
    itemTypes: lazily(itemTypes, itemType, itemTypeHead),
    projectileTypes: lazily(projectileTypes, projectileType, typeHead),
  });
}

function scriptHead({ key, triggers, locations, jobs }: ScriptFacts): ScriptHead {
  return { key, triggers, extent: { locations, jobs } };
}

function typeHead(facts: TypeFacts): TypeHead {
  return {
    name: facts.name,
    attributes: new Set(facts.attributes),
    variables: new Set(facts.variables),
    states: new Set(facts.states),
    particles: new Set(facts.particles),
    animations: new Set(facts.animations),
    scripts: new Map(facts.scripts.map((each) => [each.key, scriptHead(each)])),
  };
}

function unitTypeHead(facts: TypeFacts): UnitTypeHead {
  return { ...typeHead(facts), controls: { unitAbilities: new Set(facts.abilities) } };
}

function itemTypeHead(facts: TypeFacts): ItemTypeHead {
  const { projectile } = facts;
  return { ...typeHead(facts), defaultProjectile: projectile === undefined ? undefined : typeHead(projectile) };
}
