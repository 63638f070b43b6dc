import {
  anything,
  type Check,
  either,
  isCount,
  isFlag,
  isNumber,
  isText,
  listOf,
  mapOf,
  oneOf,
  optional,
  record,
} from '../core/shape.ts';
import type { Cost } from '../definition/ability.ts';
import { EntityRef, kinds, rowOf } from './entity.ts';
import type {
  AbilityUse,
  AiState,
  Buff,
  Damage,
  DebrisState,
  DelayedUse,
  ItemState,
  PlayerAccount,
  PlayerState,
  Point,
  ProjectileState,
  Quest,
  QueuedCast,
  RegionState,
  RolledBuff,
  UnitState,
  WebRequest,
} from './state.ts';
import type { AttributePayload, PayloadMembers } from './triggers.ts';
import type { LastEntities } from './world.ts';

/**
 * What the state objects of `state.ts` must look like when they come from outside. The compiler wants a check for every member of every one of
 * them. `rowCount` bounds the rows that entities may name.
 */
export interface StateChecks {
  readonly entity: Check;
  readonly point: Check;
  readonly unit: Check;
  readonly item: Check;
  readonly projectile: Check;
  readonly player: Check;
  readonly region: Check;
  readonly debris: Check;
  readonly request: Check;
  readonly payload: Check;
  readonly last: Check;
}

