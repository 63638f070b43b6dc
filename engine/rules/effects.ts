import { defined } from '../core/plain-object.ts';
import type { DialectName } from '../definition/dialect.ts';
import type { OutputKind } from '../world/outbox.ts';
import type { LastEntities } from '../world/script-memory.ts';
import type { PayloadKey, TriggerType } from '../world/triggers.ts';

/**
 * The effects of operations and rules, in the words of the game. A row declares its effects next to the code that
 * performs them, and everything that reasons about a game (checks, explanations, exploration, editors, prediction)
 * reads these declarations. Tests prove the declarations: test/script/effects and test/rules/effects run each operation
 * and each rule, and compare the changes of the world and the triggers that fired with the declared effects. They also
 * vary the operands, to find out which operand decides which effect, and add wrong declarations, to prove that the
 * tests find them.
 *
 * Members named after a role (`of`, `type`, `at`, `key`, `to` …) contain the key of the operand that has this role. A
 * role without an operand is absent: an effect on a variable without `of` changes a global variable.
 */
export type Effect<K extends string = string> =
  /** Creates or destroys an entity of a kind, or of the kind that the operand `section` names; `of` is its owner. */
  (
    | {
        readonly does: 'creates';
        readonly kind: CreatedKind | undefined;
        readonly section?: K;
        readonly type?: K;
        readonly at?: K;
        readonly of?: K;
      }
    | { readonly does: 'destroys'; readonly of?: K }
    | ({ readonly does: 'changes'; readonly aspect: Aspect } & ChangeRoles<K>)
    /**
     * Runs a list of actions. With `selects`, a kind such as `unit`, the list runs for each element of the group
     * `over`, and the functions that return the current element of this kind return that element.
     */
    | ({ readonly does: 'runs'; readonly block: K; readonly when: RunTime } & RunRoles<K>)
    /**
     * Runs the script with this key. The script belongs to the entity `of`, to the entity whose script is running, or
     * to the game.
     */
    | { readonly does: 'starts'; readonly script: K; readonly of?: K }
    /** Publishes an output event. `to`: the only player who gets it. */
    | { readonly does: 'tells'; readonly output: OutputKind; readonly to?: K }
    /** Fires or queues a trigger. */
    | { readonly does: 'fires'; readonly trigger: TriggerType }
    /**
     * Makes an input of a client or the host possible, such as the choice of a dialogue option. The effects of the
     * input itself are declared by the rule that handles it.
     */
    | { readonly does: 'enables'; readonly input: InputName }
    /** Ends the loop iteration, the loop or the script that contains the operation. */
    | { readonly does: 'leaves'; readonly what: 'iteration' | 'loop' | 'script' }
    | { readonly does: 'ends' }
  ) & {
    /**
     * Set if the effect depends on the state of the game. Without this mark, the effect happens whenever the operands
     * have values.
     */
    readonly may?: true;
    /** The only dialect in which the effect happens; absent if it happens in all. */
    readonly only?: DialectName;
  };

export type CreatedKind = 'unit' | 'item' | 'projectile' | 'player' | 'sensor';

/**
 * When the actions of a block run. `now`: within the operation, once; `again`: within the operation, any number of
 * times; `later`: once, after a delay; `repeatedly`: several times, with delays; `answered`: when the answer to a
 * request arrives.
 */
type RunTime = 'now' | 'again' | 'later' | 'repeatedly' | 'answered';

export type Selection =
  | 'unit'
  | 'item'
  | 'projectile'
  | 'player'
  | 'debris'
  | 'region'
  | 'entity'
  | 'unit type'
  | 'item type'
  | 'element';

/** The kinds of inputs: from players' clients and from the host (`sim/input.ts`). */
type InputName =
  | 'join'
  | 'leave'
  | 'keyDown'
  | 'keyUp'
  | 'releaseKeys'
  | 'mouse'
  | 'absoluteAngle'
  | 'seen'
  | 'chat'
  | 'customInput'
  | 'htmlClick'
  | 'data'
  | 'buyItem'
  | 'buyUnit'
  | 'swapItems'
  | 'dialogueOption'
  | 'adResult'
  | 'coinsResult'
  | 'tradeClick'
  | 'dropItemOnCanvas'
  | 'trade'
  | 'moderate'
  | 'hostModerate'
  | 'announce'
  | 'shutDown'
  | 'httpAnswer'
  | 'host'
  | 'hostValue';

