import lz from 'lz-string';

/*
 * A model of the original client without its screen: it reads frames as the browser client does, and keeps the
 * resulting entities. It throws where the original would lose something (reference: client-protocol#commands).
 */

type Json = { [name: string]: unknown };

/** An entity in the client. */
export interface Model {
  readonly shownClass: string;
  readonly id: string;
  /** Its type in the definition, overridden by the data of its creation and every change since. */
  stats: Json;
  /** The type of a unit at its creation. */
  readonly createdAs: unknown;
  x: number;
  y: number;
  /** Radians. */
  angle: number;
  /** How often it was put somewhere at once. */
  jumps: number;
}

/** The commands that the client handles. An unhandled one makes it drop the rest of the frame. */
const handled = new Set([
  'ping',
  '_taroStreamCreate',
  '_taroStreamDestroy',
  '_taroStreamData',
  '_taroStreamTime',
  'streamUpdateData',
  '_taroStreamCreateSnapshot',
  'updateEntityAttribute',
  'changePlayerCameraPanSpeed',
  'hideUnitFromPlayer',
  'showUnitFromPlayer',
  'hideUnitNameLabelFromPlayer',
  'showUnitNameLabelFromPlayer',
  'updateUiText',
  'updateUiTextForTime',
  'updateUiRealtimeCSS',
  'alertHighscore',
  'item',
  'clientDisconnect',
  'ui',
  'playAd',
  'buySkin',
  'videoChat',
  'devLogs',
  'profile',
  'errorLogs',
  'sound',
  'camera',
  'gameSuggestion',
  'createFloatingText',
  'createDynamicFloatingText',
  'openShop',
  'openDialogue',
  'closeDialogue',
  'userJoinedGame',
  'trade',
  'sendDataFromServer',
  'sendPlayerToMap',
  'sendPlayerToGame',
  'taroChatMsg',
  'taroChatJoinRoom',
  'taroChatLeaveRoom',
  'taroChatRoomList',
  'taroChatRoomUserList',
  'taroChatRoomCreated',
  'taroChatRoomRemoved',
  'editTile',
  'changeLayerOpacity',
  'editRegion',
  'editVariable',
  'editInitEntity',
  'editGlobalScripts',
  'updateClientInitEntities',
  'updateUnit',
  'updateItem',
  'updateProjectile',
  'updateShop',
  'updateDialogue',
  'updateDevelopersData',
  'renderSocketLogs',
  '_taroRequest',
  '_taroResponse',
]);

const classes = new Set(['Player', 'Unit', 'Item', 'Projectile', 'Region']);
const merged = new Set(['attributes', 'variables', 'quests']);
const typeNames: { [shownClass: string]: readonly [section: string, key: string] } = {
  Unit: ['unitTypes', 'type'],
  Item: ['itemTypes', 'itemTypeId'],
  Projectile: ['projectileTypes', 'type'],
  Player: ['playerTypes', 'playerTypeId'],
};

export class ModelClient {
  id: string | undefined;
  commands: { readonly [name: string]: number } | undefined;
  readonly entities = new Map<string, Model>();
  /** Messages that are not about entities, in order. */
  readonly said: (readonly [command: string, data: Json])[] = [];
  /** The texts on the screen by target. */
  readonly texts = new Map<string, string>();
  /** The client's clock, ms; undefined before the first. */
  clock: number | undefined;
  /** The unit that the player controls. */
  selectedUnit: string | undefined;
  joined = false;
  closed: string | undefined;
  bytes = 0;
  frames = 0;
  /** Called with each element of each frame, for comparison with recordings. */
  onElement: ((command: string, data: unknown) => void) | undefined;
  /** The data object that the server gives clients. */
  readonly definition: Json;
  private names = new Map<number, string>();
  private snapshotAt = Number.NEGATIVE_INFINITY;
  /** Changes of entities that do not exist yet. */
  private readonly waiting = new Map<string, Json>();

  constructor(definition: unknown) {
    this.definition = definition as Json;
  }

  /** Handles the text of one frame. */
  receive(frame: string): void {
    this.bytes += new TextEncoder().encode(frame).length;
    this.frames++;
    const json = lz.decompressFromUTF16(frame);
    if (json === null || json === '') throw new Error('A frame does not expand.');
    const message = JSON.parse(json) as unknown;
    if (Array.isArray(message)) {
      if (this.commands === undefined) throw new Error('A frame came before the commands.');
      this.run(message as [string, unknown]);
    } else this.greet(message as Json);
  }

  private greet(message: Json): void {
    if (message['_netioCmd'] === 'id') this.id = message['data'] as string;
    else if (message['_netioCmd'] === 'close') this.closed = String(message['data']);
    else if (message['cmd'] === 'init') {
      this.commands = message['ncmds'] as { [name: string]: number };
      if (!Number.isFinite(Number.parseFloat(String(message['ts'])))) throw new Error('The time scale is no number.');
      this.names = new Map(Object.entries(this.commands).map(([name, number]) => [number, name]));
    } else throw new Error(`Nobody knows ${JSON.stringify(message)}.`);
  }

