import { type EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import type { LastEntities } from '../../world/script-memory.ts';
import type { Payload, PayloadKey } from '../../world/triggers.ts';
import type { World } from '../../world/world.ts';
import type { ScriptContext } from '../context.ts';
import { family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { player } from './operands.ts';

/** A member of the payload of the trigger that started the script. The use is noted for checks, because payloads have different members. */
export function fromPayload(
  key: PayloadKey,
  operation: string,
  returns: string,
  read: (payload: Payload, world: World) => unknown,
): ValueRow {
  return value({
    params: {},
    returns,
    compile: (_operands, compiler, node) => {
      compiler.notePayloadUse(key, operation, node);
      return (context) => read(context.payload, context.world);
    },
  });
}

/** A loop variable; it keeps the last value after the loop, for the rest of the run (reference: scripts#script-context). */
export function selected(returns: string, read: (context: ScriptContext) => unknown, ...aliases: string[]): ValueRow {
  return value({ params: {}, returns, aliases, compile: () => read });
}

/** The last entity that did something; no value once it is gone. */
export function last(key: keyof LastEntities, returns: string): ValueRow {
  return value({
    params: {},
    returns,
    compile: () => (context) => {
      const { world } = context;
      return world.ref(world.memory.last[key]);
    },
  });
}

/** The region as its variable reads now: a script that overwrote the variable changed what this says (reference: variables#regions). */
function regionOf(payload: Payload, world: World): unknown {
  const region = payload.region ?? noEntity;
  const ref: EntityRef | undefined = world.ref(region);
  if (ref === undefined) return undefined;
  const { layout, values } = world.globals;
  const slot = layout.slots.get(world.components.region[rowOf(region)]!.name);
  return (slot === undefined ? undefined : values[slot]) ?? ref;
}

/** The subjects of a script, and the last events. */
export const triggerValues = family<ValueRow>('trigger', {
  /** The unit, item or projectile whose script runs; none in a global script. */
  thisEntity: value({
    params: {},
    returns: 'entity',
    compile: () => (context) => context.world.handle(context.self),
  }),
  getTriggeringUnit: fromPayload('unit', 'getTriggeringUnit', 'unit', (payload, world) =>
    world.ref(payload.unit ?? noEntity),
  ),
  getTriggeringPlayer: fromPayload('player', 'getTriggeringPlayer', 'player', (payload, world) =>
    world.ref(payload.player ?? noEntity),
  ),
  getTriggeringSensor: fromPayload('sensor', 'getTriggeringSensor', 'sensor', (payload, world) =>
    world.ref(payload.sensor ?? noEntity),
  ),
  getTriggeringEntity: fromPayload('entity', 'getTriggeringEntity', 'entity', (payload, world) =>
    world.ref(payload.entity ?? noEntity),
  ),
  getTriggeringDebris: fromPayload('debris', 'getTriggeringDebris', 'debris', (payload, world) =>
    world.ref(payload.debris ?? noEntity),
  ),
  getTriggeringRegion: fromPayload('region', 'getTriggeringRegion', 'region', regionOf),
  /** The attribute as it was before the change, with its key as `type`. */
  getTriggeringAttribute: fromPayload(
    'attribute',
    'getTriggeringAttribute',
    'attribute',
    (payload) => payload.attribute,
  ),
  getTriggeringVariableName: inertValue('No trigger has a variable in its payload.', 'string'),

  selectedUnit: selected('unit', (context) => context.selectedUnit, 'getSelectedUnit'),
  selectedPlayer: selected('player', (context) => context.selectedPlayer, 'getSelectedPlayer'),
  selectedEntity: selected('entity', (context) => context.selectedEntity, 'getSelectedEntity'),
  selectedDebris: selected('debris', (context) => context.selectedDebris, 'getSelectedDebris'),
  selectedRegion: selected('region', (context) => context.selectedRegion),
  selectedUnitType: selected('unit type', (context) => context.selectedUnitType),
  /** A value that counts as false reads as no value. */
  selectedElement: selected('any', (context) => context.selectedElement || undefined),
  selectedElementsKey: selected('string', (context) => context.selectedElementKey || undefined),
  selectedParticle: inertValue('No engine has a loop over particles.', 'particle'),

  getLastCreatedUnit: last('createdUnit', 'unit'),
  getLastPurchasedUnit: inertValue('A shop sells types of units; scripts make the unit.', 'unit'),
  lastPurchasedUnitTypetId: value({
    params: {},
    returns: 'unit type',
    compile: () => (context) => context.world.memory.lastPurchasedUnitType,
  }),
  getLastTouchingUnit: last('touchingUnit', 'unit'),
  getLastTouchedUnit: last('touchedUnit', 'unit'),
  /** By a unit. */
  getLastTouchedDebris: last('touchedDebris', 'debris'),
  getLastOverlappedUnit: inertValue('No engine has events of overlapping; see getLastTouchedUnit.', 'unit'),
  getLastOverlappingUnit: inertValue('No engine has events of overlapping; see getLastTouchingUnit.', 'unit'),
  getLastAttackingUnit: last('attackingUnit', 'unit'),
  getLastAttackedUnit: last('attackedUnit', 'unit'),
  getLastCastingUnit: last('castingUnit', 'unit'),
  getLastPlayerSelectingDialogueOption: last('dialoguePlayer', 'player'),
  /** Of the named player, if it has said something; else the last message of any player. */
  getLastChatMessageSentByPlayer: value({
    params: { player: P.optional(player) },
    returns: 'string',
    compile: ({ player: sender }, { dialect }) => {
      const { chatIsOfPlayer } = dialect;
      return (context) => {
        const { world } = context;
        const row = rowOf(sender(context));
        return (chatIsOfPlayer ? world.components.chat[row]?.lastPublished : undefined) ?? world.memory.lastChatMessage;
      };
    },
  }),
  lastReceivedPostResponse: value({
    params: {},
    returns: 'any',
    compile: () => (context) => context.world.memory.lastPostResponse,
  }),
  /** Written by setVariable, by adding to a group, or by a response; counting and loops leave it. */
  lastUpdatedVariableName: value({
    params: {},
    returns: 'string',
    compile: () => (context) => context.world.globals.lastUpdated,
  }),
  getLastTriggeringQuestId: value({
    params: {},
    returns: 'string',
    compile: () => (context) => context.world.memory.lastQuestId,
  }),
});
