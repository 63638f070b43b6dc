import { attributes } from './attribute.ts';
import { controlFlow } from './control-flow.ts';
import { entities } from './entity.ts';
import { items } from './item.ts';
import { outside } from './outside.ts';
import { physics } from './physics.ts';
import { places } from './place.ts';
import { playersAndQuests } from './player.ts';
import { units } from './unit.ts';
import { variables } from './variable.ts';

/** The cases of all actions. */
export const actionTables = {
  'control flow': controlFlow,
  variables,
  attributes,
  units,
  entities,
  physics,
  'players and quests': playersAndQuests,
  'items and projectiles': items,
  places,
  'the outside': outside,
};
