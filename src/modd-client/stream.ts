import { cached } from '../../engine/core/index.ts';
import { dialectNamed, type Entity, type OutputEvent, type Simulation } from '../../engine/index.ts';
import {
  type Internals,
  internalsOf,
  Kind,
  mapJson,
  noEntity,
  quantityPerUse,
  rowOf,
  typeOf,
  type World,
} from '../../engine/tools.ts';
import { cleanCss, type StyleHosts } from '../html/index.ts';
import { cleanHtml, never } from '../net/index.ts';
import { type Element, element, elementOfJson, frameOf, positionElement, timeElement } from './frames.ts';
import { idOf, labelOf, type ShownClass, shownClasses, wireId } from './members.ts';
import { type Translation, translate } from './outputs.ts';
import { RepeatFilter } from './repeat-filter.ts';
import { kindOf, SentTypes, ShownEntity, shownIdOf } from './shown.ts';

/** The events of a tick by recipient: everybody, or players by client id. */
export interface TickEvents {
  readonly forAll: readonly OutputEvent[];
  readonly forPlayers: ReadonlyMap<string, readonly OutputEvent[]>;
}

/** The data that an `EntityStream` needs about the time of its room, and about the time before the room was resumed. */
export interface RoomPlay {
  /** The time of the newest tick, ms. It is monotonic, also across resumptions of the room. */
  timeMs(): number;
  /**
   * Players that have left but that clients may still show, because they were present before the room was resumed, or
   * in ticks that were lost.
   */
  readonly formerPlayers?: readonly string[];
  /**
   * How many entities of each kind had been created when the room was resumed; omitted for a new room. For a client
   * that was connected before, an id with a number up to this one means the same entity as it does now.
   */
  readonly madeBefore?: ArrayLike<number>;
}

export class EntityClient {
  /**
   * The data that the client needs: `everything` for a new client, `sinceThen` for one that reconnected, `changes` once
   * it has received either.
   */
  needs: 'everything' | 'sinceThen' | 'changes';
  /** Whether the player has closed the menu and the client waits for an answer. */
  hasClosedMenu = false;
  coins = 0;
  camera: string | undefined;

  constructor(
    readonly player: string,
    /** The frame whose state the client has; `never` if it has none or the frame is unknown. */
    public known: number,
    isBack: boolean,
    readonly repeats: RepeatFilter,
  ) {
    this.needs = isBack ? 'sinceThen' : 'everything';
  }
}

/** The messages of the last seconds before a connection was lost may not have been delivered. */
const undeliveredSeconds = 40;
/** A repeated event is sent again after a pause of this length. */
const pauseSeconds = 1;
/** How many destroyed entities are remembered for clients that reconnect. */
const destroyedMax = 4096;
/** How many players are remembered after their connection was lost. */
const lostMax = 1024;
/**
 * If it is unknown which entities a client has, the client is assumed to have entities with all ids up to this far
 * before and after the newest one of each kind.
 */
const guessedMax = 256;

/** Order of the updates in a frame: items before the units that carry them, and players, who select units, last. */
const updateOrder: readonly ShownClass[] = ['Region', 'Projectile', 'Item', 'Unit', 'Player'];
/** The letters of ids that end in a serial number, with the kinds of entities. */
const numbered = { u: Kind.unit, i: Kind.item, b: Kind.projectile } as const;

/** The changed members by entity id, as JSON. */
type Changes = Map<string, string[]>;

/**
 * Encodes the state of a room for clients of the original engine. After each step, `frames` yields what each client
 * lacks: everything for a new client; for the others, the changes together with the broadcasts, in one frame that is
 * encoded once for all. Messages to a single client follow in a separate frame.
 */
export class EntityStream {
  private readonly inside: Internals;
  private readonly world: World;
  private readonly types: SentTypes;
  private readonly madeBefore: ArrayLike<number>;
  private readonly undeliveredTicks: number;
  private readonly pauseTicks: number;
  /** Suppresses repeated broadcasts. */
  private readonly repeats: RepeatFilter;
  private readonly clients = new Set<EntityClient>();
  private readonly byRow: (ShownEntity | undefined)[] = [];
  private readonly byId = new Map<string, ShownEntity>();
  private readonly byClass: Readonly<Record<ShownClass, ShownEntity[]>> = {
    Player: [],
    Unit: [],
    Item: [],
    Projectile: [],
    Region: [],
  };
  private readonly destroyed: { readonly id: string; readonly frame: number }[] = [];
  /** For each player with a lost connection: the newest frame that the client has certainly received. */
  private readonly lost = new Map<string, number>();
  /** The text in each area of the screen, if it is the same for everybody. */
  private readonly texts = new Map<string, unknown>();
  /** Appearance changes that only one player sees, as JSON, by player, unit and subject. */
  private readonly ownLooks = new Map<Entity, Map<string, Map<string, string>>>();
  private framedTick = never;
  /** Whether a client with an unknown state has reconnected. */
  private hasReturned = false;
  private timeMs = 0;
  private readonly tickMs: number;
  /** The lag of the room's clock behind its ticks, ms. */
  private lagMs = 0;

