import { defined, RandomStream } from '../../engine/core/index.ts';
import type { Definition, Entity, Input, OutputEvent } from '../../engine/index.ts';
import { noEntity, walkingKeys } from '../../engine/tools.ts';
import type { SavedJoinData } from '../store/index.ts';
import type { Habits } from './habits.ts';
import { deviceOf, KeyState } from './key-state.ts';
import { type Goal, Navigator } from './navigator.ts';
import type { PathFinder } from './path-finder.ts';
import { completed, type Phrases } from './phrases.ts';
import { PromptResponder } from './prompt-responder.ts';
import type { Repertoire } from './repertoire.ts';
import type { Surroundings } from './surroundings.ts';

/** Objects that all bots of a game share. */
export interface SharedByBots {
  /** The possible actions of players with units of each type, by unit type index. */
  readonly repertoires: () => readonly Repertoire[];
  /**
   * For each kind of input that does nothing but fire a trigger: whether a script listens to that trigger. If none
   * does, bots do not send such inputs.
   */
  readonly subscribed: {
    readonly trade: boolean;
    readonly canvas: boolean;
    readonly click: boolean;
    readonly data: boolean;
  };
  readonly pathFinder: PathFinder;
  readonly habits: Habits;
  savedData(userId: string): SavedJoinData;
  phrases(): Phrases;
}

/** Factors by which a bot differs from a default bot. */
export interface BotTraits {
  /** How long the bot stays in the game before it leaves for a while. */
  readonly stay: number;
  /** How often the bot writes in the chat. */
  readonly talk: number;
  /** How often the bot presses keys other than those for walking. */
  readonly act: number;
  /** Whether the bot stands still. It then only chats and answers questions. */
  readonly isIdle?: boolean;
}

export const defaultTraits: BotTraits = { stay: 1, talk: 1, act: 1 };

/** When a bot reconsiders, it chooses a new factor for `act`, between 1 / `actMax` and `actMax`. */
const actMax = 4;

const joinSecondsEach = 0.7;
const joinSecondsMax = 5;
/**
 * A goal counts as reached within `reachedPx`. A bot presses no key along an axis if the goal is within `alignedPx` on
 * it.
 */
const reachedPx = 40;
const alignedPx = 10;
/** A bot that walks and moves less than this between two decisions, in pixels, counts as stuck. */
const progressPx = 2;
/** The maximum number of coins that a joining bot has. */
const coinsMax = 10_000;
/**
 * The probability with which a curious bot joins without an account. It is small, because most games with rules for
 * joining restrict guests.
 */
const guestShare = 0.1;
/** The key with which most games drop an item. */
const dropKey = 'g';

function botId(index: number) {
  return `bot${index + 1}`;
}

/** The client ids of the first `count` bots. Expressions use them as names of players. */
export function botIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => botId(index));
}

/** The account of a bot. The second bot is the owner of the game, if the game names one. */
export function accountOf({ defaultData }: Definition, index: number): string {
  return (index === 1 ? defaultData.owner : undefined) ?? botId(index);
}

/**
 * One simulated player, which joins, plays, leaves and comes back. It knows what a player can see, and acts only
 * through inputs.
 */
export class Bot {
  private readonly keys: KeyState;
  private readonly navigator: Navigator;
  private readonly responder: PromptResponder;
  private readonly arrows: boolean;
  /** How often the bot presses keys other than those for walking, as a factor. */
  private act: number;
  /** Every second bot is special: it has a name and roles, and one of them is the owner of the game. */
  private readonly isSpecial: boolean;
  private readonly userId: string;

  private player: Entity = noEntity;
  private unit: Entity = noEntity;
  private unitType = -1;
  private goal: Goal | undefined;
  private lastX = 0;
  private lastY = 0;
  /** The key with which the bot gropes its way, and how far the next point was then. */
  private groping: string | undefined;
  private lastDistance = 0;
  private strayUntilTick = 0;
  private strayX = 0;
  private strayY = 0;
  /** Whether the bot has just selected an item and will try it. */
  private triesItem = false;
  /** The index of the next key to try near an item. */
  private nextKey = 0;

  private joined = false;
  private joinTick: number;
  private leaveTick = Infinity;
  private thinkTick = 0;
  private chatTick = Infinity;
  /** The bot does nothing before this tick. */
  private wakeTick: number;
  private isHeld = false;

