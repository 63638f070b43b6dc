import { removeStun, stunUnit } from '../../rules/combat/status-effect.ts';
import { castAbility, startCasting, stopCasting } from '../../rules/control/ability.ts';
import { setMovement } from '../../rules/control/motion.ts';
import { changes, creates, may, only, starts, tells } from '../../rules/effects.ts';
import { nameEntity, setLookFlags } from '../../rules/entities/appearance.ts';
import { changeOwner } from '../../rules/entities/owner.ts';
import type { Game } from '../../rules/game.ts';
import { selectSlot } from '../../rules/items/inventory.ts';
import { createUnitByScript } from '../../rules/lifecycle/create-unit.ts';
import { changeUnitType } from '../../rules/lifecycle/unit-type.ts';
import { failToChangeType } from '../../rules/types/type-key.ts';
import type { Entity } from '../../world/entity.ts';
import { type About, action, acts, compiledAction, family, inertAction, nonReference } from '../op.ts';
import * as P from '../params.ts';
import { newContext } from '../running/context.ts';

/**
 * An action that sets a unit's direction of movement, which lasts until keys or scripts set another. An undefined value
 * leaves an axis unchanged.
 */
function steer(about: About, x: -1 | 0 | 1 | undefined, y: -1 | 0 | 1 | undefined) {
  return acts(
    about,
    { entity: P.unit },
    ({ world }, unit) => setMovement(world, unit, x, y),
    changes('direction', 'entity'),
  );
}

/**
 * An action that sets flags of a unit's look: whether clients draw the unit, or its label. The flags are stored and
 * published. In the reference, the value also becomes the name of the unit.
 */
function visibility(about: About, flags: Parameters<typeof setLookFlags>[2], value: boolean, more = {}) {
  return compiledAction(
    about,
    { entity: P.unit, ...more },
    ({ entity }, { dialect: { labelsKeepNames } }) =>
      (context) => {
        const unit = entity(context);
        if (unit === 0) return;
        setLookFlags(context.game, unit, flags, value);
        if (!labelsKeepNames) nameEntity(context.world, unit, String(value));
      },
    changes('look', 'entity'),
    only('moddio', changes('name', 'entity')),
    tells('entity.style'),
  );
}

/** Editors also write a `playerType` for these actions, which no engine reads. */
function label(about: About, value: boolean) {
  return visibility(about, ['isNameLabelHidden'], value, { playerType: P.optional(P.raw) });
}

const neverRead = 'The original engines store the value, but never use it.';

/**
 * An action that starts or stops an ability. In the reference, both operands are evaluated without the payload and the
 * loop variables of the script.
 */
function casting(about: About, rule: (game: Game, unit: Entity, id: string) => void) {
  return compiledAction(
    about,
    { entity: P.unit, ability: P.named(P.text, 'ability', 'unitAbility') },
    ({ entity, ability }, { dialect }) => {
      const { castingEvaluatesOperands } = dialect;
      return (context) => {
        const scope = castingEvaluatesOperands ? context : newContext(context.runtime, context.self);
        const unit = entity(scope);
        const id = ability(scope);
        if (unit !== 0 && id !== undefined) rule(context.game, unit, id);
      };
    },
    may(changes('abilities', 'entity', { key: 'ability' })),
    may(starts('ability', 'entity')),
  );
}

