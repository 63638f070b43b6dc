import { component } from '../ecs/component.ts';
import { constant, f64, type Infer, list, record, text } from '../schema/index.ts';

/** A buff that an item got at random from the game's catalogue (specification, Buff type). */
const rolledBuff = constant(record({ name: text(), value: f64() }));
export type RolledBuff = Infer<typeof rolledBuff>;

/** The buffs that an item got at random, if any; a `boolean` buff has the value 1. */
export const RolledBuffs = component('rolledBuffs', list(rolledBuff));