  private run([code, data]: readonly [string, unknown]): void {
    const name = this.names.get(code.charCodeAt(0));
    if (name === 'ping') {
      this.said.push(['ping', data as Json]);
      return;
    }
    if (name !== '_snapshot') throw new Error(`The command "${name}" came outside of a snapshot.`);
    const elements = data as (string | [string, unknown])[];
    if (elements.length === 0) throw new Error('A snapshot is empty.');
    const last = elements.at(-1)![1];
    const time = Number.isNaN(Number(last)) || typeof last === 'object' ? undefined : Number(last);
    if (time !== undefined && this.clock === undefined) this.clock = time;
    for (const each of elements) this.element(each, time);
    this.apply();
    if (time !== undefined) this.snapshotAt = time;
  }

  private element(each: string | [string, unknown], time: number | undefined): void {
    const name = this.names.get(each[0]!.charCodeAt(0));
    if (name === undefined || !handled.has(name)) throw new Error(`The client does not handle "${name}".`);
    if (name === '_taroStreamData') {
      this.place(each as string, time);
      return;
    }
    const data = each[1] as Json;
    this.onElement?.(name, data);
    switch (name) {
      case '_taroStreamTime':
        return;
      case '_taroStreamCreate':
        this.create(data as unknown as [string, string, string, string[], Json]);
        return;
      case '_taroStreamDestroy':
        this.destroy((data as unknown as [number, string])[1]);
        return;
      case 'streamUpdateData':
        for (const [id, changes] of Object.entries(data)) this.queue(id, changes as Json);
        return;
      case 'updateUiText':
        if (data['value'] !== undefined) this.texts.set(String(data['target']), String(data['value']));
        break;
    }
    this.said.push([name, data]);
  }

  private place(text: string, time: number | undefined): void {
    const [id, x, y, angle, jumps] = text.slice(1).split('&');
    const entity = this.entities.get(id!);
    if (entity === undefined) throw new Error(`There is no "${id}" to be moved.`);
    if (time === undefined) throw new Error('A frame with places does not end with the time.');
    if (time <= this.snapshotAt) throw new Error(`The time ${time} is not later than ${this.snapshotAt}.`);
    this.onElement?.('_taroStreamData', id);
    entity.x = Number.parseInt(x!, 16);
    entity.y = Number.parseInt(y!, 16);
    entity.angle = Number.parseInt(angle!, 16) / 1000;
    if (jumps === '1') entity.jumps++;
    for (const number of [entity.x, entity.y, entity.angle]) {
      if (!Number.isFinite(number)) throw new Error(`"${text}" is no place.`);
    }
  }

  /** Owners of units that did not exist when the units were created. */
  private readonly missedOwners = new Set<string>();

  private create([shownClass, id, parent, place, data]: [string, string, string, string[], Json]): void {
    if (!classes.has(shownClass)) throw new Error(`The client stops at the class "${shownClass}".`);
    if (parent !== 'baseScene' || id.includes('&')) throw new Error(`"${id}" cannot be made.`);
    if (this.entities.has(id)) return;
    if (shownClass === 'Player' && !Array.isArray(data['unitIds'])) throw new Error('A player has no list of units.');
    // Units of a player that has left stay; but the new owner of an existing unit must be sent first.
    if (shownClass === 'Unit' && data['ownerId'] !== undefined && !this.entities.has(String(data['ownerId']))) {
      this.missedOwners.add(String(data['ownerId']));
    }
    if (shownClass === 'Player' && this.missedOwners.has(id)) throw new Error(`"${id}" comes after a unit of it.`);
    const [x, y, angle] = place.map((text) => Number.parseInt(text, 16));
    if (shownClass === 'Unit' && !(Number(data['scale']) > 0))
      throw new Error(`"${id}" would not be drawn without a scale.`);
    const stats = this.ofType(shownClass, data);
    const { lifeSpan } = stats;
    if (shownClass === 'Projectile' && lifeSpan !== undefined && lifeSpan !== null)
      throw new Error(`The client would end "${id}" by its own clock.`);
    if (shownClass === 'Unit') {
      const size = Number((stats['inventorySize'] as number | undefined) ?? 1);
      stats['itemIds'] = new Array(size).fill(null);
    }
    this.play(stats, 'create');
    const made = { shownClass, id, stats, createdAs: stats['type'], x: x!, y: y!, angle: angle! / 1000, jumps: 0 };
    if ([made.x, made.y, made.angle].some((number) => !Number.isFinite(number))) throw new Error(`"${id}" is nowhere.`);
    this.entities.set(id, made);
  }

  private destroy(id: string): void {
    const entity = this.entities.get(id);
    if (entity !== undefined) this.play(entity.stats, 'destroy');
    this.entities.delete(id);
  }

