import {
  array,
  convert,
  defaulted,
  entry,
  field,
  type Infer,
  ignoredFields,
  key,
  map,
  number,
  object,
  shapes,
  string,
} from './schema.ts';
import { name, streamMode } from './shared-fields.ts';

const fullSound = entry('Sound', 'A sound or a piece of music.', {
  name,
  file: ['The URL of the sound file.', defaulted(string, '')],
  volume: ['The volume, from 0 to 100.', number],
  streamMode,
  ...ignoredFields({ loop: 'Whether the sound repeats.' }),
});
type Sound = Infer<typeof fullSound>;

/** A slot `{name, file}`, or only the name of a sound; `null` is an empty slot and is left out. */
const sound = shapes<Sound>('a sound object, a string or null', {
  object: fullSound,
  string: convert(string, (name, place): Sound => {
    return Object.freeze({
      key: place.key,
      pointer: place.pointer(),
      name,
      file: '',
      volume: undefined,
      streamMode: undefined,
      loop: undefined,
    });
  }),
});
export const sounds = map(sound, { arrays: true });

const image = object({
  url: ['The URL of an image.', defaulted(string, '')],
  key: ['The id of the entry, the same as its key.', field(key, {})],
  ...ignoredFields({ name: 'The display name in game clients and editors.' }),
});
export const images = array(image);

export const texturePack = object({
  atlasURL: ['The URL of a texture atlas description.', string],
  textureURL: ['The URL of a texture.', string],
});