  /** `styleHosts`: the hosts from which styles may load files. */
  constructor(
    sim: Simulation,
    private readonly play: RoomPlay,
    private readonly styleHosts: StyleHosts = [],
  ) {
    this.inside = internalsOf(sim);
    this.world = this.inside.world;
    this.types = new SentTypes(this.inside, dialectNamed(sim.dialect).regeneratesPerSecond);
    this.madeBefore = play.madeBefore ?? [];
    this.tickMs = 1000 / sim.rate;
    this.undeliveredTicks = Math.round(undeliveredSeconds * sim.rate);
    this.pauseTicks = Math.round(pauseSeconds * sim.rate);
    this.repeats = new RepeatFilter(this.pauseTicks);
  }

  /**
   * Adds a client. `player` is the client id of its player, who may join later. `isBack`: the client reconnects, and
   * still shows an old state of the room.
   */
  add(player: string, isBack = false): EntityClient {
    const known = isBack ? (this.lost.get(player) ?? never) : never;
    const client = new EntityClient(player, known, isBack, new RepeatFilter(this.pauseTicks));
    // The filter is cleared, because the new client has not received the events that the other clients have received.
    this.repeats.clear();
    this.hasReturned ||= isBack && client.known === never;
    this.lost.delete(player);
    this.clients.add(client);
    return client;
  }

  remove(client: EntityClient) {
    if (!this.clients.delete(client) || client.known === never) return;
    if (this.lost.size >= lostMax) this.lost.clear();
    this.lost.set(client.player, Math.max(0, client.known - this.undeliveredTicks));
  }

  /**
   * Handles the request of a client whose player has closed the menu. (Clients of this protocol do not acknowledge
   * frames.)
   */
  acknowledge(client: EntityClient) {
    client.hasClosedMenu = true;
  }

  /**
   * Yields the messages of a tick. Call it once after each step, with the events of that step. Clients that receive the
   * same message share a buffer, which is never reused.
   */
  *frames({ forAll, forPlayers }: TickEvents): IterableIterator<readonly [EntityClient, Uint8Array]> {
    const frame = this.world.clock.tick;
    if (frame === this.framedTick) return;
    this.recordOwnLooks(forAll, forPlayers);
    if (this.clients.size === 0) return;
    this.framedTick = frame;
    const translation = translate(
      forAll.filter((event) => this.showsAnything(event, frame)),
      this.inside,
      this.styleHosts,
    );
    const { elements, positions } = this.update(frame, translation);
    const time = timeElement(this.time(frame));
    const broadcast = [...elements, ...translation.elements, ...positions, ...(positions.length > 0 ? [time] : [])];
    let shared: Uint8Array | undefined;
    let whole: Uint8Array | undefined;
    const clients = [...this.clients];
    // The end of a trade is sent before any player is destroyed, because a client fails at the end of a trade with a
    // player that it no longer knows.
    for (const client of clients) {
      const ends = client.needs === 'changes' ? (forPlayers.get(client.player)?.filter(isEndOfTrade) ?? []) : [];
      if (ends.length > 0) yield [client, frameOf(translate(ends, this.inside, this.styleHosts).elements)];
    }
    for (const client of clients) {
      if (client.needs === 'sinceThen') {
        yield [client, frameOf([...this.sinceThen(client), ...translation.elements, time])];
      } else if (client.needs === 'everything') {
        whole ??= frameOf([...this.everything(), ...translation.elements, time]);
        yield [client, whole];
      } else if (broadcast.length > 0) {
        shared ??= frameOf(broadcast);
        yield [client, shared];
      }
    }
    for (const events of forPlayers.values()) this.forgetTexts(events);
    // Messages for single players are sent after the broadcasts, because a client must have a unit before it can select
    // it.
    for (const client of clients) {
      const isSent = client.needs === 'changes' ? isEndOfTrade : () => false;
      const rest =
        forPlayers.get(client.player)?.filter((event) => !isSent(event) && this.isNewsTo(client, event)) ?? [];
      const own = this.ownElements(client, rest, translation.isMapReplaced);
      client.known = frame;
      client.needs = 'changes';
      if (own.length > 0) yield [client, frameOf(own)];
    }
  }