  /** Throws, as the client does, if an effect refers to a script that it lacks. */
  private play(stats: Json, effect: string): void {
    const { runScript } = ((stats['effects'] as Json | undefined)?.[effect] ?? {}) as Json;
    const scripts = (stats['scripts'] ?? {}) as Json;
    if (runScript && scripts[String(runScript)] === undefined) {
      throw new Error(`The effect "${effect}" of "${stats['name']}" runs a script that the client does not have.`);
    }
  }

  /** The members of an entity's type, overridden by its own. */
  private ofType(shownClass: string, data: Json): Json {
    const [section, key] = typeNames[shownClass] ?? [];
    const types = section === undefined ? undefined : (this.definition[section] as Json | undefined);
    const type = types?.[String(data[key!])] as Json | undefined;
    if (type === undefined && shownClass !== 'Region' && shownClass !== 'Player') {
      throw new Error(`The client does not know the type "${data[key!]}".`);
    }
    if (shownClass === 'Unit' || shownClass === 'Item' || shownClass === 'Projectile') demandDrawable(type!);
    return deepMerge(structuredClone(type ?? {}), data);
  }

  private queue(id: string, changes: Json): void {
    const waiting = this.waiting.get(id) ?? {};
    this.waiting.set(id, waiting);
    for (const [key, value] of Object.entries(changes)) {
      waiting[key] = merged.has(key) ? deepMerge((waiting[key] ?? {}) as Json, value as Json) : value;
    }
  }

  /** Applies the changes of existing entities, in order of arrival. */
  private apply(): void {
    for (const [id, changes] of [...this.waiting]) {
      const entity = this.entities.get(id);
      if (entity === undefined) continue;
      this.waiting.delete(id);
      for (const [key, value] of Object.entries(changes)) this.change(entity, key, value);
    }
  }

  /** The ids of entities whose changes are waiting for their creation. */
  get unborn(): readonly string[] {
    return [...this.waiting.keys()];
  }

  private change(entity: Model, key: string, value: unknown): void {
    const { stats } = entity;
    const isType = (entity.shownClass === 'Unit' && key === 'type') || key === 'playerTypeId';
    if (isType) {
      const fresh = this.ofType(entity.shownClass, { [key]: value });
      // A new type starts with its own variables, and keeps only items that it may carry. A unit keeps the set of
      // attributes that it was created with.
      if (entity.shownClass === 'Player') stats['attributes'] = fresh['attributes'];
      stats['variables'] = fresh['variables'];
    }
    if (key === 'attributes') {
      stats[key] ??= {};
      const own = stats[key] as { [attribute: string]: Json };
      for (const [attribute, change] of Object.entries(value as { [attribute: string]: Json })) {
        // The client ignores attributes that it does not know.
        if (own[attribute] !== undefined) Object.assign(own[attribute], change);
      }
    } else if (key === 'variables') {
      stats[key] ??= {};
      const own = stats[key] as { [variable: string]: Json };
      for (const [variable, told] of Object.entries(value as Json)) own[variable] = { value: told };
    } else if (key === 'quests') stats[key] = deepMerge((stats[key] ?? {}) as Json, value as Json);
    else if (key === 'ownerPlayerId') stats['ownerId'] = value;
    else if (key === 'effect') this.play(stats, String((value as Json)['type']));
    else if (key === 'hideNameLabel' || key === 'showNameLabel') stats['isLabelHidden'] = key === 'hideNameLabel';
    else stats[key] = value;
    if (entity.stats['clientId'] !== this.id || entity.shownClass !== 'Player') return;
    if (key === 'selectedUnitId' && value !== null) {
      if (!this.entities.has(String(value))) throw new Error(`The selected unit "${value}" is not there: it is lost.`);
      this.selectedUnit = String(value);
    }
    if (key === 'playerJoined') this.joined = value === true;
  }
}

/** Throws if a type lacks members that the client draws with, because it would drop the rest of the frame. */
function demandDrawable(type: Json): void {
  const { bodies, states, animations, cellSheet } = type as { [name: string]: Json | undefined };
  for (const [name, part] of Object.entries({ bodies, states, animations, cellSheet })) {
    if (typeof part !== 'object' || part === null) throw new Error(`The type "${type['name']}" has no ${name}.`);
  }
  for (const [key, state] of Object.entries(states as { [key: string]: Json })) {
    const body = state['body'];
    if (body === undefined || body === 'none' || body === '') continue;
    if (bodies![String(body)] === undefined) throw new Error(`The state "${key}" of "${type['name']}" has no body.`);
  }
}

function deepMerge(into: Json, from: Json): Json {
  for (const [key, value] of Object.entries(from)) {
    const before = into[key];
    const isDeep = isObject(value) && isObject(before);
    into[key] = isDeep ? deepMerge(before, value) : structuredClone(value);
  }
  return into;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
