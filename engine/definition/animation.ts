import {
  array,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  map,
  number,
  shapes,
  string,
} from './schema.ts';

/** Some games have animations whose name is a number. */
const label = shapes<string>('a string', { string, number: convert(number, (value): string => String(value)) });

/** Specification, Animation: only its name and key matter to the simulation. */
const animation = entry('Animation', 'Frames of a cell sheet shown in turn.', {
  name: defaulted(label, ''),
  frames: defaulted(array(integer), []),
  framesPerSecond: number,
  loopCount: number,
  ...ignoredFields('animationDuration', 'cellSheet', 'forceCompleteAnimation', 'threeAnimationKey'),
});
export type AnimationType = Infer<typeof animation>;
export const animations = map(animation);