  /**
   * The time to send with a frame, ms. Clients interpolate by it, so small irregularities of the room clock are
   * smoothed: the lag is a multiple of the tick, and changes only when the clock deviates by a whole tick.
   */
  private time(frame: number) {
    const due = frame * this.tickMs;
    const lag = this.play.timeMs() - due;
    if (Math.abs(lag - this.lagMs) >= this.tickMs) this.lagMs = Math.round(lag / this.tickMs) * this.tickMs;
    this.timeMs = Math.max(this.timeMs + 1, Math.round(due + this.lagMs));
    return this.timeMs;
  }

  /**
   * Whether a broadcast would change what clients show or play. False for repeated texts, and for effects that are
   * neither visible nor audible.
   */
  private showsAnything(event: OutputEvent, frame: number) {
    if (event.kind === 'effect') return this.isPerceptible(event);
    if (event.kind !== 'ui.text') {
      const isNews = this.repeats.isNews(event, frame);
      if (isNews) for (const { repeats } of this.clients) repeats.forget(event);
      return isNews;
    }
    for (const { repeats } of this.clients) repeats.forget(event);
    const target = String(event.target);
    const isPlain = event.op === 'update';
    const isKnown = isPlain && this.texts.get(target) === event.value;
    if (isPlain) this.texts.set(target, event.value);
    else this.texts.delete(target);
    return !isKnown;
  }

  private isNewsTo({ repeats }: EntityClient, event: OutputEvent) {
    const isNews = repeats.isNews(event, this.framedTick);
    if (isNews) this.repeats.forget(event);
    return isNews;
  }

  /** Whether an effect is visible or audible. True for entities that are new in this tick. */
  private isPerceptible({ entityId, effect }: OutputEvent<'effect'>) {
    const shown = typeof entityId === 'string' ? this.byId.get(wireId(entityId)) : undefined;
    const type = shown && typeOf(this.world, shown.entity);
    return type === undefined || this.types.of(type).effects.has(String(effect));
  }

  /**
   * Records appearance changes for single players, because the engine's state does not contain them and reloaded pages
   * need them.
   */
  private recordOwnLooks(forAll: TickEvents['forAll'], forPlayers: TickEvents['forPlayers']) {
    for (const event of forAll) {
      const [unit, look] = lookOf(event) ?? [];
      if (unit !== undefined) for (const looks of this.ownLooks.values()) looks.get(unit)?.delete(look!);
    }
    for (const [clientId, events] of forPlayers) {
      for (const event of events) {
        const [unit, look] = lookOf(event) ?? [];
        const player = unit === undefined ? noEntity : this.world.playerOf(clientId);
        if (unit === undefined || player === noEntity) continue;
        const looks = cached(this.ownLooks, player, () => new Map<string, Map<string, string>>());
        const own = cached(looks, unit, () => new Map<string, string>());
        for (const [member, json] of translate([event], this.inside, this.styleHosts).updates.get(unit) ?? []) {
          own.set(look!, `"${member}":${json}`);
        }
      }
    }
  }

  /** Records that texts sent to a single player are no longer the same for everybody. */
  private forgetTexts(events: readonly OutputEvent[]) {
    for (const event of events) {
      if (event.kind !== 'ui.text') continue;
      const target = String(event.target);
      if (event.op !== 'update' || event.value !== this.texts.get(target)) this.texts.delete(target);
    }
  }