interface RunRoles<K extends string> {
  /** The delay after which the actions run, ms. */
  readonly after?: K;
  /** How many times the actions run. */
  readonly count?: K;
  /** The group: the actions run once for each of its elements. */
  readonly over?: K;
  /** The kind of element that the functions for the current element of a loop return. */
  readonly selects?: Selection;
}

interface ChangeRoles<K extends string> {
  /** The entity or player. */
  readonly of?: K;
  /** The name of the variable or attribute. */
  readonly key?: K;
  /** The new value. */
  readonly to?: K;
  /** The new value, if it is always the same. */
  readonly constant?: boolean;
  /** The last value of a loop counter whose first value is the operand `to`. */
  readonly upTo?: K;
  /**
   * How the new value follows from the operand `to`. The operand replaces the old value (default), is added to it, is
   * subtracted from it, or is the first value of a loop counter (`counting`).
   */
  readonly by?: 'adding' | 'subtracting' | 'counting';
}

/** A part of the state that the value of a function depends on besides its operands. */
export interface Read<K extends string = string> extends ReadRoles<K> {
  readonly aspect: Aspect | Surroundings;
  /** The entity or player; absent if the game as a whole is read, or if it can be any entity. */
  readonly of?: K;
}

interface ReadRoles<K extends string> {
  /** The name of the variable, attribute or quest. */
  readonly key?: K;
  /**
   * For `entities`: the kind of entity. For `element`: the kind of loop. For `payload` and `last`: the member. For
   * `answers`: `clicked` for the last clicked element.
   */
  readonly kind?: ReadKind;
  /** For `entities`: only entities of this type count. */
  readonly type?: K;
  /** For `chance`: the least and the greatest value of a random number. */
  readonly from?: K;
  readonly to?: K;
}

type ReadKind = Selection | PayloadKey | keyof LastEntities | 'computer' | 'clicked';

/** Parts of the state that functions read and that no effect changes directly. */
type Surroundings =
  /** The set of entities that exist. */
  | 'entities'
  /** The entity whose script runs. */
  | 'self'
  /** The payload of the trigger that started the script. */
  | 'payload'
  /** The current element of a loop. */
  | 'element'
  | 'time'
  | 'contacts'
  | 'relation'
  /** A value that the host has set. */
  | 'host';

/** The parts of an entity, a player or the game that can change. */
export type Aspect =
  // Aspects of the game
  | 'variable'
  | 'members'
  | 'last'
  | 'payload'
  | 'tiles'
  | 'admission'
  | 'chance'
  // Aspects of entities
  | 'attribute'
  | 'attributeMin'
  | 'attributeMax'
  | 'attributeRate'
  | 'buffs'
  | 'position'
  | 'angle'
  | 'velocity'
  | 'size'
  | 'state'
  | 'type'
  | 'owner'
  | 'name'
  | 'lifeSpan'
  | 'visibility'
  | 'look'
  // Aspects of units
  | 'direction'
  | 'items'
  | 'slot'
  | 'abilities'
  | 'stun'
  | 'ai'
  | 'aiEnabled'
  | 'aiSettings'
  | 'sensorRadius'
  // Aspects of items and projectiles
  | 'carrier'
  | 'quantity'
  | 'use'
  | 'itemSettings'
  | 'source'
  // Aspects of players
  | 'selectedUnit'
  | 'camera'
  | 'page'
  | 'chat'
  | 'quests'
  | 'trade'
  | 'presence'
  /** The keys that are down, and what the player points at. */
  | 'pointer'
  /** The answers of the client. */
  | 'answers'
  /** Coins and saved data. */
  | 'account'
  | 'score';

/**
 * A change of the world: an aspect changes, an entity of a kind is created or destroyed, or a trigger fires.
 */
export type Consequence =
  | Aspect
  | 'variable of game'
  | `${'creates' | 'destroys'} ${CreatedKind | 'region' | 'debris' | 'wall'}`
  | `fires ${TriggerType}`
  /** An effect of the entity's type: its sounds and images are published, and its script runs. */
  | 'plays effect';

const creation = [
  'fires entityCreatedGlobal',
  'fires entityCreated',
  'fires entityStateChanged',
  'plays effect',
] as const;
const destruction = ['fires initEntityDestroy', 'plays effect'] as const;

