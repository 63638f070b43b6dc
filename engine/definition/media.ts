import {
  array,
  convert,
  defaulted,
  entry,
  field,
  type Infer,
  ignoredFields,
  integer,
  key,
  map,
  number,
  object,
  shapes,
  string,
} from './schema.ts';

const fullSound = entry('Sound', 'A sound or a piece of music.', {
  name: defaulted(string, ''),
  file: defaulted(string, ''),
  volume: number,
  streamMode: integer,
  ...ignoredFields('loop'),
});
type Sound = Infer<typeof fullSound>;

/** A slot `{name, file}`, or only the name of a sound; `null` is an empty slot and left out. */
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

const image = object({ url: defaulted(string, ''), key: field(key, {}), ...ignoredFields('name') });
export const images = array(image);

export const texturePack = object({ atlasURL: string, textureURL: string });