  /** Reads the state after a tick and returns its changes. */
  private update(frame: number, translation: Translation) {
    const { inside, world } = this;
    const created: Element[] = [];
    const positions: Element[] = [];
    const changes: Changes = new Map();
    this.resendPrices(frame);
    for (const shownClass of shownClasses) {
      for (const entity of world.lists[kindOf[shownClass]]!.entries) {
        if (!world.exists(entity)) continue;
        const shown = this.byRow[rowOf(entity)];
        if (shown === undefined || shown.entity !== entity) {
          const element = this.show(shownClass, entity, frame, created);
          created.push(elementOfJson('_taroStreamCreate', element.created(inside)));
          const rest = element.updatesAfterCreation(inside);
          if (rest.length > 0) changes.set(element.id, rest);
          continue;
        }
        shown.foundAt = frame;
        if (shown.update(inside, this.types, frame)) {
          const change = shown.changes(frame - 1);
          if (change.length > 0) changes.set(shown.id, change);
        }
        const moved = shown.move(inside, frame);
        const jumped = translation.jumps.get(shown.id);
        if (moved === undefined && (jumped === undefined || !shown.isPlaced)) continue;
        const isJump = moved === 'jumped' || jumped !== undefined;
        positions.push(positionElement(shown.id, shown.x, shown.y, shown.angle, isJump, jumped === true));
      }
    }
    const destroys = this.sweep(frame);
    this.addUpdates(changes, translation);
    return { elements: [...created, ...this.updateElements(changes), ...destroys], positions };
  }

  /**
   * Resends the quantities and attributes that the use of items consumes. Clients deduct them by themselves and may
   * count one use too many; the error would remain until the next change.
   */
  private resendPrices(frame: number) {
    const { world } = this;
    const { identity } = world.components;
    for (const item of this.byClass.Item) {
      if (!world.exists(item.entity) || !item.mustResendPrices(this.inside, frame)) continue;
      const definition = world.types.item.at(identity.type[item.row]!)?.definition;
      // The quantity is sent only if uses consume it, because clients show every quantity that they receive on the
      // slot, even if the definition hides it.
      if (definition !== undefined && quantityPerUse(definition) > 0) item.resendMember('quantity', frame);
      const cost = definition?.cost;
      const unit = this.shownOf(identity.owner[item.row]!);
      if (cost === undefined || unit === undefined) continue;
      for (const key of cost.unitAttributes.keys()) unit.resendAttribute(key, frame);
      const player = this.shownOf(identity.owner[unit.row]!);
      for (const key of cost.playerAttributes.keys()) player?.resendAttribute(key, frame);
    }
  }

  private shownOf(entity: Entity) {
    const shown = this.world.exists(entity) ? this.byRow[rowOf(entity)] : undefined;
    return shown?.entity === entity ? shown : undefined;
  }

  private show(shownClass: ShownClass, entity: Entity, frame: number, elements: Element[]) {
    const shown = new ShownEntity(shownClass, entity, shownIdOf(this.inside, entity), frame);
    // Clients ignore the creation of an entity that they already have, so an older entity with this id is destroyed
    // first. There is one if a guest leaves and joins again between two frames, or if a client has seen another player
    // with this id in ticks that were lost.
    const isKnown = this.byId.has(shown.id);
    const isDoubtful = shownClass === 'Player' && this.hasReturned && !this.isLasting(shown.row);
    if (isKnown || isDoubtful) elements.push(destroyElement(shown.id));
    shown.initialize(this.inside, this.types);
    // The row may have been given to another entity between two frames.
    const before = this.byRow[shown.row];
    if (before !== undefined) before.foundAt = never;
    this.byRow[shown.row] = shown;
    this.byId.set(shown.id, shown);
    this.byClass[shownClass].push(shown);
    return shown;
  }

  /**
   * Adds events that are sent as updates. Those of destroyed entities are dropped, because clients would keep them
   * forever.
   */
  private addUpdates(changes: Changes, { updates }: Translation) {
    for (const [id, members] of updates) {
      if (!this.byId.has(id)) continue;
      const change = cached(changes, id, () => []);
      for (const [member, json] of members) change.push(`"${member}":${json}`);
    }
  }

  private updateElements(changes: Changes) {
    if (changes.size === 0) return [];
    const rank = ([id]: readonly [string, string[]]) => updateOrder.indexOf(this.byId.get(id)!.shownClass);
    const ordered = [...changes].sort((a, b) => rank(a) - rank(b));
    const json = ordered.map(([id, members]) => `${JSON.stringify(id)}:{${members.join(',')}}`);
    return [elementOfJson('streamUpdateData', `{${json.join(',')}}`)];
  }

