import { component } from '../ecs/component.ts';
import { f64, flag, type Infer, map, optional, record, text } from '../schema/index.ts';

const quest = record({
  name: text(),
  description: text(),
  goal: f64(),
  /**
   * The goal as a string, if a script gave it as a string. In dialects without `numericTextAdds`, a numeric progress
   * never equals such a goal.
   */
  goalText: optional(text()),
  progress: f64(),
  completed: flag(),
});
export type Quest = Infer<typeof quest>;

/** The quests of players who were ever given one, by id. */
export const Quests = component('quests', map(text(), quest));