  constructor(
    private readonly game: Surroundings,
    private readonly index: number,
    private readonly random: RandomStream,
    private readonly common: SharedByBots,
    private readonly traits: BotTraits = defaultTraits,
    readonly clientId: string = botId(index),
  ) {
    this.act = traits.act;
    this.keys = new KeyState((kind, key) => game.input({ kind, player: this.clientId, key, device: deviceOf(key) }));
    this.navigator = new Navigator(game, random, common.pathFinder, common.habits);
    this.responder = new PromptResponder(game, this.clientId, random, common.phrases, common.habits);
    this.isSpecial = index % 2 === 1;
    this.userId = accountOf(game.definition, index);
    this.arrows = index % 5 === 4;
    // Bots join one after another in the first seconds, like people.
    this.joinTick = game.tick + this.ticks(random.between(0, Math.min(joinSecondsMax, (index + 1) * joinSecondsEach)));
    this.wakeTick = this.joinTick;
  }

  beforeStep(tick: number) {
    if (tick >= this.wakeTick) this.wake(tick);
  }

  /**
   * Releases all keys and does nothing until `free` is called, because a person plays in the bot's place. If the bot
   * had left the game, it joins first.
   */
  hold() {
    this.keys.releaseAll();
    if (!this.joined) this.join(this.game.tick);
    this.wakeTick = Infinity;
    this.isHeld = true;
  }

  /** Lets the bot play on as if it had just joined. */
  free() {
    const { tick } = this.game;
    this.isHeld = false;
    this.responder.clear();
    this.unit = noEntity;
    this.thinkTick = tick + 1;
    this.leaveTick = tick + this.ticks(this.random.between(20, 140) * this.traits.stay);
    this.wakeTick = this.thinkTick;
  }

  /** Copies the bot, in its current state, into a fork of the game. The copy draws from its own random numbers. */
  copyIn(game: Surroundings, random: RandomStream): Bot {
    const copy = new Bot(game, this.index, random, this.common, this.traits, this.clientId);
    const { goal } = this;
    // All members that are not objects are copied; the objects are copied one by one below.
    const state = Object.entries(this).filter(([, value]) => typeof value !== 'object');
    Object.assign(copy, Object.fromEntries(state), { goal: goal && { ...goal, path: [...goal.path] } });
    copy.keys.takeOver(this.keys);
    copy.responder.takeOver(this.responder);
    return copy;
  }

  /** Drops the goal. In its next turn, the bot chooses another one with random numbers from this seed. */
  reconsider(seed: string) {
    const { tick } = this.game;
    this.random.restore(new RandomStream(seed).save());
    this.act = actMax ** this.random.between(-1, 1);
    this.goal = undefined;
    this.strayUntilTick = tick;
    this.thinkTick = tick;
    this.wakeTick = tick;
  }

  /** Whether the bot is in the game and no person plays in its place. */
  get isPlaying(): boolean {
    return this.joined && !this.isHeld;
  }

  receive(event: OutputEvent) {
    if (!this.joined || this.isHeld) return;
    this.responder.receive(event);
    this.wakeTick = Math.min(this.wakeTick, this.responder.answerTick);
  }

  /** Call when the game has refused the join: the bot tries again later. */
  refused() {
    if (!this.isHeld) this.stayAway(this.random.between(5, 10));
  }

  private wake(tick: number) {
    if (!this.joined) {
      this.join(tick);
      return;
    }
    if (tick >= this.leaveTick) {
      this.leave();
      return;
    }
    for (let input = this.responder.takeDue(tick); input !== undefined; input = this.responder.takeDue(tick)) {
      if (input === 'leave') {
        this.leave();
        return;
      }
      this.game.input(input);
    }
    this.keys.releaseDue(tick);
    if (tick >= this.chatTick) this.chat(tick);
    if (tick >= this.thinkTick) {
      this.think(tick);
      this.thinkTick = tick + Math.max(1, this.ticks(this.random.between(0.12, 0.35)));
    }
    this.wakeTick = Math.min(
      this.thinkTick,
      this.chatTick,
      this.leaveTick,
      this.keys.releaseTick,
      this.responder.answerTick,
    );
  }

  private join(tick: number) {
    const { clientId, random } = this;
    const { roles } = this.game.definition;
    const { habits } = this.common;
    const isGuest = habits.isCurious && random.chance(guestShare);
    const { persisted, account } = isGuest ? {} : this.common.savedData(this.userId);
    const usual = this.isSpecial ? random.pick(this.common.phrases().names) : undefined;
    const name = habits.sought(random, habits.interests.phrases.names) ?? usual ?? clientId;
    this.game.input({
      kind: 'join',
      clientId,
      name,
      ...(!isGuest && {
        userId: this.userId,
        roleIds: this.isSpecial ? roles.flatMap(({ _id }) => _id ?? []) : [],
        account: { ...account, coins: random.integer(0, coinsMax), invitedUsers: random.integer(0, 3) },
      }),
      ...defined({ persisted }),
    });
    this.begin(tick);
  }

