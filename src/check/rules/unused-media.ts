import { projectileTypesOf } from '../../../engine/tools.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { textsOf } from '../texts.ts';

/** The singular and the plural of a noun. */
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

/**
 * One issue per section rather than per entry, because editors fill these sections by themselves. Media of a type are
 * used by the effects and states of that type, or by scripts.
 */
export const unusedMedia: Rule = {
  severity: 'info',
  about: 'Sounds, music or particles that no effect, state or script uses.',
  because: 'Clients may load them anyway. They can be deleted.',
  wrong: `{ "sound": { "bang": { "name": "bang", "file": "https://example.com/bang.mp3" } } }`,
  right: `{
  "sound": { "bang": { "name": "bang", "file": "https://example.com/bang.mp3" } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "playSoundAtPosition", "sound": "bang", "position": { "x": 9, "y": 9 } }] } }
}`,
  check({ definition, entityTypes: types, once, report }) {
    const sections = {
      'unit types': definition.unitTypes,
      'item types': definition.itemTypes,
      'projectile types': projectileTypesOf(definition),
    };
    const used = new Set<string | undefined>(once(textsOf));
    const use = (media: unknown): void => {
      // Effects and states either have the keys of media as member names, or contain them as strings.
      if (typeof media === 'string') used.add(media);
      else if (typeof media === 'object' && media !== null)
        for (const [key, each] of Object.entries(media)) {
          used.add(key);
          use(each);
        }
    };
    for (const { states } of [definition, ...types])
      for (const { sound, particles } of states.values()) for (const media of [sound, particles]) use(media);
    for (const { effects } of types) {
      for (const { sound, projectileType, particles } of effects.values()) {
        for (const key of sound?.keys() ?? []) used.add(key);
        for (const media of [particles, projectileType]) use(media);
      }
    }
    const add = (noun: Noun, media: readonly Medium[], whose = ''): void => {
      const [first] = media;
      if (first === undefined) return;
      report(first.pointer, `Nothing uses the ${listed(noun, media)}${whose}.`, {
        found: first.key,
        count: media.length === 1 ? undefined : media.length,
      });
    };
    const unusedOf = (media: ReadonlyMap<string, Medium>): Medium[] =>
      [...media.values()].filter(({ key }) => !used.has(key));
    add(nouns.sound, unusedOf(definition.sound));
    add(nouns.music, unusedOf(definition.music));
    add(nouns.particles, [...unusedOf(definition.particles), ...unusedOf(definition.particleTypes)]);
    for (const [section, all] of Object.entries(sections)) {
      const owner: Noun = [section.slice(0, -1), section];
      for (const kind of ['sound', 'particles'] as const) {
        const owners = [...all.values()].filter((type) => unusedOf(type[kind]).length > 0);
        const media = owners.flatMap((type) => unusedOf(type[kind]));
        add(nouns[kind], media, ` of the ${listed(owner, owners)}`);
      }
    }
  },
};

/** Lists names for a message, without duplicates. */
function listed([one, several]: Noun, things: readonly { readonly key: string; readonly name: string }[]): string {
  const names = [...new Set(things.map(titleOf))];
  const more = names.length > quotedMax ? ` and ${names.length - quotedMax} more` : '';
  return `${names.length === 1 ? one : several} ${names.slice(0, quotedMax).join(', ')}${more}`;
}
