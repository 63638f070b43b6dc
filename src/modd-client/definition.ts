import { type Dictionary, isRecord, mapMembers } from '../../engine/core/index.ts';
import { catalogue, type Definition } from '../../engine/index.ts';
import { cleanTemplate, type StyleHosts } from '../html/index.ts';
import {
  cleanHtml,
  entriesOf,
  type Json,
  type JsonObject,
  shownVariables,
  typeSections,
  withoutSecrets,
} from '../net/index.ts';
import { predictedUnitTypes } from './client-prediction.ts';

/**
 * Converts a definition for clients of the original engine (reference: client-protocol#definition). These clients are
 * less tolerant: if the type of an entity lacks something that they need to draw it, they drop the rest of a frame.
 * They also run some scripts themselves, and receive only those.
 */

/**
 * The physics engine of clients that predict. Its steps have the same results as those of our engine. With an empty
 * name instead, clients predict nothing.
 */
const predictingEngine = 'PLANCK';
/**
 * The mode of prediction in which the client returns its unit to the server's position. In the other mode, the client
 * would decide the position.
 */
const correctedByServer = 1;
/** The value of `streamMode` for entities that the server moves. */
const movedByServer = 1;

interface Source {
  /** The data object of the document. */
  readonly data: Json;
  /** The members about the game itself. */
  readonly metadata: Json;
  /** The definition that the engine plays. */
  readonly definition: Definition;
}

/** The data object that clients load. The arguments are not modified. */
export function moddioData({ data, metadata, definition }: Source, styleHosts: StyleHosts = []): JsonObject {
  const open = withoutSecrets(data) as JsonObject;
  const about = withoutSecrets(metadata) as JsonObject;
  const { data: _, ...defaultData } = about;
  const shown: Record<string, Json> = { ...open };
  const predicted = predictedUnitTypes(definition);
  shown['defaultData'] = { ...defaultData, clientPhysicsEngine: predicted.size > 0 ? predictingEngine : '' };
  shown['scripts'] = clientScripts(open['scripts']);
  for (const section of ['entityTypeVariables', 'playerTypeVariables']) {
    if (open[section] !== undefined) shown[section] = shownVariables(open[section]);
  }
  for (const section of typeSections) {
    const types = entriesOf(open[section]);
    shown[section] = Object.fromEntries(
      types.map(([key, type]) => [key, clientType(section, type, definition[section].get(key))]),
    );
  }
  if (predicted.size > 0) Object.assign(shown, predictingTypes(shown, predicted));
  shown['ui'] = cleanViews(open['ui'], styleHosts);
  shown['dialogues'] = cleanDialogues(open['dialogues'], styleHosts);
  const mentioned = JSON.stringify([shown['scripts'], ...typeSections.map((section) => scriptsIn(shown[section]))]);
  const variables = isRecord(open['variables']) ? Object.entries(open['variables']) : [];
  // Clients draw regions. Of the other variables, they need only those that their scripts use.
  shown['variables'] = Object.fromEntries(
    variables.filter(
      ([name, variable]) =>
        isRecord(variable) && (variable['dataType'] === 'region' || mentioned.includes(JSON.stringify(name))),
    ),
  );
  return shown;
}

/**
 * The types for clients with physics. Clients move only their own unit, and only if its type allows that. Whatever else
 * the definition lets clients simulate, such as projectiles, has results that only the server may decide, and would
 * exist twice.
 */
function predictingTypes({ unitTypes, itemTypes }: JsonObject, predicted: ReadonlySet<string>): JsonObject {
  const units = entriesOf(unitTypes).map(([key, type]): [string, JsonObject] => {
    const controls = isRecord(type['controls']) ? type['controls'] : {};
    const cspMode = predicted.has(key) ? correctedByServer : 0;
    return [key, { ...type, streamMode: movedByServer, controls: { ...controls, cspMode } }];
  });
  const items = entriesOf(itemTypes).map(([key, type]): [string, JsonObject] => [
    key,
    { ...type, projectileStreamMode: movedByServer },
  ]);
  return { unitTypes: Object.fromEntries(units), itemTypes: Object.fromEntries(items) };
}

type TypeSection = (typeof typeSections)[number];
type EngineType = ReturnType<Definition[TypeSection]['get']>;
type ItemType = ReturnType<Definition['itemTypes']['get']>;

function clientType(section: TypeSection, type: JsonObject, engineType: EngineType): JsonObject {
  const shown: Record<string, Json> = { ...type };
  const scripts = clientScripts(type['scripts']);
  shown['scripts'] = scripts;
  shown['variables'] = shownVariables(type['variables']);
  shown['attributes'] = attributesOf(type['attributes'], engineType);
  if (section === 'playerTypes') return shown;
  shown['effects'] = clientEffects(type['effects'], scripts);
  if (section === 'itemTypes') Object.assign(shown, startOfItem(engineType as ItemType));
  const { body: only, ...rest } = shown;
  const states = entriesOf(type['states']);
  if (states.length === 0) states.push(['default', { name: 'default', body: 'default', animation: 'default' }]);
  const bodies = entriesOf(type['bodies']);
  if (bodies.length === 0 && isRecord(only)) {
    const names = new Set(['default', ...states.map(([, { body }]) => String(body ?? 'default'))]);
    names.delete('none');
    for (const name of names) bodies.push([name, only]);
  }
  const known = new Set(bodies.map(([name]) => name));
  return {
    ...rest,
    bodies: Object.fromEntries(bodies),
    states: Object.fromEntries(
      states.map(([key, state]) => [
        key,
        { ...state, body: known.has(String(state['body'])) ? state['body']! : 'none' },
      ]),
    ),
    animations: isRecord(type['animations']) ? type['animations'] : defaultAnimations,
    cellSheet: { url: '', rowCount: 1, columnCount: 1, ...(isRecord(type['cellSheet']) ? type['cellSheet'] : {}) },
  };
}

