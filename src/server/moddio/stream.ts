import { dialectNamed, type Entity, type OutputEvent, type Simulation } from '../../../engine/index.ts';
import { type Inside, insideOf, Kind, mapJson, noEntity, rowOf, typeOf, type World } from '../../../engine/internal.ts';
import { cleanCss, type StyleHosts } from '../../text/css.ts';
import { cleanHtml } from '../../text/html.ts';
import { never } from '../protocol/value-track.ts';
import { type Element, element, elementOfJson, frameOf, placeElement, timeElement } from './frames.ts';
import { idOf, labelOf, type ShownClass, shownClasses, wireId } from './members.ts';
import { type Translation, translate } from './outputs.ts';
import { Repeats } from './repeats.ts';
import { kindOf, SentTypes, Shown, shownIdOf } from './shown.ts';

/** The events that a tick has published, by receiver: all, or players by client id. */
export interface TickEvents {
  readonly forAll: readonly OutputEvent[];
  readonly forPlayers: ReadonlyMap<string, readonly OutputEvent[]>;
}

/** A room since it was opened or resumed in this process. */
export interface RoomPlay {
  /** Time of the newest tick, ms, by a steady clock: in no play of the room was there a later one before. */
  timeMs(): number;
  /** Players that are gone, and that pages may still show: they were there before the room was resumed, or in ticks that were lost. */
  readonly formerPlayers: readonly string[];
  /** How many of each kind had been made when the room was resumed: those with such numbers are what pages show by them. None for a new room. */
  readonly madeBefore?: ArrayLike<number>;
}

export class EntityClient {
  readonly player: string;
  /** The frame whose state it has; `never` for none that anybody knows of. */
  known: number;
  /** `everything` for a new client, `sinceThen` for a page that lost its connection, `changes` once it has been given that. */
  needs: 'everything' | 'sinceThen' | 'changes';
  /** It has closed its menu again. */
  isAgain = false;
  coins = 0;
  camera: string | undefined;
  readonly repeats: Repeats;

  constructor(player: string, known: number, isBack: boolean, repeats: Repeats) {
    this.player = player;
    this.repeats = repeats;
    this.known = known;
    this.needs = isBack ? 'sinceThen' : 'everything';
  }
}

/** A connection may not have received the messages of its last seconds. */
const doubtSeconds = 40;
/** A game that says something anew after so long means it. */
const pauseSeconds = 1;
/** Destroyed entities are remembered for clients that come back. */
const destroyedMax = 4096;
/** Players whose connection is lost. */
const lostMax = 1024;
/** So many ids of each kind, on either side of the newest, are in doubt where the entities of a client are unknown. */
const guessedMax = 256;

/** Order of the changes in a frame: items before the units that carry them, and last players, who select units. */
const updateOrder: readonly ShownClass[] = ['Region', 'Projectile', 'Item', 'Unit', 'Player'];
/** Letters of ids that count through. */
const numbered = { u: Kind.unit, i: Kind.item, b: Kind.projectile } as const;

/** Changes by id: each a list of members as JSON. */
type Changes = Map<string, string[]>;

/**
 * The state of a room on its way to clients of the original engine. After each step `frames` gives what each lacks. A new client gets
 * everything. The others get the changes, together with the messages to all, in one frame that is encoded once. Messages to one client
 * alone follow in a frame of its own.
 */
export class EntityStream {
  private readonly inside: Inside;
  private readonly world: World;
  private readonly types: SentTypes;
  private readonly play: Pick<RoomPlay, 'timeMs'>;
  private readonly formerPlayers: readonly string[];
  private readonly madeBefore: ArrayLike<number>;
  private readonly doubtTicks: number;
  private readonly pauseTicks: number;
  /** Of what all are told. */
  private readonly repeats: Repeats;
  private readonly styleHosts: StyleHosts;
  private readonly clients = new Set<EntityClient>();
  private readonly byRow: (Shown | undefined)[] = [];
  private readonly byId = new Map<string, Shown>();
  private readonly byClass: Readonly<Record<ShownClass, Shown[]>> = {
    Player: [],
    Unit: [],
    Item: [],
    Projectile: [],
    Region: [],
  };
  private readonly destroyed: { readonly id: string; readonly frame: number }[] = [];
  private readonly lost = new Map<string, number>();
  /** The text that everybody sees in an area of the screen, where it is the same for all. */
  private readonly texts = new Map<string, unknown>();
  /** Looks that one player alone is shown, as JSON: by player, unit and what they are of. */
  private readonly ownLooks = new Map<Entity, Map<string, Map<string, string>>>();
  private framed = never;
  /** A page has come back of which it is not known what it was shown. */
  private hasReturned = false;
  private timeMs = 0;
  private readonly tickMs: number;
  /** Time of the room after that of the ticks. */
  private lateMs = 0;

