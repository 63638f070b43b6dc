import type { CatalogueOperation, CatalogueTrigger } from '../../engine/index.ts';
import { exampleOf, triggerExample } from './example.ts';
import { payloadFunctionsOf } from './payload.ts';
import { signature, triggerLine } from './signature.ts';

export const statuses = {
  world: 'changes the simulation, or gives a value of it',
  output: 'is published as an output event; what comes of it comes back as an input',
  inert: 'means nothing without a client or an editor',
} as const;

export const deliveries = {
  direct: 'The scripts run inside what caused it.',
  queued:
    'It waits for its place in the tick: units, items and projectiles hear it first, then the scripts of the game.',
  never: 'It belongs to a client; nothing fires it here.',
} as const;

/** The behaviour of an operation whose operands give nothing, in one or two sentences; undefined where it needs none. */
function missingText({ params, returns }: CatalogueOperation): string | undefined {
  const needed = params.filter(({ optional, type }) => !optional && type !== 'actions' && type !== 'condition');
  if (needed.length === 0) return undefined;
  if (returns !== undefined) return 'Where an operand gives nothing, it gives nothing.';
  const entities = needed.filter(({ type }) => isEntity(type));
  const skipped = entities.filter(({ demanded }) => !demanded).map(({ key }) => `\`${key}\``);
  const others = needed.length > skipped.length ? 'A missing operand is a fault, and the action does nothing.' : '';
  if (skipped.length === 0) return others;
  return `Without ${skipped.join(' or ')} the action does nothing, which is a skip and no fault. ${others}`.trimEnd();
}

const entityKinds: ReadonlySet<string> = new Set([
  ...['unit', 'item', 'projectile', 'player', 'entity', 'debris', 'sensor', 'movable entity', 'entity or player'],
  'unit, item or projectile',
]);

function isEntity(kind: string): boolean {
  return entityKinds.has(kind);
}

/** Everything about an action or a function. */
export function operationPage(operation: CatalogueOperation): string {
  const { status, why } = operation;
  const missing = missingText(operation);
  return page([
    signature(operation),
    operation.about,
    `It ${statuses[status]}.${why === undefined ? '' : ` ${why}`}`,
    ...(missing === undefined ? [] : [missing.replaceAll('`', '')]),
    `example: ${JSON.stringify(exampleOf(operation))}`,
  ]);
}

/** Everything about a trigger. */
export function triggerPage(trigger: CatalogueTrigger): string {
  const { scopes, delivery } = trigger;
  return page([
    triggerLine(trigger),
    trigger.about,
    `Heard by scripts of ${scopes.map((scope) => (scope === 'global' ? 'the game' : `${scope} types`)).join(', ')}. ${deliveries[delivery]}`,
    payloadText(trigger),
    `example: ${JSON.stringify(triggerExample(trigger))}`,
  ]);
}

/** Which `getTriggering…` functions give something. */
export function payloadText(trigger: CatalogueTrigger): string {
  const { always, sometimes } = payloadFunctionsOf(trigger);
  const parts = [
    ...(always.length > 0 ? [`${always.join(', ')} ${always.length === 1 ? 'gives' : 'give'} what it is about.`] : []),
    ...(sometimes.length > 0 ? [`${sometimes.join(', ')} ${sometimes.length === 1 ? 'does' : 'do'} for some.`] : []),
  ];
  return parts.join(' ') || 'No getTriggering… function gives anything.';
}

function page([head = '', ...lines]: readonly string[]): string {
  return `${head}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