  /** Lets the bot play for a player who is in the game, or has just joined. */
  begin(tick: number) {
    const { random } = this;
    this.joined = true;
    this.thinkTick = tick + 1;
    this.chatTick = tick + this.ticks(random.between(4, 30) / this.traits.talk);
    this.leaveTick = tick + this.ticks(random.between(20, 140) * this.traits.stay);
    this.wakeTick = this.thinkTick;
  }

  private leave() {
    this.game.input({ kind: 'leave', player: this.clientId });
    this.stayAway(this.random.between(3, 15));
  }

  private stayAway(seconds: number) {
    this.joined = false;
    this.player = noEntity;
    this.unit = noEntity;
    this.goal = undefined;
    this.keys.forget();
    this.responder.clear();
    this.joinTick = this.game.tick + Math.max(1, this.ticks(seconds));
    this.wakeTick = this.joinTick;
  }

  private think(tick: number) {
    const { game } = this;
    if (!game.exists(this.player)) this.player = game.playerOf(this.clientId);
    if (this.player === noEntity || this.traits.isIdle) return;
    if (this.random.chance(0.01)) this.doRareThings();
    const openShop = game.openShop(this.player);
    if (openShop !== undefined && this.random.chance(0.1)) this.responder.buy(openShop);
    const unit = game.selectedUnit(this.player);
    const type = game.is(unit, 'unit') ? game.typeIndex(unit) : -1;
    if (unit !== this.unit || type !== this.unitType) {
      this.keys.releaseAll();
      this.goal = undefined;
      this.unit = unit;
      this.unitType = type;
    }
    const repertoire = this.common.repertoires()[type];
    if (repertoire === undefined) return;
    const goal = this.goal !== undefined && this.navigator.follow(this.goal) ? this.goal : this.navigator.choose(unit);
    const near = this.go(tick, unit, repertoire, goal);
    if (this.random.chance(0.6)) this.point(unit, repertoire, goal);
    this.useKeys(tick, unit, repertoire, goal, near);
    // A goal that is a place ends when the bot has reached it; a goal that is an entity ends only when its time is
    // over.
    this.goal = near && goal.entity === noEntity ? undefined : goal;
    if (repertoire.carried > 1 && this.random.chance(0.005)) this.swap(repertoire.carried);
  }

  /** Steers towards the goal; returns true when it is reached. */
  private go(tick: number, unit: Entity, { movement, keys }: Repertoire, goal: Goal) {
    const x = this.game.x(unit);
    const y = this.game.y(unit);
    const dx = goal.x - x;
    const dy = goal.y - y;
    const near = dx * dx + dy * dy < reachedPx * reachedPx;
    const moved = Math.abs(x - this.lastX) + Math.abs(y - this.lastY);
    this.lastX = x;
    this.lastY = y;
    if (movement === 'none' || movement === 'mouse') {
      if (movement === 'none' && !near && this.common.habits.isCurious) this.grope(tick, unit, keys, goal);
      return near;
    }
    if (!near && moved < progressPx && tick >= this.strayUntilTick && this.random.chance(0.5)) {
      this.strayX = this.random.integer(-1, 1);
      this.strayY = this.random.integer(-1, 1);
      this.strayUntilTick = tick + this.ticks(this.random.between(0.3, 1));
    }
    const stray = tick < this.strayUntilTick;
    const next = this.navigator.next(unit, goal);
    const aimX = stray ? this.strayX : near ? 0 : direction(next.x - x);
    const aimY = stray ? this.strayY : near ? 0 : direction(next.y - y);
    this.keys.steer(aimX, movement === 'horizontal' ? 0 : aimY, this.arrows);
    return near;
  }

  /**
   * Walks with a unit that scripts move, by keys whose effect is unknown: holds a key as long as the unit comes nearer
   * to the goal, and then another one.
   */
  private grope(tick: number, unit: Entity, keys: readonly string[], goal: Goal) {
    const { x, y } = this.navigator.next(unit, goal);
    const distance = Math.hypot(x - this.lastX, y - this.lastY);
    if (distance > this.lastDistance - progressPx)
      this.groping = this.random.pick(keys.filter((key) => walkingKeys.has(key)));
    this.lastDistance = distance;
    if (this.groping !== undefined) this.keys.press(this.groping, tick + this.ticks(0.4));
  }