  /** Removes the entities that no longer exist. Returns the elements that destroy them. */
  private sweep(frame: number) {
    const elements: Element[] = [];
    for (const shownClass of shownClasses) {
      const list = this.byClass[shownClass];
      let kept = 0;
      for (const shown of list) {
        if (shown.foundAt === frame) {
          list[kept++] = shown;
          continue;
        }
        if (this.byRow[shown.row] === shown) this.byRow[shown.row] = undefined;
        const isReplaced = this.byId.get(shown.id) !== shown;
        if (!isReplaced) this.byId.delete(shown.id);
        if (shownClass === 'Player') this.ownLooks.delete(shown.entity);
        if (shownClass === 'Unit') for (const looks of this.ownLooks.values()) looks.delete(shown.id);
        this.destroyed.push({ id: shown.id, frame });
        if (!isReplaced) elements.push(destroyElement(shown.id));
      }
      list.length = kept;
    }
    if (this.destroyed.length > destroyedMax) this.destroyed.splice(0, this.destroyed.length - destroyedMax);
    return elements;
  }

  private get all() {
    return shownClasses.flatMap((shownClass) => this.byClass[shownClass]);
  }

  /** The full state, for a new client. */
  private everything(known = never) {
    const rest: Changes = new Map();
    const created = this.all.map((shown) => {
      const more = shown.updatesAfterCreation(this.inside, known);
      if (more.length > 0) rest.set(shown.id, more);
      return elementOfJson('_taroStreamCreate', shown.created(this.inside));
    });
    return [...created, ...this.updateElements(rest), ...this.layerElements()];
  }

  /**
   * The elements that a reconnected client lacks. All entities are created again, because the client ignores the
   * creation of those that it has. The changes since the frame that the client knows follow.
   */
  private sinceThen({ known, player }: EntityClient) {
    const gone =
      known === never ? this.doubtful(player) : this.destroyed.filter(({ frame }) => frame > known).map(({ id }) => id);
    const isGone = new Set(gone);
    const changes: Changes = new Map();
    const positions: Element[] = [];
    for (const shown of this.all) {
      if (isGone.has(shown.id)) continue;
      const change = shown.changes(known);
      if (change.length > 0) changes.set(shown.id, change);
      if (shown.isPlaced) positions.push(positionElement(shown.id, shown.x, shown.y, shown.angle, true));
    }
    const texts = [...this.world.shown.uiTexts].map(([target, value]) =>
      element('updateUiText', { target, value: cleanHtml(value, this.styleHosts) }),
    );
    return [
      ...gone.map(destroyElement),
      ...this.everything(known),
      ...this.updateElements(changes),
      ...texts,
      ...positions,
    ];
  }

  /**
   * The ids that may have another meaning for a reconnected client whose state is unknown, because the client may use
   * them for other entities, or for entities that no longer exist. These are the ids of other players, ids given since
   * the room was resumed, and ids given only in ticks that were lost.
   */
  private doubtful(own: string) {
    const present = this.all.filter(
      (shown) => shown.shownClass !== 'Region' && shown.id !== wireId(own) && !this.isKnown(shown),
    );
    const newest = Object.entries(numbered).flatMap(([letter, kind]) => {
      const made = this.world.made[kind]!;
      const first = Math.max(1, made + 1 - guessedMax);
      return Array.from({ length: made + guessedMax + 1 - first }, (_, i) => wireId(`${letter}${first + i}`));
    });
    const guessed = [...newest, ...(this.play.formerPlayers ?? []).map(wireId)];
    return [...present.map(({ id }) => id), ...guessed.filter((id) => !this.byId.has(id))];
  }

  /**
   * Whether an entity existed before the room was resumed, under an id with a serial number. Such an id means the same
   * entity to every client.
   */
  private isKnown({ id, shownClass, row }: ShownEntity) {
    if (shownClass === 'Player') return this.isLasting(row);
    const [, letter, number] = /^([a-z])(\d+)$/.exec(labelOf(id)) ?? [];
    const kind = kindOf[shownClass];
    return numbered[letter as keyof typeof numbered] === kind && Number(number) <= (this.madeBefore[kind] ?? 0);
  }

  /**
   * Whether a player certainly existed before the room was resumed: computer players are created only at the start of a
   * game.
   */
  private isLasting(row: number) {
    return this.madeBefore.length > 0 && this.world.components.player[row]!.controlledBy === 'computer';
  }

  /** The opacity of layers, if scripts have changed it. */
  private layerElements() {
    const { map } = this.world;
    return map.layers.flatMap(({ opacity }, layer) =>
      opacity === undefined || opacity === map.source?.layers[layer]?.opacity
        ? []
        : [element('changeLayerOpacity', { layer, opacity })],
    );
  }

  private isMapChanged() {
    const { map, definition } = this.world;
    return map.source !== definition.map || map.layers.some(({ isEdited }) => isEdited);
  }

