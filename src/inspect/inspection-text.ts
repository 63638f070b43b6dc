import { type Counts, totalOf } from '../statistics/index.ts';
import { amount, countParts, Page, printable } from '../text/index.ts';
import type { Inspection, TypeRow } from './inspection.ts';

const shown = { types: 12, triggers: 16, bindings: 16, states: 12, regions: 12, shops: 8, operations: 12 } as const;

/** A summary of a game on one screen. */
export function inspectionText(inspection: Inspection, width: number): string {
  const { title, map, types, scripts, variables, operations } = inspection;
  const page = new Page(width);
  page.line(printable(title ?? 'A game without a title'));
  page.section('engine', engineParts(inspection));
  page.section('map', map === null ? ['none'] : mapParts(map));
  page.section('units', typeParts(types.units));
  page.section('items', typeParts(types.items));
  page.section('projectiles', typeParts(types.projectiles));
  page.section('players', typeParts(types.players));
  page.section('scripts', [
    `${scripts.global} global`,
    `${scripts.entity} of types`,
    amount(scripts.actions, 'action'),
    `${scripts.withoutTrigger} without a trigger`,
  ]);
  page.section('triggers', countParts(scripts.byTrigger, shown.triggers));
  page.section('bindings', bindingParts(inspection.bindings));
  page.section('states', countParts(inspection.states, shown.states));
  page.section('variables', [
    `${variables.total}${variables.total > 0 ? ':' : ''}`,
    ...(variables.total > 0 ? countParts(variables.byType, 20) : []),
  ]);
  page.section(
    'regions',
    listed(
      inspection.regions.map(
        ({ name, x, y, width: w, height: h }) => `${name} (${[x, y, w, h].map(Math.round).join(' ')})`,
      ),
      shown.regions,
    ),
  );
  page.section(
    'shops',
    listed(
      inspection.shops.map(
        ({ key, name, items, units }) => `${name || key} (${amount(items, 'item')}, ${amount(units, 'unit')})`,
      ),
      shown.shops,
    ),
  );
  page.section(
    'dialogues',
    listed(
      inspection.dialogues.map(({ key, name, options }) => `${name || key} (${amount(options, 'option')})`),
      shown.shops,
    ),
  );
  page.section('outputs', countParts(operations.outputs, shown.operations));
  page.section('inert', countParts(operations.inert, shown.operations));
  page.section('unknown', countParts(operations.unknown, shown.operations));
  return page.text();
}

function engineParts({ engineVersion, rates, dialect, maxPlayers }: Inspection): string[] {
  const parts = [engineVersion === null ? 'of no stated version' : `version ${printable(engineVersion)}`];
  parts.push(`frame rate ${rates.frameRate ?? 'not stated'}`);
  const { ticksPerSecond, scriptsPerSecond, physicsPerSecond } = rates;
  const same = scriptsPerSecond === ticksPerSecond && physicsPerSecond === ticksPerSecond;
  const detail = same ? '' : ` (scripts ${scriptsPerSecond}, physics ${physicsPerSecond})`;
  parts.push(`${ticksPerSecond} ticks per second${detail} in dialect ${dialect}`);
  if (maxPlayers !== null) parts.push(`at most ${maxPlayers} players`);
  return parts;
}

function mapParts(map: NonNullable<Inspection['map']>): string[] {
  const parts = [
    `${map.width} x ${map.height} cells of ${map.cellWidth} x ${map.cellHeight} px`,
    amount(map.wallCells, 'wall cell'),
  ];
  return [...parts, `layers ${map.layers.map(({ name, count }) => `${printable(name)} ${count}`).join(', ')}`];
}

function typeParts(types: readonly TypeRow[]): string[] {
  const sum = (of: (row: TypeRow) => number): number => types.reduce((total, row) => total + of(row), 0);
  if (types.length === 0) return ['0'];
  const counts = `${types.length} with ${amount(
    sum((row) => row.attributes),
    'attribute',
  )} and ${amount(
    sum((row) => row.scripts),
    'script',
  )}`;
  return [
    `${counts}:`,
    ...listed(
      types.map(({ key, name }) => name || key),
      shown.types,
    ),
  ];
}

function bindingParts(bindings: Inspection['bindings']): string[] {
  const keys = Object.entries(bindings).map(([key, uses]) => ({ key, uses, total: totalOf(uses) }));
  keys.sort((a, b) => b.total - a.total);
  return listed(
    keys.filter(({ total }) => total > 0).map(({ key, uses }) => `${key}: ${bindingText(uses)}`),
    shown.bindings,
  );
}

function bindingText(uses: Counts): string {
  const names = Object.keys(uses);
  return names.length > 2 ? `${names.slice(0, 2).join(' / ')} …` : names.join(' / ');
}

function listed(names: readonly string[], most: number): string[] {
  if (names.length === 0) return ['none'];
  const parts = names.slice(0, most).map(printable);
  return names.length > most ? [...parts, `… ${names.length - most} more`] : parts;
}