  private point(unit: Entity, { movement }: Repertoire, goal: Goal) {
    const aims = movement === 'mouse' || this.random.chance(0.7);
    const spread = aims ? 20 : 300;
    const x = (aims ? goal.x : this.game.x(unit)) + this.random.between(-spread, spread);
    const y = (aims ? goal.y : this.game.y(unit)) + this.random.between(-spread, spread);
    this.game.input({ kind: 'mouse', player: this.clientId, x, y });
  }

  /**
   * Presses keys. Near an item, the bot tries all keys in turn, because one of them may pick it up; elsewhere, it
   * presses random keys, mostly the mouse button.
   */
  private useKeys(tick: number, unit: Entity, { keys, slots }: Repertoire, goal: Goal, near: boolean) {
    const { random } = this;
    const { habits } = this.common;
    const soughtKeys = keys.filter((key) => habits.interests.keys.has(key));
    const soughtKey = habits.sought(random, soughtKeys);
    if (this.triesItem) {
      // Uses the item that was just selected; if a purchase failed for lack of room, drops the item instead.
      this.triesItem = false;
      const key = this.responder.isFull && keys.includes(dropKey) ? dropKey : 'button1';
      this.responder.isFull = false;
      this.keys.press(key, tick + this.ticks(random.between(0.1, 1)));
    } else if (slots > 0 && random.chance(0.08)) {
      this.takeInHand(tick, unit, slots);
    } else if (goal.kind === 'item' && near && keys.length > 0) {
      this.nextKey = (this.nextKey + 1) % keys.length;
      this.keys.press(keys[this.nextKey]!, tick + this.ticks(random.between(0.05, 0.2)));
    } else if (soughtKey !== undefined && random.chance(0.2 * this.act)) {
      this.keys.press(soughtKey, tick + this.ticks(random.between(0.05, 0.4)));
    } else if (random.chance((goal.kind === 'unit' ? 0.25 : 0.06) * this.act)) {
      this.keys.press('button1', tick + this.ticks(random.between(0.1, 1.5)));
    } else if (keys.length > 0 && random.chance(0.1 * this.act)) {
      const key = random.pick(keys)!;
      this.keys.press(key, tick + this.ticks(random.between(0.05, 0.4)));
    } else if (slots > 0 && random.chance(0.04)) {
      this.keys.press(String(random.integer(1, slots)), tick + this.ticks(0.1));
    }
  }

  /** Selects a slot that contains an item. */
  private takeInHand(tick: number, unit: Entity, slots: number) {
    const full: number[] = [];
    for (let slot = 0; slot < slots; slot++) if (this.game.isFull(unit, slot)) full.push(slot + 1);
    const digit = this.random.pick(full);
    if (digit === undefined) return;
    this.keys.press(String(digit), tick + 1);
    this.triesItem = true;
  }

  /** Inputs that players send occasionally, with or without a unit. */
  private doRareThings() {
    const { clientId: player, random, game } = this;
    const { subscribed } = this.common;
    if (subscribed.click) game.input({ kind: 'htmlClick', player, element: { id: this.responder.element() } });
    if (subscribed.data) game.input({ kind: 'data', player, data: { value: random.integer(0, 9) } });
    if (subscribed.trade) this.withSome('unit', (id) => ({ kind: 'tradeClick', player, withUnit: id }));
    if (subscribed.canvas) this.withSome('item', (id) => ({ kind: 'dropItemOnCanvas', player, item: id }));
  }

  private withSome(kind: 'unit' | 'item', input: (id: string) => Input) {
    const entity = this.random.pick(this.game.all(kind));
    const id = entity === undefined ? undefined : this.game.idOf(entity);
    if (id !== undefined) this.game.input(input(id));
  }

  private swap(slots: number) {
    const from = this.random.integer(0, slots - 1);
    const to = this.random.integer(0, slots - 1);
    if (from !== to) this.game.input({ kind: 'swapItems', player: this.clientId, from, to });
  }

  private chat(tick: number) {
    const { random } = this;
    const { habits } = this.common;
    const sought = [...habits.interests.phrases.talk, ...habits.interests.phrases.commands];
    const { talk, commands } = this.common.phrases();
    const text = habits.sought(random, sought) ?? random.pick(random.chance(0.4) ? commands : talk)!;
    this.game.input({ kind: 'chat', player: this.clientId, text: completed(text, random) });
    const [least, most] = sought.length > 0 ? [2, 10] : [8, 40];
    this.chatTick = tick + this.ticks(random.between(least, most) / this.traits.talk);
  }

  private ticks(seconds: number) {
    return Math.round(seconds * this.game.rate);
  }
}

function direction(distance: number) {
  return distance > alignedPx ? 1 : distance < -alignedPx ? -1 : 0;
}