/**
 * The direct consequences of each effect; a consequence can have consequences of its own. Only what rules do
 * immediately counts. What they do later, such as regeneration, is declared as an effect of those rules
 * (`rules/world/rules.ts`).
 */
export const implied: { readonly [C in Consequence]?: readonly Consequence[] } = {
  'creates unit': [
    'fires unitSelectsInventorySlot',
    'owner',
    'selectedUnit',
    'last',
    'creates item',
    'creates sensor',
    ...creation,
  ],
  'creates item': ['last', ...creation],
  'creates projectile': ['last', ...creation],
  'creates player': ['fires playerJoinsGame'],
  'destroys unit': ['owner', 'selectedUnit', 'pointer', 'destroys item', 'destroys sensor', ...destruction],
  'destroys item': ['carrier', ...destruction],
  'destroys projectile': destruction,
  'destroys player': ['pointer', 'trade', 'fires playerGetsNewHighscore', 'fires playerLeavesGame'],
  lifeSpan: ['destroys unit', 'destroys item', 'destroys projectile', 'destroys region', 'destroys debris'],
  members: ['variable of game', 'variable'],
  attribute: (['entity', 'unit', 'item', 'projectile', 'player'] as const).flatMap(
    (kind) => [`fires ${kind}AttributeBecomesZero`, `fires ${kind}AttributeBecomesFull`] as const,
  ),
  attributeMin: ['attribute'],
  attributeMax: ['attribute'],
  attributeRate: ['attribute'],
  buffs: ['attribute', 'attributeMax'],
  velocity: ['position'],
  // A held item turns and moves with its unit.
  angle: ['position'],
  direction: ['velocity', 'angle'],
  owner: ['selectedUnit'],
  // Releasing keys stops the walking, the uses of items and the abilities that they started.
  pointer: ['direction', 'use', 'abilities'],
  state: ['size', 'visibility', 'fires entityStateChanged'],
  type: [
    ...(['attributeMin', 'attributeMax', 'attributeRate', 'variable', 'state', 'name', 'buffs'] as const),
    ...(['items', 'creates item', 'abilities', 'aiEnabled', 'aiSettings', 'sensorRadius', 'creates sensor'] as const),
  ],
  items: ['carrier', 'slot', 'quantity', 'fires thisItemChangesInventorySlot', 'fires thisUnitMovesItemInInventory'],
  carrier: [
    ...(['items', 'owner', 'state', 'position', 'buffs', 'use'] as const),
    ...(['fires thisItemIsDropped', 'fires thisUnitDroppedAnItem', 'fires unitDroppedAnItem'] as const),
    ...(['fires thisItemIsPickedUp', 'fires thisUnitPicksUpItem', 'fires unitPicksUpItem'] as const),
  ],
  slot: [
    ...(['use', 'state', 'buffs', 'position', 'fires unitSelectsInventorySlot'] as const),
    ...(['fires thisItemIsSelected', 'fires thisUnitSelectsItem', 'fires unitSelectsItem'] as const),
  ],
  quantity: ['destroys item', 'fires ThisItemsQuantityBecomesZero'],
  use: [
    ...(['quantity', 'last', 'creates projectile'] as const),
    ...(['fires thisItemStartsBeingUsed', 'fires thisUnitStartsUsingAnItem', 'fires unitStartsUsingAnItem'] as const),
    ...(['fires thisItemStopsBeingUsed', 'fires thisUnitStopsUsingAnItem', 'fires unitStopsUsingAnItem'] as const),
  ],
  stun: ['use'],
  ai: [
    ...(['direction', 'use', 'fires unitStartsMoving', 'fires unitStopsMoving'] as const),
    ...(['fires unitAStarPathFindingFailed', 'fires entityAStarPathFindingFailed'] as const),
  ],
  aiEnabled: ['ai'],
  abilities: ['attribute', 'last'],
  tiles: ['creates wall', 'destroys wall', 'position', 'look'],
  presence: ['destroys player'],
  chat: ['fires playerSendsMessage', 'fires playerSendsChatMessage'],
  quests: [
    ...(['fires questAdded', 'fires questRemoved', 'fires questCompleted'] as const),
    ...(['fires questProgressUpdated', 'fires questProgressCompleted'] as const),
  ],
};