  /** Clients are sent the time, and move things by it. Without `formerPlayers` the play begins here. Styles load from `styleHosts` only. */
  constructor(sim: Simulation, play: Pick<RoomPlay, 'timeMs'> & Partial<RoomPlay>, styleHosts: StyleHosts = []) {
    this.styleHosts = styleHosts;
    this.inside = insideOf(sim);
    this.world = this.inside.world;
    this.types = new SentTypes(this.inside, dialectNamed(sim.dialect).regeneratesPerSecond);
    this.play = play;
    this.formerPlayers = play.formerPlayers ?? [];
    this.madeBefore = play.madeBefore ?? [];
    this.tickMs = 1000 / sim.rate;
    this.doubtTicks = Math.round(doubtSeconds * sim.rate);
    this.pauseTicks = Math.round(pauseSeconds * sim.rate);
    this.repeats = new Repeats(this.pauseTicks);
  }

  /** A client of the player with that client id, in the game already or not. `isBack`: it has an old picture of the room. */
  add(player: string, isBack = false): EntityClient {
    const known = isBack ? (this.lost.get(player) ?? never) : never;
    const client = new EntityClient(player, known, isBack, new Repeats(this.pauseTicks));
    // It has heard nothing of what the others know.
    this.repeats.clear();
    this.hasReturned ||= isBack && client.known === never;
    this.lost.delete(player);
    this.clients.add(client);
    return client;
  }

  remove(client: EntityClient): void {
    if (!this.clients.delete(client) || client.known === never) return;
    if (this.lost.size >= lostMax) this.lost.clear();
    this.lost.set(client.player, Math.max(0, client.known - this.doubtTicks));
  }

  /** A client that has closed its menu waits for an answer; frames need none. */
  acknowledge(client: EntityClient): void {
    client.isAgain = true;
  }