export const unitActions = family('unit', {
  createUnitAtPosition: action(
    'Creates a unit of a type for a player at a position. Games also use this action to respawn players.',
    {
      unitType: P.unitType,
      entity: P.faultIfMissing(P.player),
      position: P.creationPosition,
      angle: P.optional(P.radians),
    },
    ({ game, world }, { unitType, entity: owner, position: { x, y }, angle = 0 }) => {
      const type = world.types.unit.get(unitType);
      if (type === undefined) world.fault('no-such-type', `There is no unit type "${unitType}".`);
      else createUnitByScript(game, { type, owner, x, y, angle });
    },
    creates('unit', { type: 'unitType', at: 'position', of: 'entity' }),
  ),
  changeUnitType: action(
    'Changes the type of a unit, which also changes its body, attributes, variables and key bindings.',
    { entity: P.faultIfMissing(P.unit), unitType: P.unitType },
    (context, { entity, unitType }) => {
      const type = context.world.types.unit.get(unitType);
      if (type !== undefined) {
        changeUnitType(context.game, entity, type);
        return;
      }
      failToChangeType(context.game, entity, unitType);
      context.world.fault('no-such-type', `There is no unit type "${unitType}".`);
    },
    changes('type', 'entity', { to: 'unitType' }),
  ),
  setUnitOwner: action(
    'Gives a unit to a player.',
    { unit: P.unit, player: P.player },
    ({ game }, { unit, player }) => changeOwner(game, unit, player),
    changes('owner', 'unit', { to: 'player' }),
  ),
  setUnitNameLabel: action(
    'Sets the name label of a unit.',
    { unit: P.unit, name: P.optional(P.text) },
    ({ game, world }, { unit, name }) => nameEntity(world, unit, name ?? (game.rules.namesNeedValues ? '' : undefined)),
    changes('name', 'unit', { to: 'name' }),
  ),
  makeUnitSelectItemAtSlot: action(
    'Makes a unit select an inventory slot, counted from 1, and hold the item in this slot. A slot that does not exist is a fault.',
    { unit: P.faultIfMissing(P.unit), slotIndex: P.number },
    (context, { unit: holder, slotIndex }) => {
      const slots = context.world.inventoryOf(holder).slots.length;
      if (Number.isInteger(slotIndex) && slotIndex >= 1 && slotIndex <= slots)
        selectSlot(context.game, holder, slotIndex - 1);
      else context.world.fault('wrong-value', `Slot ${slotIndex} does not exist; the unit has ${slots} slots.`);
    },
    changes('slot', 'unit', { to: 'slotIndex' }),
  ),
  startMovingUnitUp: steer('Makes a unit move up until it is stopped.', undefined, -1),
  startMovingUnitDown: steer('Makes a unit move down until it is stopped.', undefined, 1),
  startMovingUnitLeft: steer('Makes a unit move left until it is stopped.', -1, undefined),
  startMovingUnitRight: steer('Makes a unit move right until it is stopped.', 1, undefined),
  stopMovingUnit: steer('Makes a unit stop moving.', 0, 0),
  stopMovingUnitX: steer('Makes a unit stop moving left or right.', 0, undefined),
  stopMovingUnitY: steer('Makes a unit stop moving up or down.', undefined, 0),
  stunUnit: nonReference(
    acts(
      'Stuns a unit, so that it cannot move or act.',
      { unit: P.unit },
      (game, unit) => stunUnit(game, unit, Infinity),
      changes('stun', 'unit'),
    ),
  ),
  removeStunFromUnit: nonReference(
    acts(
      'Removes the stun of a unit.',
      { unit: P.unit },
      ({ world }, unit) => removeStun(world, unit),
      changes('stun', 'unit'),
    ),
  ),
  castAbility: compiledAction(
    'Makes a unit cast an ability once.',
    { entity: P.unit, abilityName: P.named(P.rawText, 'ability', 'ability') },
    ({ entity, abilityName }) =>
      (context) => {
        const unit = entity(context);
        const key = abilityName(context);
        if (unit === 0) return;
        if (key !== undefined && castAbility(context.game, unit, key)) return;
        context.world.fault('no-such-reference', `There is no ability "${key}".`);
      },
    may(changes('attribute', 'entity')),
    only('standard', may(changes('items', 'entity'))),
    may(changes('last', undefined, { to: 'entity' })),
    may(starts('abilityName', 'entity')),
  ),
  startCastingAbility: casting('Makes a unit start casting an ability, as if its key were pressed.', startCasting),
  stopCastingAbility: casting('Makes a unit stop casting an ability, as if its key were released.', stopCasting),
  makeUnitInvisible: visibility('Hides a unit from all other players.', ['isInvisible', 'isNameLabelHidden'], true),
  makeUnitVisible: visibility('Shows a unit to all other players again.', ['isInvisible', 'isNameLabelHidden'], false),
  makeUnitInvisibleToFriendlyPlayers: visibility(
    'Hides a unit from friendly players.',
    ['isInvisibleToFriendly', 'isNameLabelHiddenToFriendly'],
    true,
  ),
  makeUnitVisibleToFriendlyPlayers: visibility(
    'Shows a unit to friendly players again.',
    ['isInvisibleToFriendly', 'isNameLabelHiddenToFriendly'],
    false,
  ),
  makeUnitInvisibleToNeutralPlayers: visibility(
    'Hides a unit from neutral players.',
    ['isInvisibleToNeutral', 'isNameLabelHiddenToNeutral'],
    true,
  ),
  makeUnitVisibleToNeutralPlayers: visibility(
    'Shows a unit to neutral players again.',
    ['isInvisibleToNeutral', 'isNameLabelHiddenToNeutral'],
    false,
  ),
  hideUnitNameLabel: label('Hides the name label of a unit from all players.', true),
  showUnitNameLabel: label('Shows the name label of a unit to all players.', false),
  changeUnitSpeed: inertAction(
    'Does nothing. The action was meant to change the speed of a unit: use its attribute `speed` instead.',
    neverRead,
    {
      entity: P.unit,
      unitSpeed: P.number,
    },
  ),
  makeUnitToAlwaysFaceMouseCursor: inertAction(
    'Does nothing. The action was meant to make a unit face the mouse: use the controls of its type instead.',
    neverRead,
    { entity: P.unit },
  ),
  makeUnitToAlwaysFacePosition: inertAction('Does nothing. Use `rotateEntityToFacePosition` instead.', neverRead, {
    entity: P.unit,
    position: P.position,
  }),
});
