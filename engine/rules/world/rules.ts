import { aiTurn } from '../ai/ai.ts';
import { noticing } from '../ai/ai-reactions.ts';
import { sensorMotion } from '../ai/sensor.ts';
import { adEnd } from '../client/advertisement.ts';
import { clientAnswers } from '../client/ui.ts';
import { buffEnd } from '../combat/buff.ts';
import { damage } from '../combat/damage.ts';
import { projectileContact, projectileRange } from '../combat/projectile.ts';
import { lagCompensation } from '../combat/rewind.ts';
import { statusEffectEnd } from '../combat/status-effect.ts';
import { casting } from '../control/ability.ts';
import { builtInAbilities } from '../control/built-in.ts';
import { keys, mouse } from '../control/control.ts';
import { steering } from '../control/motion.ts';
import type { Rule } from '../effects.ts';
import { regeneration } from '../entities/attribute.ts';
import { itemDrag, slotChange } from '../items/inventory.ts';
import { carrying } from '../items/item.ts';
import { reloading } from '../items/reload.ts';
import { itemUse } from '../items/use-attempt.ts';
import { announcement, chatting } from '../players/chat.ts';
import { coinTransfer } from '../players/coins.ts';
import { dialogueChoice } from '../players/dialogue.ts';
import { kickEnd, moderation } from '../players/moderation.ts';
import { joining, leaving } from '../players/player.ts';
import { itemPurchase, unitPurchase } from '../players/shop.ts';
import { tradeWish, trading } from '../players/trade.ts';
import { lifeSpans } from '../types/life-span.ts';
import { clock, timers } from './behaviour.ts';
import { contacts, motion } from './contact.ts';
import { webAnswer } from './http.ts';
import { serverLife } from './server-life.ts';

/**
 * All effects that the game has without scripts: those of the rules that run in ticks and those of inputs. The effects
 * of scripts are declared in the rows of their operations.
 */
export const rules: readonly Rule[] = [
  // Rules that run in a tick, in the order of their first turn:
  timers,
  clock,
  lifeSpans,
  projectileRange,
  casting,
  builtInAbilities,
  steering,
  aiTurn,
  carrying,
  itemUse,
  reloading,
  buffEnd,
  regeneration,
  sensorMotion,
  statusEffectEnd,
  motion,
  contacts,
  noticing,
  damage,
  projectileContact,
  kickEnd,
  serverLife,
  // Rules that run because of inputs of players and the host:
  joining,
  leaving,
  keys,
  mouse,
  lagCompensation,
  slotChange,
  itemDrag,
  itemPurchase,
  unitPurchase,
  dialogueChoice,
  chatting,
  clientAnswers,
  trading,
  tradeWish,
  adEnd,
  coinTransfer,
  webAnswer,
  moderation,
  announcement,
];
