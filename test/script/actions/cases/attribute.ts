import { near } from '../../values/harness.ts';
import { type Json, the } from '../action-game.ts';
import type { ActionCases } from '../harness.ts';

const me = the('me');
const human = the('human');
const ask = (name: string, attribute: string, entity: unknown): Json => ({ function: name, attribute, entity });
const health = ask('getEntityAttribute', 'health', me);
const healthMax = ask('entityAttributeMax', 'health', me);
const gold = ask('getPlayerAttribute', 'gold', human);
const onHealth = (value: unknown): Json => ({ attribute: 'health', entity: me, value });
const onGold = (number: unknown): Json => ({ attributeType: 'gold', player: human, number });
const buff = (value: unknown): Json => ({ entity: me, value, attribute: 'health', time: 200 });

export const attributes: ActionCases = {
  setEntityAttribute: [
    { give: onHealth(20.25), see: health, is: 20.25 },
    { give: onHealth('20'), see: health, is: 20 },
    { give: onHealth(1000), see: health, is: 100 },
    { give: onHealth(0), see: (played) => played.fired.includes('unitAttributeBecomesZero'), is: true, after: 1 },
    { give: { attribute: 'nobody', entity: me, value: 5 }, refused: 'no-such-attribute' },
    // A non-number is not stored.
    { give: onHealth({ function: 'squareRoot', number: -1 }), refused: 'missing-value' },
    // Attributes of players have their own action.
    { give: { attribute: 'gold', entity: human, value: 5 }, refused: 'nothing-to-act-on' },
  ],
  setEntityAttributeMin: [
    { give: onHealth(60), see: health, is: 60 },
    { give: { attribute: 'nobody', entity: me, value: 5 }, refused: 'no-such-attribute' },
  ],
  setEntityAttributeMax: [
    { give: onHealth(40), see: health, is: 40 },
    { give: onHealth(400), see: healthMax, is: 400 },
    { give: { attribute: 'nobody', entity: me, value: 5 }, refused: 'no-such-attribute' },
  ],
  setEntityAttributeRegenerationRate: [
    { give: onHealth(20), see: health, is: 60, after: 10 },
    { give: { attribute: 'nobody', entity: me, value: 5 }, refused: 'no-such-attribute' },
  ],
  setPlayerAttribute: [
    { give: { attribute: 'gold', entity: human, value: 12.345 }, see: gold, is: 12.3 },
    { give: { attribute: 'gold', entity: human, value: -5 }, see: gold, is: 0 },
    { give: { attribute: 'health', entity: human, value: 5 }, refused: 'no-such-attribute' },
  ],
  setPlayerAttributeMin: [{ give: onGold(40), see: gold, is: 40 }],
  setPlayerAttributeMax: [{ give: onGold(20), see: gold, is: 20 }],
  setPlayerAttributeRegenerationRate: [{ give: onGold(10), see: gold, is: 35, after: 10 }],
  addAttributeBuffToUnit: [
    { give: buff(30), see: (played) => [played.value(health), played.value(healthMax)], is: [80, 130] },
    {
      // When the buff has ended, only what it gave is removed.
      give: buff(30),
      see: (played) => {
        const during = played.value(health);
        played.sim.run({ ticks: 5 });
        return [during, played.value(health), played.value(healthMax)];
      },
      is: [80, 50, 100],
    },
    { give: { entity: me, value: 5, attribute: 'nobody', time: 200 }, refused: 'no-such-attribute' },
  ],
  addPercentageAttributeBuffToUnit: [
    { give: buff(10), see: (played) => [played.value(health), played.value(healthMax)], is: [near(55), near(110)] },
    { give: { entity: me, value: 5, attribute: 'nobody', time: 200 }, refused: 'no-such-attribute' },
  ],
  removeAllAttributeBuffs: [
    {
      give: { unit: me },
      before: [{ type: 'addAttributeBuffToUnit', ...buff(30), time: 60_000 }],
      after: 2,
      see: healthMax,
      is: 100,
    },
  ],
};
