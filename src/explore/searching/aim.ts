import { RandomStream } from '../../../engine/core/index.ts';
import { playCounts, type Simulation, scriptsIn } from '../../../engine/index.ts';
import type { Interests } from '../../bots/index.ts';
import { gainsOf } from '../finding/exploits.ts';
import { leadsTo } from './leads.ts';

/** How long players look for the same thing before they choose another. */
const aimSeconds = 20;

/** Chooses what the players of a play look for: what leads to a suspect, or to an action that has not run yet. */
export class Aim {
  readonly interests: Interests;
  private readonly random: RandomStream;

  constructor(
    private readonly sim: Simulation,
    seed: string,
  ) {
    this.random = new RandomStream(`${seed}/aim`);
    this.interests = leadsTo(sim.definition, []);
  }

  beforeStep() {
    const { sim, random } = this;
    if (sim.tick % Math.round(aimSeconds * sim.rate) !== 0) return;
    const { locations } = playCounts(sim);
    const gains = gainsOf(sim.definition).map(({ about }) => about);
    const open = scriptsIn(sim).locations.flatMap(({ script }, i) => (locations[i] === 0 ? script.place : []));
    const aim = random.pick(gains.length > 0 && random.chance(0.5) ? gains : open);
    const leads = leadsTo(sim.definition, aim === undefined ? [] : [aim]);
    // If nothing leads to the new aim, the players keep their earlier one.
    if (leads.wanted.size + leads.keys.size > 0 || leads.phrases.commands.length > 0)
      Object.assign(this.interests, leads);
  }
}