  /** To be called once after each step, with what the step has published. Those who get the same get one buffer, which is never used again. */
  *frames({ forAll, forPlayers }: TickEvents): IterableIterator<readonly [EntityClient, Uint8Array]> {
    const frame = this.world.clock.tick;
    if (frame === this.framed) return;
    this.noteLooks(forAll, forPlayers);
    if (this.clients.size === 0) return;
    this.framed = frame;
    const translation = translate(
      forAll.filter((event) => this.showsAnything(event, frame)),
      this.inside,
      this.styleHosts,
    );
    const { elements, places } = this.update(frame, translation);
    const time = timeElement(this.time(frame));
    const broadcast = [...elements, ...translation.elements, ...places, ...(places.length > 0 ? [time] : [])];
    let shared: Uint8Array | undefined;
    let whole: Uint8Array | undefined;
    const clients = [...this.clients];
    // Before anybody goes: a client fails at the end of a trade with a player that it does not have.
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
    // Behind what is for all: clients that select a unit must have it.
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
   * The time of a frame, ms, rounded to a tick: the steps of clients are then as even as ours. A tick that is late by its own length is
   * seen to be late.
   */
  private time(frame: number): number {
    const due = frame * this.tickMs;
    const late = this.play.timeMs() - due;
    if (Math.abs(late - this.lateMs) >= this.tickMs) this.lateMs = Math.round(late / this.tickMs) * this.tickMs;
    this.timeMs = Math.max(this.timeMs + 1, Math.round(due + this.lateMs));
    return this.timeMs;
  }

  /** Whether clients would show or sound anything. Games repeat texts each second, and units start to move without a sound. */
  private showsAnything(event: OutputEvent, frame: number): boolean {
    if (event.kind === 'effect') return this.isPerceptible(event);
    if (event.kind !== 'ui.text') {
      const isNews = this.repeats.isNews(event, frame);
      if (isNews) for (const { repeats } of this.clients) repeats.forget(event);
      return isNews;
    }
    for (const { repeats } of this.clients) repeats.forget(event);
    const target = String(event['target']);
    const isPlain = event['op'] === 'update';
    const isKnown = isPlain && this.texts.get(target) === event['value'];
    if (isPlain) this.texts.set(target, event['value']);
    else this.texts.delete(target);
    return !isKnown;
  }

  private isNewsTo({ repeats }: EntityClient, event: OutputEvent): boolean {
    const isNews = repeats.isNews(event, this.framed);
    if (isNews) this.repeats.forget(event);
    return isNews;
  }

  /** Of an entity that is new in this tick, every effect is. */
  private isPerceptible({ entityId, effect }: OutputEvent): boolean {
    const shown = typeof entityId === 'string' ? this.byId.get(wireId(entityId)) : undefined;
    const type = shown && typeOf(this.world, shown.entity);
    return type === undefined || this.types.of(type).effects.has(String(effect));
  }

  /** The state of the game has no looks for one player, so that a page that is loaded again is sent these. */
  private noteLooks(forAll: TickEvents['forAll'], forPlayers: TickEvents['forPlayers']): void {
    for (const event of forAll) {
      const [unit, look] = lookOf(event) ?? [];
      if (unit !== undefined) for (const looks of this.ownLooks.values()) looks.get(unit)?.delete(look!);
    }
    for (const [clientId, events] of forPlayers) {
      for (const event of events) {
        const [unit, look] = lookOf(event) ?? [];
        const player = unit === undefined ? noEntity : this.playerOf(clientId);
        if (unit === undefined || player === noEntity) continue;
        const looks = this.ownLooks.get(player) ?? new Map<string, Map<string, string>>();
        this.ownLooks.set(player, looks);
        const own = looks.get(unit) ?? new Map<string, string>();
        looks.set(unit, own);
        for (const [member, json] of translate([event], this.inside, this.styleHosts).updates.get(unit) ?? []) {
          own.set(look!, `"${member}":${json}`);
        }
      }
    }
  }

  /** A text that was sent to one player alone was not sent to the others. */
  private forgetTexts(events: readonly OutputEvent[]): void {
    for (const { kind, target, op, value } of events) {
      if (kind === 'ui.text' && (op !== 'update' || value !== this.texts.get(String(target))))
        this.texts.delete(String(target));
    }
  }

  /** Takes the state as it is after a tick, and says what has changed of it. */
  private update(
    frame: number,
    translation: Translation,
  ): { readonly elements: Element[]; readonly places: Element[] } {
    const { inside, world } = this;
    const created: Element[] = [];
    const places: Element[] = [];
    const changes: Changes = new Map();
    this.sayPrices(frame);
    for (const shownClass of shownClasses) {
      for (const entity of world.lists[kindOf[shownClass]]!.entries) {
        if (!world.exists(entity)) continue;
        const shown = this.byRow[rowOf(entity)];
        if (shown === undefined || shown.entity !== entity) {
          const element = this.show(shownClass, entity, frame, created);
          created.push(elementOfJson('_taroStreamCreate', element.created(inside)));
          const rest = element.neverCreated(inside);
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
        places.push(placeElement(shown.id, shown.x, shown.y, shown.angle, isJump, jumped === true));
      }
    }
    const destroys = this.sweep(frame);
    this.addSaid(changes, translation);
    return { elements: [...created, ...this.updateElements(changes), ...destroys], places };
  }

  /** Clients pay for uses by themselves. They may count one that was none here, and would keep that until the next change. */
  private sayPrices(frame: number): void {
    const { world } = this;
    const { identity } = world.components;
    for (const item of this.byClass.Item) {
      if (!world.exists(item.entity) || !item.isCountedAnew(this.inside, frame)) continue;
      item.sayMember('quantity', frame);
      const cost = world.types.item.at(identity.type[item.row]!)?.definition.cost;
      const unit = this.shownOf(identity.owner[item.row]!);
      if (cost === undefined || unit === undefined) continue;
      for (const key of cost.unitAttributes.keys()) unit.sayAttribute(key, frame);
      const player = this.shownOf(identity.owner[unit.row]!);
      for (const key of cost.playerAttributes.keys()) player?.sayAttribute(key, frame);
    }
  }

  private shownOf(entity: Entity): Shown | undefined {
    const shown = this.world.exists(entity) ? this.byRow[rowOf(entity)] : undefined;
    return shown?.entity === entity ? shown : undefined;
  }

  private show(shownClass: ShownClass, entity: Entity, frame: number, elements: Element[]): Shown {
    const shown = new Shown(shownClass, entity, shownIdOf(this.inside, entity), frame);
    // A guest may leave and come again between two frames. Clients pass over the creation of what they have.
    const isKnown = this.byId.has(shown.id);
    // Nor is it known whom a page was shown by that id in ticks that were lost.
    const isDoubtful = shownClass === 'Player' && this.hasReturned && !this.isLasting(shown.row);
    if (isKnown || isDoubtful) elements.push(destroyElement(shown.id));
    shown.begin(this.inside, this.types);
    // A row can have been given to another entity between two frames.
    const before = this.byRow[shown.row];
    if (before !== undefined) before.foundAt = never;
    this.byRow[shown.row] = shown;
    this.byId.set(shown.id, shown);
    this.byClass[shownClass].push(shown);
    return shown;
  }

  /** Adds the parts of events that are about entities; clients would keep those of a destroyed one for ever. */
  private addSaid(changes: Changes, { updates }: Translation): void {
    for (const [id, members] of updates) {
      if (!this.byId.has(id)) continue;
      const change = changes.get(id) ?? [];
      changes.set(id, change);
      for (const [member, json] of members) change.push(`"${member}":${json}`);
    }
  }

  private updateElements(changes: Changes): Element[] {
    if (changes.size === 0) return [];
    const rank = ([id]: readonly [string, string[]]) => updateOrder.indexOf(this.byId.get(id)!.shownClass);
    const ordered = [...changes].sort((a, b) => rank(a) - rank(b));
    const json = ordered.map(([id, members]) => `${JSON.stringify(id)}:{${members.join(',')}}`);
    return [elementOfJson('streamUpdateData', `{${json.join(',')}}`)];
  }

  /** Forgets the entities that were not found in this frame. */
  private sweep(frame: number): Element[] {
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

  private get all(): Shown[] {
    return shownClasses.flatMap((shownClass) => this.byClass[shownClass]);
  }

  /** The whole picture, for a element. */
  private everything(): Element[] {
    const rest: Changes = new Map();
    const created = this.all.map((shown) => {
      const more = shown.neverCreated(this.inside);
      if (more.length > 0) rest.set(shown.id, more);
      return elementOfJson('_taroStreamCreate', shown.created(this.inside));
    });
    return [...created, ...this.updateElements(rest), ...this.layerElements()];
  }

  /**
   * The elements that a client lacks that knew the state of a frame, or an unknown one. The client passes over entities that it has, so that everything is
   * made again.
   */
  private sinceThen({ known, player }: EntityClient): Element[] {
    const gone =
      known === never ? this.doubtful(player) : this.destroyed.filter(({ frame }) => frame > known).map(({ id }) => id);
    const isGone = new Set(gone);
    const changes: Changes = new Map();
    const places: Element[] = [];
    for (const shown of this.all) {
      if (isGone.has(shown.id)) continue;
      const change = shown.changes(known);
      if (change.length > 0) changes.set(shown.id, change);
      if (shown.isPlaced) places.push(placeElement(shown.id, shown.x, shown.y, shown.angle, true));
    }
    const texts = [...this.world.shown.uiTexts].map(([target, value]) =>
      element('updateUiText', { target, value: cleanHtml(value, this.styleHosts) }),
    );
    return [...gone.map(destroyElement), ...this.everything(), ...this.updateElements(changes), ...texts, ...places];
  }

  /**
   * Ids under which it is not known what a client was shown: those of other players, and those that were given since the room was resumed. In ticks that were
   * lost others may have had them, and more.
   */
  private doubtful(own: string): string[] {
    const present = this.all.filter(
      (shown) => shown.shownClass !== 'Region' && shown.id !== wireId(own) && !this.isKnown(shown),
    );
    const newest = Object.entries(numbered).flatMap(([letter, kind]) => {
      const made = this.world.made[kind]!;
      const first = Math.max(1, made + 1 - guessedMax);
      return Array.from({ length: made + guessedMax + 1 - first }, (_, i) => wireId(`${letter}${first + i}`));
    });
    const guessed = [...newest, ...this.formerPlayers.map(wireId)];
    return [...present.map(({ id }) => id), ...guessed.filter((id) => !this.byId.has(id))];
  }

  /** Whether it was there before the room was resumed, under an id that counts through: pages show no other by it. */
  private isKnown({ id, shownClass, row }: Shown): boolean {
    if (shownClass === 'Player') return this.isLasting(row);
    const [, letter, number] = /^([a-z])(\d+)$/.exec(labelOf(id)) ?? [];
    const kind = kindOf[shownClass];
    return numbered[letter as keyof typeof numbered] === kind && Number(number) <= (this.madeBefore[kind] ?? 0);
  }

  /** Computer players are made at the start of a game only: in a room that was resumed they are those that pages show. */
  private isLasting(row: number): boolean {
    return this.madeBefore.length > 0 && this.world.components.player[row]!.controlledBy === 'computer';
  }

  /** How opaque layers are that scripts have changed. */
  private layerElements(): Element[] {
    const { map } = this.world;
    return map.layers.flatMap(({ opacity }, layer) =>
      opacity === undefined || opacity === map.source?.layers[layer]?.opacity
        ? []
        : [element('changeLayerOpacity', { layer, opacity })],
    );
  }

  private isMapChanged(): boolean {
    const { map, definition } = this.world;
    return map.source !== definition.map || map.layers.some(({ isEdited }) => isEdited);
  }

  /** Elements for one client alone. */
  private ownElements(client: EntityClient, events: readonly OutputEvent[], isMapReplaced: boolean): Element[] {
    const { world } = this;
    const translation = translate(events, this.inside, this.styleHosts);
    const player = this.playerOf(client.player);
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
    if (client.isAgain) own.push('"playerJoinedAgain":true');
    client.isAgain = false;
    const changes: Changes = new Map();
    for (const shown of this.all) {
      if (shown.sent?.hasOwn !== true || this.ownerOf(shown) !== player) continue;
      const change = shown.ownChanges(client.known);
      if (change.length > 0) changes.set(shown.id, change);
    }
    for (const [unit, looks] of isNew ? (this.ownLooks.get(player) ?? []) : []) {
      if (looks.size > 0 && this.byId.has(unit)) changes.set(unit, [...(changes.get(unit) ?? []), ...looks.values()]);
    }
    const id = idOf(world, player)!;
    if (own.length > 0) changes.set(id, [...(changes.get(id) ?? []), ...own]);
    this.addSaid(changes, translation);
    const first: Element[] = [];
    const css = cleanCss(c.page[row]?.css ?? '', this.styleHosts);
    if (isNew && css !== '') {
      first.push(element('updateUiRealtimeCSS', { action: 'update', style: css }));
    }
    if (client.needs === 'everything') first.push(element('taroChatJoinRoom', { roomId: '1', joined: true }));
    return [...first, ...this.updateElements(changes), ...translation.elements];
  }

  /** The player that an entity belongs to. */
  private ownerOf({ shownClass, entity, row }: Shown): Entity {
    const { owner } = this.world.components.identity;
    if (shownClass === 'Player') return entity;
    if (shownClass === 'Unit') return owner[row]!;
    const carrier = owner[row]!;
    return shownClass === 'Item' && this.world.exists(carrier) ? owner[rowOf(carrier)]! : noEntity;
  }

  private playerOf(clientId: string): Entity {
    const { world } = this;
    for (const player of world.lists[Kind.player]!.entries) {
      if (world.exists(player) && world.components.player[rowOf(player)]!.clientId === clientId) return player;
    }
    return noEntity;
  }
}

/** The unit whose look an event changes, and which look: a later one of the same takes its place. */
function lookOf({ kind, op, unitId }: OutputEvent): readonly [unit: string, look: string] | undefined {
  if (typeof unitId !== 'string') return undefined;
  if (kind === 'entity.visibility') return [wireId(unitId), 'sight'];
  if (kind === 'entity.label') return [wireId(unitId), op === 'color' ? 'color' : 'label'];
  return undefined;
}

function isEndOfTrade({ kind, op }: OutputEvent): boolean {
  return kind === 'trade' && (op === 'cancel' || op === 'success');
}

/** Clients do not read the time in it. */
function destroyElement(id: string): Element {
  return element('_taroStreamDestroy', [0, id]);
}

/** The map as it is now, with the mark by which clients take it for theirs. */
function editedMap(world: World): string {
  return mapJson(world).replace(/^\{/, '{"wasEdited":true,');
}
