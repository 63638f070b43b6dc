import {
  type Entity,
  type Input,
  loadDefinition,
  type Payload,
  Simulation,
  type StateView,
  type TriggerType,
  type ValueView,
} from '../../../engine/index.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { faultsOf, Identities, type Identity, viewOf } from '../engine.ts';
import { isRecord } from './difference.ts';
import type { FiredTrigger, Recording } from './recording.ts';
import type { TraceFile, TraceInput } from './trace.ts';

/** Plays a case with our engine: same definition, and the same inputs, each at the first tick at or after its time. */
export function playCase(trace: TraceFile): Recording {
  const { game, issues } = loadDefinition(trace.definition);
  if (game === undefined) throw new Error(issues.map(({ message }) => message).join(' '));
  const heard = listeners(trace.definition);
  const identities = new Identities();
  const triggers: FiredTrigger[] = [];
  let tick = 0;

  const observer = (
    type: TriggerType,
    scope: 'global' | 'entity',
    entity: Entity,
    payload: Payload,
    sim: Simulation,
  ): void => {
    const { world } = internalsOf(sim);
    const label = (about: Entity | undefined) => identities.of(world, about)?.id;
    const own = scope === 'entity' ? identities.of(world, entity) : undefined;
    triggers.push({
      tick,
      scope,
      entity: own?.id,
      type,
      payload: recordedPayload(payload, label),
      heard: heard.get(scope === 'global' ? '' : listenerKey(own))?.has(type) === true,
    });
  };

  const sim = new Simulation(game, { seed: trace.name, dialect: 'moddio', observer });
  const { rate } = sim;
  const lastTime = Math.max(trace.duration, trace.samples.at(-1)?.t ?? 0);
  const ticks = Math.round(lastTime * rate);
  const views: StateView[] = [viewOf(sim)];
  const inputs = [...trace.inputs].sort((a, b) => a.t - b.t);
  let next = 0;
  const ours = inputs.map(playerNamer());
  for (tick = 1; tick <= ticks; tick++) {
    for (; next < inputs.length && inputs[next]!.t * rate <= tick + 1e-3; next++) sim.input(ours[next]!);
    sim.step();
    views.push(viewOf(sim));
  }
  const { engineTickRate } = trace.rates;
  return { rate, gameTicks: Math.max(1, Math.round(rate / engineTickRate)), views, triggers, faults: faultsOf(sim) };
}

/**
 * The inputs of a recording in order of time. A player may join again after leaving, so players are identified by
 * label, the number of the human who joins, instead of the name in the inputs.
 */
function playerNamer(): (input: TraceInput) => Input {
  const clients = new Map<string, string>();
  let humans = 0;
  return (input) => {
    if (input.kind === 'join') clients.set(input.player, `p${++humans}`);
    const client = clients.get(input.player) ?? input.player;
    const own = inputOf(input);
    if (own.kind === 'join') return { ...own, clientId: client };
    return 'player' in own ? { ...own, player: client } : own;
  };
}

/** Converts an input of a recording to one of our engine. Players have their names in the recording. */
export function inputOf(input: TraceInput): Input {
  const { player, kind } = input;
  switch (kind) {
    case 'join':
    case 'rejoin':
      return { kind: 'join', name: player, clientId: player };
    case 'leave':
      return { kind: 'leave', player };
    case 'keyDown':
    case 'keyUp':
      return { kind, player, device: input.device === 'mouse' ? 'mouse' : 'key', key: String(input.key) };
    case 'mouse':
      return { kind, player, x: Number(input.x), y: Number(input.y) };
    case 'chat':
      return { kind, player, text: String(input.text) };
    case 'input':
      return { kind: 'customInput', player, text: String(input.text) };
    case 'htmlClick':
      return { kind, player, element: isRecord(input.data) ? String(input.data.id) : '' };
    case 'buy':
      return { kind: 'buyItem', player, type: String(input.item) };
    case 'swap':
      return { kind: 'swapItems', player, from: Number(input.from), to: Number(input.to) };
    default:
      throw new Error(`An input of kind "${kind}" is not known.`);
  }
}

const payloadNames: Readonly<Record<string, string>> = {
  unit: 'unitId',
  item: 'itemId',
  projectile: 'projectileId',
  player: 'playerId',
  sensor: 'sensorId',
  debris: 'debrisId',
  entity: 'entityId',
};

/** Names and values as recordings have them. */
function recordedPayload(
  payload: Payload,
  label: (entity: Entity) => string | undefined,
): Readonly<Record<string, ValueView>> {
  const recorded: Record<string, ValueView> = {};
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value === 'number') {
      const known = label(value);
      recorded[payloadNames[name] ?? name] = known === undefined ? '$undefined' : `@${known}`;
    } else if (name === 'attribute' && payload.attribute) {
      const { type, value: before, min, max } = payload.attribute;
      recorded.attribute = { type, value: before, min, max };
    }
  }
  return recorded;
}

const typeLists = { unit: 'unitTypes', item: 'itemTypes', projectile: 'projectileTypes' } as const;

/** `unitTypes/<key>` and so on, as in `listeners`. */
export function listenerKey(identity: Identity | undefined): string {
  if (identity === undefined || !Object.hasOwn(typeLists, identity.kind)) return 'none';
  return `${typeLists[identity.kind as keyof typeof typeLists]}/${identity.type}`;
}

/** The sections of a definition in any of its three document forms. */
export function dataOf(document: unknown): Record<string, unknown> {
  if (!isRecord(document)) return {};
  if (isRecord(document.gameJson)) return dataOf(document.gameJson);
  return isRecord(document.data) ? document.data : document;
}

/** Which triggers the scripts of the game (`""`) and of each type (`unitTypes/<key>`) listen to. */
export function listeners(document: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const heard = new Map<string, Set<string>>();
  const data = dataOf(document);
  heard.set('', heardBy(data.scripts));
  for (const list of Object.values(typeLists)) {
    const types = data[list];
    if (!isRecord(types)) continue;
    for (const [key, type] of Object.entries(types)) {
      if (isRecord(type)) heard.set(`${list}/${key}`, heardBy(type.scripts));
    }
  }
  return heard;
}

function heardBy(scripts: unknown): Set<string> {
  const types = new Set<string>();
  if (!isRecord(scripts)) return types;
  for (const script of Object.values(scripts)) {
    if (!isRecord(script) || !Array.isArray(script.triggers)) continue;
    for (const trigger of script.triggers) if (isRecord(trigger)) types.add(String(trigger.type));
  }
  return types;
}
