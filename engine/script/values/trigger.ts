import { element, payload, reads, type Selection } from '../../rules/effects.ts';
import { type Entity, type EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import type { LastEntities } from '../../world/script-memory.ts';
import type { Payload, PayloadKey } from '../../world/triggers.ts';
import type { World } from '../../world/world.ts';
import { type About, compiledValue, family, inertValue, nullary, type ValueRow } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { player } from './operands.ts';

/** The entity under a key of the payload. */
function entityOf(payload: Payload, world: World, key: PayloadKey): unknown {
  return world.ref((payload[key] as Entity | undefined) ?? noEntity);
}

/**
 * A function that returns a payload member of the trigger that started the script: an entity, unless `read` says
 * otherwise.
 */
export function fromPayload(about: About, key: PayloadKey, read = entityOf): ValueRow {
  return nullary(about, key, ({ payload: given, world }) => read(given, world, key), payload(key));
}

/**
 * A function that returns a loop variable. The variable keeps its last value after the loop, for the rest of the run
 * (reference: scripts#script-context).
 */
export function selected(
  about: About,
  kind: Selection,
  read: (context: ScriptContext) => unknown,
  ...aliases: string[]
): ValueRow {
  return { ...nullary(about, kind, read, element(kind)), aliases };
}

/** A function that returns the last entity to which something happened; undefined once that entity is gone. */
export function last(about: About, key: keyof LastEntities, returns: string): ValueRow {
  return nullary(
    about,
    returns,
    ({ world }) => world.ref(world.memory.last[key]),
    reads('last', undefined, { kind: key }),
  );
}

/** The current value of the region's variable, which a script may have overwritten (reference: variables#regions). */
function regionOf(payload: Payload, world: World): unknown {
  const region = payload.region ?? noEntity;
  const ref: EntityRef | undefined = world.ref(region);
  if (ref === undefined) return undefined;
  const { layout, values } = world.globals;
  const slot = layout.slots.get(world.components.region[rowOf(region)]!.name);
  return (slot === undefined ? undefined : values[slot]) ?? ref;
}

/** The entity of the running script, the trigger payload, loop variables, and the last entities of events. */
export const triggerValues = family<ValueRow>('trigger', {
  /** The value is the unit, item or projectile whose script runs; undefined in a global script. */
  thisEntity: nullary(
    'The unit, item or projectile for which this script runs. Undefined in a global script.',
    'entity',
    ({ world, self }) => world.handle(self),
    reads('self'),
  ),
  getTriggeringUnit: fromPayload('The unit that the trigger provides.', 'unit'),
  getTriggeringPlayer: fromPayload('The player that the trigger provides.', 'player'),
  getTriggeringSensor: fromPayload('The sensor that the trigger provides.', 'sensor'),
  getTriggeringEntity: fromPayload('The unit, item or projectile that the trigger provides.', 'entity'),
  getTriggeringDebris: fromPayload('The debris that the trigger provides.', 'debris'),
  getTriggeringRegion: fromPayload('The region that the trigger provides.', 'region', regionOf),
  /** The value is a copy of the attribute from before the change, with the key of the attribute as `type`. */
  getTriggeringAttribute: fromPayload(
    'The attribute that the trigger provides, with its values before the change.',
    'attribute',
    (payload) => payload.attribute,
  ),
  getTriggeringVariableName: inertValue(
    'Always undefined. The function was meant to return the variable that the trigger provides.',
    'No trigger has a variable in its payload.',
    'string',
  ),

  selectedUnit: selected(
    'The current unit of a loop over units.',
    'unit',
    (context) => context.selectedUnit,
    'getSelectedUnit',
  ),
  selectedPlayer: selected(
    'The current player of a loop over players.',
    'player',
    (context) => context.selectedPlayer,
    'getSelectedPlayer',
  ),
  selectedEntity: selected(
    'The current entity of a loop over entities.',
    'entity',
    (context) => context.selectedEntity,
    'getSelectedEntity',
  ),
  selectedDebris: selected(
    'The current debris of a loop over debris.',
    'debris',
    (context) => context.selectedDebris,
    'getSelectedDebris',
  ),
  selectedRegion: selected('The current region of a loop over regions.', 'region', (context) => context.selectedRegion),
  selectedUnitType: selected(
    'The current unit type of a loop over unit types.',
    'unit type',
    (context) => context.selectedUnitType,
  ),
  /** A falsy value is returned as undefined. */
  selectedElement: {
    ...selected(
      'The current value of a loop over an object.',
      'element',
      (context) => context.selectedElement || undefined,
    ),
    returns: 'any',
  },
  selectedElementsKey: {
    ...selected(
      'The current key of a loop over an object.',
      'element',
      (context) => context.selectedElementKey || undefined,
    ),
    returns: 'string',
  },
  selectedParticle: inertValue(
    'Always undefined. The function was meant to return the current particle of a loop over particles.',
    'No engine has a loop over particles.',
    'particle',
  ),

  getLastCreatedUnit: last('The unit that was created last.', 'createdUnit', 'unit'),
  getLastPurchasedUnit: inertValue(
    'Always undefined. The function was meant to return the unit that was bought last.',
    'A shop sells unit types, and a script of the game creates the unit.',
    'unit',
  ),
  lastPurchasedUnitTypetId: nullary(
    'The unit type that was bought last.',
    'unit type',
    ({ world }) => world.memory.lastPurchasedUnitType,
    reads('last'),
  ),
  getLastTouchingUnit: last('The unit that last touched another unit.', 'touchingUnit', 'unit'),
  getLastTouchedUnit: last('The unit that was touched last.', 'touchedUnit', 'unit'),
  /** The value is set when a unit touches debris. */
  getLastTouchedDebris: last('The debris that was touched last.', 'touchedDebris', 'debris'),
  getLastOverlappedUnit: inertValue(
    'Always undefined. The function was meant to return the unit that was overlapped last.',
    'No engine detects that entities overlap; use getLastTouchedUnit.',
    'unit',
  ),
  getLastOverlappingUnit: inertValue(
    'Always undefined. The function was meant to return the unit that last overlapped another unit.',
    'No engine detects that entities overlap; use getLastTouchingUnit.',
    'unit',
  ),
  getLastAttackingUnit: last('The unit that attacked last.', 'attackingUnit', 'unit'),
  getLastAttackedUnit: last('The unit that was attacked last.', 'attackedUnit', 'unit'),
  getLastCastingUnit: last('The unit that cast an ability last.', 'castingUnit', 'unit'),
  getLastPlayerSelectingDialogueOption: last(
    'The player who last chose an option of a dialogue.',
    'dialoguePlayer',
    'player',
  ),
  /**
   * The value is the last message of the given player; if there is none, and always in the reference, the last message
   * of any player.
   */
  getLastChatMessageSentByPlayer: compiledValue(
    'The last chat message of a player. Without a player, or if the player has sent none, the last message of any player.',
    { player: P.optional(player) },
    'string',
    ({ player: sender }, { dialect }) => {
      const { lastChatMessageIsPerPlayer } = dialect;
      return (context) => {
        const row = rowOf(sender(context));
        return (
          (lastChatMessageIsPerPlayer ? context.world.components.chat[row]?.lastPublished : undefined) ??
          context.world.memory.lastChatMessage
        );
      };
    },
    reads('chat', 'player'),
  ),
  lastReceivedPostResponse: nullary(
    'The response to the last web request.',
    'any',
    ({ world }) => world.memory.lastPostResponse,
    reads('last'),
  ),
  /**
   * The name is set by `setVariable`, by adding to a group, and by responses except those of `sendPostRequest`, but not
   * by increments and loops.
   */
  lastUpdatedVariableName: nullary(
    'The name of the variable that was set last.',
    'string',
    ({ world }) => world.globals.lastUpdated,
    reads('last'),
  ),
  getLastTriggeringQuestId: nullary(
    'The id of the quest that last fired a quest trigger.',
    'string',
    ({ world }) => world.memory.lastQuestId,
    reads('quests'),
  ),
});
