import { type AiScripts, aiScriptsOf } from './ai.ts';
import { type AttributeChange, attributeChangesOf } from './attributes.ts';
import { GameFacts } from './facts.ts';
import { type ItemScripts, itemScriptsOf } from './items.ts';
import { type PlayFacts, playFactsOf } from './play.ts';
import { NumberRanges } from './ranges.ts';

/** A loaded game in a dialect, with the facts about it that several rules need. */
export class GameContext extends GameFacts {
  /** The numbers that operands can have. */
  readonly numbers = new NumberRanges(this);

  /** Facts about the people who join. */
  get play(): PlayFacts {
    return this.once(playFactsOf);
  }

  /** Facts about items that follow from scripts. */
  get itemScripts(): ItemScripts {
    return this.once(itemScriptsOf);
  }

  /** Facts about AI that follow from scripts. */
  get aiScripts(): AiScripts {
    return this.once(aiScriptsOf);
  }

  /** All changes of attributes. */
  get attributeChanges(): readonly AttributeChange[] {
    return this.once(attributeChangesOf);
  }
}