const defaultAnimations = { default: { name: 'default', frames: [1], framesPerSecond: 1, loopCount: 0 } } as const;

/**
 * Attributes with the numbers of the definition that the engine plays. Clients start with them, and later receive only
 * changes.
 */
function attributesOf(given: Json | undefined, engineType: EngineType): JsonObject {
  const own = engineType?.attributes;
  return Object.fromEntries(
    entriesOf(given).map(([key, attribute]) => {
      const { value, min, max } = own?.get(key) ?? {};
      return [key, { ...attribute, ...finiteMembers({ value, min, max }) }];
    }),
  );
}

/** The initial members of an item. Clients start with them, and later receive only changes. */
function startOfItem(type: ItemType): JsonObject {
  const { name, description, quantity, fireRate } = type ?? {};
  return { description: description ?? '', ...(name && { name }), ...finiteMembers({ quantity, fireRate }) };
}

/** The members that are finite numbers. */
function finiteMembers(members: Dictionary<number | null | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Number.isFinite(value))) as JsonObject;
}

/**
 * Removes references to scripts that clients do not have: a client fails in the middle of an effect with such a
 * reference.
 */
function clientEffects(effects: Json | undefined, scripts: JsonObject): JsonObject {
  return Object.fromEntries(
    entriesOf(effects).map(([name, { runScript, ...effect }]) => [
      name,
      typeof runScript === 'string' && Object.hasOwn(scripts, runScript) ? { ...effect, runScript } : effect,
    ]),
  );
}

/** The `runMode` of an action that runs on clients. By default, actions run on the server. */
const onClient = 1;
/** Actions whose effects the server sends to clients. If clients ran them, too, the effects would happen twice. */
const published: ReadonlySet<string> = new Set(
  catalogue()
    .actions.filter(({ status }) => status === 'output')
    .flatMap(({ type, aliases }) => [type, ...aliases]),
);

/** The scripts with actions that run on clients, reduced to those actions. */
function clientScripts(scripts: Json | undefined): JsonObject {
  const shown: [string, Json][] = [];
  for (const [key, script] of entriesOf(scripts)) {
    const actions = clientActions(script['actions']);
    if (actions.length > 0) shown.push([key, { ...script, actions }]);
  }
  return Object.fromEntries(shown);
}

function clientActions(actions: Json | undefined): Json[] {
  return (Array.isArray(actions) ? actions : []).flatMap((action: Json): Json[] => {
    if (!isRecord(action) || !runsOnClient(action)) return [];
    const inner = Object.entries(action).map(([key, member]) => [
      key,
      isActionList(member) ? clientActions(member) : member,
    ]);
    return [Object.fromEntries(inner) as JsonObject];
  });
}

/**
 * Whether an action runs on clients. This is decided by `runMode`, or by the older `runOnClient`, which makes it run on
 * both sides.
 */
function runsOnClient(action: JsonObject) {
  const { runMode, runOnClient, type } = action;
  if (action['disabled'] === true) return false;
  if (runMode !== undefined && runMode !== null) return Number(runMode) === onClient;
  return runOnClient === true && !published.has(String(type));
}

function isActionList(value: Json): value is readonly Json[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => isRecord(each) && typeof each['type'] === 'string')
  );
}

function scriptsIn(types: Json | undefined) {
  return entriesOf(types).map(([, type]) => type['scripts'] ?? null);
}

function cleanViews(views: Json | undefined, styleHosts: StyleHosts): JsonObject {
  return Object.fromEntries(
    entriesOf(views).map(([key, { jsData: _, ...view }]) => [
      key,
      typeof view['htmlData'] === 'string' ? { ...view, htmlData: cleanTemplate(view['htmlData'], styleHosts) } : view,
    ]),
  );
}

function cleanDialogues(dialogues: Json | undefined, styleHosts: StyleHosts): JsonObject {
  const clean = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((member) => clean(member, name));
    if (isRecord(value)) return mapMembers(value, clean);
    if (typeof value !== 'string') return value;
    if (name === 'image') return pictureAddress(value);
    return shownTexts.has(name) ? cleanHtml(value, styleHosts) : value;
  };
  return Object.fromEntries(entriesOf(dialogues).map(([key, dialogue]) => [key, clean(dialogue, '')]));
}
/** The members of a dialogue that the page inserts as HTML. */
const shownTexts = new Set(['dialogueTitle', 'message', 'name']);

/**
 * A picture's URL, escaped, because the page inserts it into an HTML attribute without escaping. Empty if it is not an
 * acceptable URL.
 */
function pictureAddress(address: string) {
  const isPicture = /^(?:https?:\/\/|data:image\/)/i.test(address) && URL.canParse(address);
  return isPicture ? new URL(address).href.replace(/["'<>\s]/g, encodeURIComponent) : '';
}