/**
 * An effect of the sort `D` that a row declares. `K` is the union of the operand names of its operation, so that a role
 * can only name one of them.
 */
type Of<D extends Effect['does'], K extends string> = Extract<Effect<K>, { readonly does: D }>;

export function creates<K extends string = never>(
  kind: CreatedKind | undefined,
  roles: Omit<Of<'creates', K>, 'does' | 'kind'> = {},
): Effect<NoInfer<K>> {
  return { does: 'creates', kind, ...roles };
}

export function destroys<K extends string = never>(of?: K): Effect<NoInfer<K>> {
  return { does: 'destroys', ...defined({ of }) };
}

export function changes<K extends string = never>(
  aspect: Aspect,
  of?: K,
  roles: ChangeRoles<K> = {},
): Effect<NoInfer<K>> {
  return { does: 'changes', aspect, ...defined({ of }), ...roles };
}

export function runs<K extends string = never>(block: K, when: RunTime, roles: RunRoles<K> = {}): Effect<NoInfer<K>> {
  return { does: 'runs', block, when, ...roles };
}

export function starts<K extends string = never>(script: K, of?: K): Effect<NoInfer<K>> {
  return { does: 'starts', script, ...defined({ of }) };
}

export function tells<K extends string = never>(output: OutputKind, to?: K): Effect<NoInfer<K>> {
  return { does: 'tells', output, ...defined({ to }) };
}

export function fires(...triggers: readonly TriggerType[]): readonly Effect<never>[] {
  return triggers.map((trigger) => ({ does: 'fires', trigger }));
}

export function enables(input: InputName): Effect<never> {
  return { does: 'enables', input };
}

export function leaves(what: 'iteration' | 'loop' | 'script'): Effect<never> {
  return { does: 'leaves', what };
}

export const ends: Effect<never> = { does: 'ends' };

export function reads<K extends string = never>(
  aspect: Read['aspect'],
  of?: K,
  roles: ReadRoles<K> = {},
): Read<NoInfer<K>> {
  return { aspect, ...defined({ of }), ...roles };
}

/** Reads which entities of a kind exist. With `type`, only those of the type that this operand names. */
export function existing<K extends string = never>(kind: ReadKind, type?: K): Read<NoInfer<K>> {
  return { aspect: 'entities', kind, ...defined({ type }) };
}

/** Reads the current element of a loop. */
export function element(kind: Selection): Read<never> {
  return { aspect: 'element', kind };
}

/** Reads a member of the payload of the trigger that started the script. */
export function payload(kind: ReadKind): Read<never> {
  return { aspect: 'payload', kind };
}

/** Draws from a random stream of the simulation. */
export const draws: Effect<never> = { does: 'changes', aspect: 'chance' };

export function may<E extends Effect>(effect: E): E {
  return { ...effect, may: true };
}

export function only<E extends Effect>(name: DialectName, effect: E): E {
  return { ...effect, only: name };
}

/**
 * The subject of an effect of a rule: a kind of entity, or a part of the definition that names a script or contains
 * actions.
 */
export type Party = Selection | 'sensor' | 'ability' | 'effect' | 'dialogue option' | 'timer';

/** Something that the game does without a script. All its effects depend on the state of the game. */
export interface Rule {
  /** The name of the rule, in the words of the game. */
  readonly name: string;
  /**
   * The occasions on which the rule runs. `tick`: in every tick. `contact`: after each physics step, for bodies that
   * begin or cease to touch. The name of an input: when that input is applied.
   */
  readonly when: readonly ('tick' | 'contact' | InputName)[];
  readonly effects: readonly Effect<Party>[];
}

export function rule(
  name: string,
  when: Rule['when'],
  ...effects: readonly (Effect<Party> | readonly Effect<Party>[])[]
): Rule {
  return { name, when, effects: effects.flat() };
}

/** Declares that a rule changes these aspects of entities of a kind. */
export function changesIn(of: Party, ...aspects: readonly Aspect[]): readonly Effect<Party>[] {
  return aspects.map((aspect) => ({ does: 'changes', aspect, of }));
}

/** The effects of a rule that plays one of the effects that a type declares, such as `move` or `attacked`. */
export const playsEffect: readonly Effect<Party>[] = [tells('effect'), starts('effect')];
