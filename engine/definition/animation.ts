import {
  array,
  convert,
  defaulted,
  entry,
  ignoredFields,
  map,
  notNegative,
  number,
  shapes,
  string,
  wholePositive,
} from './schema.ts';

/** Some games have animations whose name is a number. */
const label = shapes<string>('a string', { string, number: convert(number, (value): string => String(value)) });

/** An animation (specification, Animation). The simulation reads only the name and the key of an animation. */
const animation = entry('Animation', 'Frames of a cell sheet shown in turn.', {
  name: ['The display name in game clients and editors.', defaulted(label, '')],
  frames: ['The numbers of the frames, in order.', defaulted(array(wholePositive), [])],
  framesPerSecond: ['The number of frames per second.', notNegative],
  loopCount: ['How often the animation repeats; with 0, it repeats forever.', number],
  ...ignoredFields({
    animationDuration: 'The duration, in milliseconds.',
    cellSheet: 'The sprite sheet and how it is divided into frames.',
    forceCompleteAnimation: 'Whether the animation always plays to its end.',
    threeAnimationKey: 'The animation of the 3D model.',
  }),
});
export const animations = map(animation);
