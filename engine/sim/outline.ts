import { locate } from '../core/json-position.ts';
import type { Definition } from '../definition/definition.ts';
import type { Extent, ScriptHead, TypeHead } from '../definition/heads.ts';
import { type Outline, readOutlined, type ScriptFacts, type TypeFacts } from '../definition/outline.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { LoadedGame } from './load.ts';

/** The outline of a game that was loaded from a text. Throws if a type or script is not found in the text. */
export function outlineOf(definition: Definition, text: string): Outline {
  const { scripts, unitTypes, itemTypes, projectileTypes } = definition;
  const extents = new Map<ScriptHead, Extent>(scriptsOf(definition).entries.map(({ head, extent }) => [head, extent]));
  const located = [scripts, unitTypes, itemTypes, projectileTypes].flatMap((map) =>
    [...map.values()].map(({ pointer }) => pointer),
  );
  const places = locate(text, located);
  const all = <V extends { readonly pointer: string }, F>(map: ReadonlyMap<string, V>, factsOf: (value: V) => F) =>
    Array.from(map, ([key, value]) => {
      const { pointer } = value;
      const { offset, endOffset } = places.get(pointer)!;
      return { key, pointer, from: offset, to: endOffset, head: factsOf(value) };
    });
  const scriptFacts = (head: ScriptHead): ScriptFacts => {
    const { key, triggers } = head;
    return { key, triggers, ...(extents.get(head) ?? { locations: 0, jobs: 0 }) };
  };
  const typeFacts = (type: TypeHead): TypeFacts => ({
    name: type.name,
    attributes: [...type.attributes.keys()],
    variables: [...type.variables.keys()],
    states: [...type.states.keys()],
    particles: [...type.particles.keys()],
    animations: [...type.animations.keys()],
    abilities: [],
    scripts: Array.from(type.scripts.values(), scriptFacts),
  });
  return {
    scripts: all(scripts, scriptFacts),
    unitTypes: all(unitTypes, (type) => ({
      ...typeFacts(type),
      abilities: [...(type.controls?.unitAbilities.keys() ?? [])],
    })),
    itemTypes: all(itemTypes, (type) => ({
      ...typeFacts(type),
      projectile: type.defaultProjectile && typeFacts(type.defaultProjectile),
    })),
    projectileTypes: all(projectileTypes, typeFacts),
  };
}

/** Loads a game whose types and scripts are read on first use. It plays like one that was read at once. Throws if the outline belongs to another text. */
export function loadOutlined(text: string, outline: Outline): LoadedGame {
  return new LoadedGame(readOutlined(text, outline));
}
