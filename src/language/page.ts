import type { CatalogueOperation, CatalogueTrigger } from '../../engine/index.ts';
import { readerOf } from '../model/index.ts';
import { exampleOf, triggerExample } from './example.ts';
import { signature, triggerLine } from './signature.ts';

export const statuses = {
  world: 'runs in the simulation',
  output: 'is published as an output event; a result, if any, comes back as an input',
  inert: 'has no effect in the simulation, only in a client or an editor',
} as const;

export const deliveries = {
  direct: 'Its scripts run immediately, before the operation that fired it continues.',
  queued:
    'It is queued until its phase of the tick. Scripts of units, items and projectiles run first, then global scripts.',
  never: 'It is a client-side trigger; the engine never fires it.',
} as const;

/**
 * One or two sentences on what an operation does if its operands have no value; undefined if that needs no explanation.
 */
function missingText({ params, returns }: CatalogueOperation) {
  const needed = params.filter(({ optional, type }) => !optional && type !== 'actions' && type !== 'condition');
  if (needed.length === 0) return undefined;
  if (returns !== undefined) return 'If an operand is undefined, the result is undefined.';
  const entities = needed.filter(({ type }) => entityKinds.has(type));
  const skipped = entities.filter(({ demanded }) => !demanded).map(({ key }) => `\`${key}\``);
  const others =
    needed.length > skipped.length ? 'If an operand is missing, the action does nothing and a fault is recorded.' : '';
  if (skipped.length === 0) return others;
  return `Without ${skipped.join(' or ')} the action is skipped, which is not a fault. ${others}`.trimEnd();
}

const entityKinds = new Set([
  'unit',
  'item',
  'projectile',
  'player',
  'entity',
  'debris',
  'sensor',
  'movable entity',
  'entity or player',
  'unit, item or projectile',
]);

/** The full description of an action or a function, as text. */
export function operationPage(operation: CatalogueOperation): string {
  const { status, why } = operation;
  const missing = missingText(operation);
  const where = status === 'world' ? '' : `It ${statuses[status]}.`;
  const note = `${where} ${why ?? ''}`.trim();
  return page([
    signature(operation),
    operation.about,
    ...(note === '' ? [] : [note]),
    ...(missing === undefined ? [] : [missing.replaceAll('`', '')]),
    `example: ${JSON.stringify(exampleOf(operation))}`,
  ]);
}

/** The full description of a trigger, as text. */
export function triggerPage(trigger: CatalogueTrigger): string {
  const { scopes, delivery } = trigger;
  return page([
    triggerLine(trigger),
    trigger.about,
    `Runs scripts of ${scopes.map((scope) => (scope === 'global' ? 'the game' : `${scope} types`)).join(', ')}. ${deliveries[delivery]}`,
    payloadText(trigger),
    `example: ${JSON.stringify(triggerExample(trigger))}`,
  ]);
}

/** A sentence that lists the `getTriggering…` functions that have a value in scripts which run on the trigger. */
export function payloadText(trigger: CatalogueTrigger): string {
  const named = (members: readonly string[]) => members.flatMap((member) => readerOf(member) ?? []);
  const [always, sometimes] = [named(trigger.tells), named(trigger.tellsSometimes)];
  const parts = [
    ...(always.length > 0 ? [`Available: ${always.join(', ')}.`] : []),
    ...(sometimes.length > 0 ? [`${sometimes.join(', ')} may return undefined.`] : []),
  ];
  return parts.join(' ') || 'No getTriggering… function returns a value.';
}

function page([head = '', ...lines]: readonly string[]) {
  return `${head}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
