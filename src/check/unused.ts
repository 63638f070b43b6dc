import type { Issues } from '../../engine/core/issue.ts';
import { type Definition, literalText } from '../../engine/index.ts';
import { projectileTypesOf, type State, type VariableDefinition } from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/** States that the engine enters without a script (reference: items-projectiles#item-states). */
const givenStates: ReadonlySet<string> = new Set([
  'default',
  'selected',
  'unselected',
  'unSelected',
  'dropped',
  'none',
]);

/** Reports states, bodies, animations, shops and media that nothing refers to. Any text in a script counts as a reference, because names can be computed. */
export function checkUnused(definition: Definition, scripts: readonly WalkedScript[], issues: Issues): void {
  const texts = textsOf(definition, scripts);
  const report = (noun: string, key: string, name: string, pointer: string): void => {
    issues.add('unused', pointer, `Nothing uses the ${noun} "${name === '' ? key : name}".`, { found: key });
  };
  for (const types of [definition.unitTypes, definition.itemTypes, projectileTypesOf(definition)]) {
    for (const { states, bodies, animations, effects } of types.values()) {
      const own = new Set<string | undefined>(['default']);
      for (const { animation } of effects.values()) own.add(animation);
      for (const { body, animation } of states.values()) own.add(body).add(animation);
      const isUsed = (key: string): boolean => own.has(key) || texts.has(key);
      for (const [key, { name, pointer }] of states) {
        if (!givenStates.has(key) && !givenStates.has(name) && !texts.has(key)) report('state', key, name, pointer);
      }
      for (const [key, { name, pointer }] of bodies) if (!isUsed(key)) report('body', key, name, pointer);
      for (const [key, { name, pointer }] of animations) if (!isUsed(key)) report('animation', key, name, pointer);
    }
  }
  for (const { key, name, pointer } of definition.shops.values())
    if (!texts.has(key)) report('shop', key, name, pointer);
  for (const { key, dataType, pointer } of definition.variables.values()) {
    // A region is useful without a script: its body fires triggers. Editors leave unused variables with an empty data type behind.
    if (dataType !== 'region' && dataType !== '' && !texts.has(key))
      issues.add('unused-variable', pointer, `No script uses the variable "${key}".`, { found: key });
  }
  checkMedia(definition, texts, issues);
}

/**
 * Sounds, music and particles: one issue per section rather than per entry, because editors fill these sections by themselves. Media of a type are used
 * by the effects and states of that type, or by scripts.
 */
function checkMedia(definition: Definition, texts: ReadonlySet<string>, issues: Issues): void {
  const sections = {
    'unit types': definition.unitTypes,
    'item types': definition.itemTypes,
    'projectile types': projectileTypesOf(definition),
  };
  const used = new Set<string | undefined>(texts);
  const use = (media: unknown): void => {
    // Effects and states either have the keys of media as member names, or contain them as strings.
    if (typeof media === 'string') used.add(media);
    else if (typeof media === 'object' && media !== null)
      for (const [key, each] of Object.entries(media)) {
        used.add(key);
        use(each);
      }
  };
  const useStates = (states: ReadonlyMap<string, State>): void => {
    for (const { sound, particles } of states.values()) for (const media of [sound, particles]) use(media);
  };
  useStates(definition.states);
  for (const types of Object.values(sections)) {
    for (const { effects, states } of types.values()) {
      useStates(states);
      for (const { sound, projectileType, particles } of effects.values()) {
        for (const key of sound?.keys() ?? []) used.add(key);
        for (const media of [particles, projectileType]) use(media);
      }
    }
  }
  const report = (noun: Noun, media: readonly Medium[], whose = ''): void => {
    const [first] = media;
    if (first === undefined) return;
    const details = { found: first.key, ...(media.length === 1 ? {} : { count: media.length }) };
    const message = `Nothing uses the ${listed(noun, media)}${whose}.`;
    issues.add('unused-media', first.pointer, message, details);
  };
  const unusedOf = (media: ReadonlyMap<string, Medium>): Medium[] =>
    [...media.values()].filter(({ key }) => !used.has(key));
  report(nouns.sound, unusedOf(definition.sound));
  report(nouns.music, unusedOf(definition.music));
  report(nouns.particles, [...unusedOf(definition.particles), ...unusedOf(definition.particleTypes)]);
  for (const [section, types] of Object.entries(sections)) {
    const owner: Noun = [section.slice(0, -1), section];
    for (const kind of ['sound', 'particles'] as const) {
      const owners = [...types.values()].filter((type) => unusedOf(type[kind]).length > 0);
      const media = owners.flatMap((type) => unusedOf(type[kind]));
      report(nouns[kind], media, ` of the ${listed(owner, owners)}`);
    }
  }
}

/** Singular and plural. */
type Noun = readonly [one: string, several: string];

const nouns = {
  sound: ['sound', 'sounds'],
  music: ['piece of music', 'pieces of music'],
  particles: ['particle', 'particles'],
} as const satisfies Readonly<Record<string, Noun>>;

interface Medium {
  readonly key: string;
  readonly name: string;
  readonly pointer: string;
}

/** Maximum number of names that a message quotes. */
const quotedMax = 4;

/** Lists names for a message, without duplicates. */
function listed([one, several]: Noun, things: readonly { readonly key: string; readonly name: string }[]): string {
  const names = [...new Set(things.map(({ key, name }) => (name === '' ? key : name)))];
  const quoted = names.slice(0, quotedMax).map((name) => `"${name}"`);
  const more = names.length > quotedMax ? ` and ${names.length - quotedMax} more` : '';
  return `${names.length === 1 ? one : several} ${quoted.join(', ')}${more}`;
}

/** All text literals in scripts and in initial values of variables. */
function textsOf(definition: Definition, scripts: readonly WalkedScript[]): Set<string> {
  const texts = new Set<string>();
  for (const { nodes } of scripts) {
    for (const node of nodes) {
      const text = node.kind === 'literal' ? literalText(node) : undefined;
      if (text !== undefined) texts.add(text);
    }
  }
  const collect = (variables: ReadonlyMap<string, VariableDefinition>): void => {
    for (const { default: initial } of variables.values()) if (typeof initial === 'string') texts.add(initial);
  };
  collect(definition.variables);
  for (const types of [definition.unitTypes, definition.itemTypes, definition.playerTypes])
    for (const { variables } of types.values()) collect(variables);
  return texts;
}