  /** The elements that only one client receives. */
  private ownElements(client: EntityClient, events: readonly OutputEvent[], isMapReplaced: boolean) {
    const { world } = this;
    const translation = translate(events, this.inside, this.styleHosts);
    const player = this.world.playerOf(client.player);
    if (player === noEntity) return translation.elements;
    const c = world.components;
    const row = rowOf(player);
    const isNew = client.needs !== 'changes';
    const own: string[] = [];
    if (isNew) own.push(`"selectedUnitId":${JSON.stringify(idOf(world, c.ownedUnits[row]!.selected))}`);
    const camera = idOf(world, c.camera[row]!) ?? 'no_unit';
    if (camera !== client.camera) own.push(`"cameraTrackedUnitId":${JSON.stringify(camera)}`);
    client.camera = camera;
    const { coins } = c.wallet[row]!;
    if (coins !== client.coins && Number.isFinite(coins)) own.push(`"coins":${coins}`);
    client.coins = coins;
    if (isMapReplaced || (isNew && this.isMapChanged())) own.push(`"mapData":${editedMap(world)}`);
    const quests = c.quests[row];
    if (isNew && quests !== undefined && quests.size > 0)
      own.push(`"quests":${JSON.stringify(Object.fromEntries(quests))}`);
    if (client.needs === 'everything') own.push('"playerJoined":true');
    if (client.hasClosedMenu) own.push('"playerJoinedAgain":true');
    client.hasClosedMenu = false;
    const changes: Changes = new Map();
    const selected = isNew ? this.shownOf(c.ownedUnits[row]!.selected) : undefined;
    // Without this update, clients do not show the name of the held item: they show it when the slot of the selected
    // unit is updated.
    if (selected !== undefined)
      changes.set(selected.id, [`"currentItemIndex":${c.inventory[selected.row]!.currentSlot}`]);
    for (const shown of this.all) {
      if (shown.sent?.hasOwn !== true || this.ownerOf(shown) !== player) continue;
      const change = shown.ownChanges(client.known);
      if (change.length > 0) changes.set(shown.id, [...(changes.get(shown.id) ?? []), ...change]);
    }
    for (const [unit, looks] of isNew ? (this.ownLooks.get(player) ?? []) : []) {
      if (looks.size > 0 && this.byId.has(unit)) changes.set(unit, [...(changes.get(unit) ?? []), ...looks.values()]);
    }
    const id = idOf(world, player)!;
    if (own.length > 0) changes.set(id, [...(changes.get(id) ?? []), ...own]);
    this.addUpdates(changes, translation);
    const first: Element[] = [];
    const css = cleanCss(c.page[row]?.css ?? '', this.styleHosts);
    if (isNew && css !== '') {
      first.push(element('updateUiRealtimeCSS', { action: 'update', style: css }));
    }
    if (client.needs === 'everything') first.push(element('taroChatJoinRoom', { roomId: '1', joined: true }));
    return [...first, ...this.updateElements(changes), ...translation.elements];
  }

  /** The player that owns an entity, directly or through the unit that carries it. */
  private ownerOf({ shownClass, entity, row }: ShownEntity) {
    const { owner } = this.world.components.identity;
    if (shownClass === 'Player') return entity;
    if (shownClass === 'Unit') return owner[row]!;
    const carrier = owner[row]!;
    return shownClass === 'Item' && this.world.exists(carrier) ? owner[rowOf(carrier)]! : noEntity;
  }
}

/**
 * The unit whose appearance an event changes, and the subject of the change; undefined for other events. A later event
 * about the same subject replaces the change.
 */
function lookOf(event: OutputEvent): readonly [unit: string, look: string] | undefined {
  if ((event.kind !== 'entity.visibility' && event.kind !== 'entity.label') || event.unitId === undefined)
    return undefined;
  const unit = wireId(event.unitId);
  if (event.kind === 'entity.visibility') return [unit, 'sight'];
  return [unit, event.op === 'color' ? 'color' : 'label'];
}

function isEndOfTrade(event: OutputEvent) {
  return event.kind === 'trade' && (event.op === 'cancel' || event.op === 'success');
}

/** The element that destroys an entity. Its first value is a time, which clients ignore. */
function destroyElement(id: string) {
  return element('_taroStreamDestroy', [0, id]);
}

/** The current map, with the flag that makes clients replace their own map. */
function editedMap(world: World) {
  return mapJson(world.map).replace(/^\{/, '{"wasEdited":true,');
}