export function stateChecks(rowCount: number): StateChecks {
  const entity: Check = (value) => isCount(value) && rowOf(value as number) < rowCount;
  const point = record<Point>({ x: isNumber, y: isNumber });
  const texts = listOf(isText);
  const numbers = listOf(isNumber);
  const entities = listOf(entity);
  const amounts = mapOf(isText, anything);
  const cost = record<Cost>({ unitAttributes: amounts, playerAttributes: amounts, quantity: anything, cast: anything });
  const ai = record<AiState>({
    mode: oneOf(['idle', 'move', 'fight', 'flee']),
    target: entity,
    destination: optional(point),
    home: optional(point),
    nextActionAtMs: isNumber,
    fleeEndsAtMs: isNumber,
    path: numbers,
    pathTarget: optional(point),
    isReachable: isFlag,
    unitType: isNumber,
    pathFinding: isText,
    idleBehaviour: isText,
    sensorResponse: isText,
    attackResponse: isText,
    maxTravelDistance: isNumber,
    letGoDistance: isNumber,
    maxAttackRange: isNumber,
  });
  const buff = record<Buff>({ attribute: isText, amount: isNumber, gained: isNumber, endsAtMs: isNumber });
  const cast = record<QueuedCast>({
    kind: oneOf(['script', 'builtIn', 'startCasting', 'stopCasting']),
    name: isText,
    cost,
    place: isText,
  });
  const use = record<AbilityUse>({ active: isFlag, coolsAtMs: isNumber, endsAtMs: isNumber });
  const delayed = record<DelayedUse>({ part: oneOf(['effect', 'strike', 'reload']), dueMs: isNumber });
  const rolled = record<RolledBuff>({ name: isText, value: isNumber });
  const damage = record<Damage>({
    targetsAffected: texts,
    unitAttributes: mapOf(isText, isNumber),
    playerAttributes: mapOf(isText, isNumber),
    sourceUnit: entity,
    sourceItem: entity,
    sourcePlayer: entity,
    knockbackForce: isNumber,
    stunChance: optional(isNumber),
    slowChance: optional(isNumber),
  });
  const quest = record<Quest>({
    name: isText,
    description: isText,
    goal: isNumber,
    progress: isNumber,
    completed: isFlag,
  });
  const account = record<PlayerAccount>({
    lastPlayedMs: optional(isNumber),
    invitedUsers: optional(isNumber),
    usesAdblock: optional(isFlag),
    highscore: optional(isNumber),
    coins: optional(isNumber),
  });
  const news = record<AttributePayload>({ type: isText, name: isText, value: isNumber, min: isNumber, max: isNumber });
  const payload = record<PayloadMembers>({
    unit: optional(entity),
    item: optional(entity),
    projectile: optional(entity),
    player: optional(entity),
    region: optional(entity),
    sensor: optional(entity),
    debris: optional(entity),
    entity: optional(entity),
    collidingEntity: optional(entity),
    attribute: optional(news),
  });
  return {
    entity,
    point,
    payload,
    unit: record<UnitState>({
      name: isText,
      slots: entities,
      inventorySize: isCount,
      backpackSize: isCount,
      currentSlot: isNumber,
      heldItem: entity,
      sensor: entity,
      sensorRadius: isNumber,
      ai: optional(ai),
      buffs: listOf(buff),
      castQueue: listOf(cast),
      abilities: mapOf(isText, use),
      stunEndsAtMs: isNumber,
      slowEndsAtMs: isNumber,
      aiBeforeHiding: isFlag,
      persistenceLoaded: isFlag,
    }),
    item: record<ItemState>({
      name: isText,
      description: isText,
      anchor: point,
      dropAngle: isNumber,
      aims: isFlag,
      bonusGiven: isFlag,
      bonusPlayer: entity,
      delayed: listOf(delayed),
      rolled: listOf(rolled),
      inventoryImage: optional(isText),
      slotColor: optional(isText),
    }),
    projectile: record<ProjectileState>({
      sourceItem: entity,
      damage: optional(damage),
      penetrates: isFlag,
      hurtUnit: entity,
      range: optional(record<NonNullable<ProjectileState['range']>>({ x: isNumber, y: isNumber, distance: isNumber })),
    }),
    region: record<RegionState>({ name: isText, x: isNumber, y: isNumber, width: isNumber, height: isNumber }),
    debris: record<DebrisState>({
      name: isText,
      x: isNumber,
      y: isNumber,
      angle: isNumber,
      type: oneOf(['dynamic', 'static', 'kinematic']),
      density: isNumber,
      friction: isNumber,
      restitution: isNumber,
    }),
    player: record<PlayerState>({
      name: isText,
      username: optional(isText),
      account: optional(account),
      controlledBy: oneOf(['human', 'computer']),
      isBot: isFlag,
      clientId: isText,
      userId: optional(isText),
      ip: optional(isText),
      isMobile: isFlag,
      joinedAtMs: isNumber,
      roleIds: texts,
      units: entities,
      selectedUnit: entity,
      cameraUnit: entity,
      keysDown: texts,
      mouseX: isNumber,
      mouseY: isNumber,
      cameraYaw: isNumber,
      absoluteAngle: isNumber,
      lastMessage: optional(isText),
      lastChatMessage: optional(isText),
      chatBanned: isFlag,
      chatTimesMs: numbers,
      chatLengths: numbers,
      customInput: optional(isText),
      lastHtmlClick: anything,
      receivedData: anything,
      openShop: optional(isText),
      openDialogue: optional(isText),
      tradePartner: entity,
      tradeAskedBy: entity,
      tradeTerms: optional(entities),
      coins: isNumber,
      points: isNumber,
      realtimeCss: isText,
      quests: mapOf(isText, quest),
      highscore: isNumber,
      bestScore: isNumber,
      persisted: anything,
      persistenceLoaded: isFlag,
    }),
    request: record<WebRequest>({
      kind: oneOf(['post', 'request', 'secure']),
      variable: optional(isText),
      asker: entity,
      onSuccess: isNumber,
      onFailure: isNumber,
      state: anything,
    }),
    last: record<LastEntities>({
      createdUnit: entity,
      createdItem: entity,
      createdProjectile: entity,
      touchingUnit: entity,
      touchedUnit: entity,
      touchedItem: entity,
      touchedProjectile: entity,
      touchedDebris: entity,
      attackingUnit: entity,
      attackedUnit: entity,
      attackingItem: entity,
      usedItem: entity,
      castingUnit: entity,
      dialoguePlayer: entity,
      purchasedUnit: entity,
    }),
  };
}

/** The handle of the row's entity, or none. */
export function isRefOf(value: unknown, row: number): boolean {
  if (value === undefined) return true;
  return value instanceof EntityRef && rowOf(value.entity) === row && either(oneOf(kinds))(value.kind);
}
