import { components } from '../../components/index.ts';
import { accessOf } from '../../ecs/schedule.ts';
import { resources } from '../../world/resources.ts';
import { physics } from '../game.ts';

/**
 * The components and resources that rules touch. Each fact stands here once, with the rule that it is about. A rule that calls others, also by an event that they listen to,
 * names them and adds what it touches itself. Systems and the parts of a turn name the rules that they start.
 */

const c = components.all;
const r = resources.all;

/** A script may touch everything, which no list of reads and writes can say. Systems and parts in which scripts can run say so by this. */
export const scripts = 'scripts of the game';

/** Is the entity there, and of which kind and type? */
export const asking = accessOf({ reads: [c.identity, c.rows] });
/** An entity gets something to do in the next pass, and so does what it carries. */
const waking = accessOf(asking, { reads: [c.inventory], writes: [r.entities] });
const firing = accessOf(asking, { reads: [c.handle], writes: [r.triggers], calls: scripts });
/** Outputs, and what was wrong or missing. */
export const publishing = accessOf({ reads: [c.handle], writes: [r.faults, r.outbox] });

/** Values, bounds and rates of attributes; the best score follows them. */
export const changingAttributes = accessOf(waking, firing, { writes: [c.attributes, c.score, r.attributes] });

/** Position, angle and velocity, now or with the next body. The sensor goes along. */
export const moving = accessOf(waking, { reads: [c.bodyType, c.sensing], writes: [c.transform, physics] });

/** The state of an entity, and the body that it calls for. Items are hidden or shown with it, and start or lose their life span. */
const enteringState = accessOf(moving, firing, {
  reads: [c.body, c.debris, c.rolledBuffs, r.clock],
  writes: [c.bodyType, c.identity, c.lifespan, c.visibility],
});

/** Starting and stopping the use of an item. */
export const handling = accessOf(waking, firing, publishing, {
  reads: [c.inventory, c.visibility, r.clock],
  writes: [c.delayedUses, c.itemUse],
});

/** Slots, the item in the hand, and the bonuses of what is carried. */
export const carrying = accessOf(handling, enteringState, changingAttributes, {
  reads: [c.ownedUnits, c.stack],
  writes: [c.carried, c.facing, c.hold, c.inventory, c.passiveBonus, c.wallet],
});

/** The end of an entity with the items that it carries; its owner and its followers forget it. */
export const destroying = accessOf(carrying, publishing, {
  reads: [c.controls, c.sensing],
  writes: [c.ai, c.movement, c.ownedUnits, c.rows, r.memory],
});

/** A new entity, with all that creation gives it. */
export const creating = accessOf(carrying, publishing, {
  writes: [c.body, c.handle, c.name, c.rolledBuffs, c.rows, c.stack, c.variables, r.made, r.memory, r.random],
});

/** Costs are paid in attributes and items; the built-in abilities use the item that is held. */
export const casting = accessOf(destroying, { writes: [c.abilities, c.casting] });

/** An item that is used: shots, blows, ammunition, consumption, costs. */
export const using = accessOf(creating, destroying, { writes: [c.projectile, c.rayPoint] });

/** Where the keys, the mouse or a mind lead a unit. */
export const steering = accessOf(moving, {
  reads: [
    c.attributes,
    c.controls,
    c.inventory,
    c.movement,
    c.ownedUnits,
    c.passiveBonus,
    c.rolledBuffs,
    c.statusEffects,
    r.attributes,
    r.clock,
  ],
  writes: [c.ai, c.facing, c.velocity],
});

/** The mind of a unit: its target, its way, whether it fights. */
export const thinking = accessOf(handling, {
  reads: [c.sensing, c.transform, physics],
  writes: [c.ai, c.facing, c.movement, r.random],
});

/** Contacts: damage, what is defeated by it, projectiles that end, sensors that notice. */
export const touching = accessOf(creating, destroying, thinking, { writes: [c.projectile] });

/** The body is read back, and the unit is held inside the map. */
export const readingBack = accessOf(moving, firing, { reads: [c.velocity, c.visibility], writes: [c.body] });

/** Keys and the mouse of a client reach the unit that its player selected. */
export const controlling = accessOf(carrying, {
  reads: [c.statusEffects],
  writes: [c.casting, c.controls, c.movement],
});

/** Joining and leaving, chat, shops, dialogues, trades, answers of clients. */
export const playing = accessOf(creating, destroying, controlling, {
  reads: [r.shown],
  writes: [
    c.account,
    c.camera,
    c.chat,
    c.clientData,
    c.page,
    c.persistenceLoaded,
    c.player,
    c.quests,
    c.trade,
    r.server,
  ],
});
