import type { Fault, ValueView } from '../../engine/index.ts';
import type { Counts } from '../statistics/index.ts';
import { amount, countParts, Page, printable } from '../text/index.ts';
import type { Summary } from './summary.ts';

const shown = {
  triggers: 20,
  scripts: 15,
  actions: 15,
  outputs: 20,
  unknown: 15,
  types: 15,
  variables: 24,
  inputs: 8,
  faults: 20,
} as const;
const valueMax = 60;

/** The summary of a run as readable text. */
export function summaryText(summary: Summary, width: number): string {
  const page = new Page(width);
  page.line(printable(summary.title ?? summary.file));
  page.line(headline(summary));
  for (const line of endingLines(summary)) page.line(line);
  page.line('');
  page.section('players', playerParts(summary));
  const without = inputParts(summary.refused);
  if (without.length > 0) page.section('inputs', without);
  page.section('units', typeParts(summary.units, summary.entities.units));
  page.section('items', typeParts(summary.items, summary.entities.items));
  page.section('projectiles', typeParts(summary.projectiles, summary.entities.projectiles));
  page.rows('variables', variableLines(summary.variables));
  page.section('triggers', countParts(summary.triggers, shown.triggers));
  page.section('scripts', scriptParts(summary.scripts));
  page.section('actions', countParts(summary.actions, shown.actions));
  page.section('outputs', countParts(summary.outputs, shown.outputs));
  if (Object.keys(summary.unknown).length > 0) page.section('unknown', countParts(summary.unknown, shown.unknown));
  page.rows('faults', faultLines(summary.faults));
  if (summary.skips.length > 0) page.rows('skips', skipLines(summary.skips));
  page.section('time', timeParts(summary));
  page.section('hash', [summary.hash]);
  return page.text();
}

function headline({ simulatedSeconds, wallMs, speed, ticks, frameRate, dialect, seed, bots }: Summary) {
  const how = [dialect, `seed ${printable(seed)}`, ...(bots > 0 ? [amount(bots, 'bot')] : [])].join(', ');
  const wall = `${(wallMs / 1000).toFixed(2)} s`;
  return `${seconds(simulatedSeconds)} played in ${wall} (${speed.toFixed(speed >= 100 ? 0 : 1)}x real time): ${amount(ticks, 'tick')}, ${frameRate} per second; ${how}`;
}

function endingLines({ ending, simulatedSeconds, until }: Summary) {
  switch (ending) {
    case 'until':
      return [`--until became true after ${seconds(simulatedSeconds)}.`];
    case 'game':
      return [`The game ended itself after ${seconds(simulatedSeconds)}.`, ...neverLines(until)];
    case 'interrupted':
      return [`Interrupted after ${seconds(simulatedSeconds)}.`, ...neverLines(until)];
    case 'time':
      return neverLines(until);
  }
}

/** Explains an `--until` that never became true, with its final values. */
function neverLines(until: Summary['until']) {
  if (until === undefined) return [];
  return [`--until never became true: ${until.expression}`, ...until.lines.map((line) => `  ${line}`)].map(printable);
}

function playerParts({ players, joined, left, bots }: Summary) {
  const parts = [`${players} in the game`, `${joined} joined`, `${left} left`];
  if (joined === 0 && bots === 0) parts.push('add bots with --bots 8');
  return parts;
}

/** Rejected inputs of players, by kind and reason, such as a purchase without enough money. */
function inputParts(refused: Counts) {
  const total = Object.values(refused).reduce((sum, count) => sum + count, 0);
  return total === 0 ? [] : [`${total} rejected:`, ...countParts(refused, shown.inputs)];
}

function typeParts(total: number, types: Counts) {
  return total === 0 ? ['0'] : [`${total}:`, ...countParts(types, shown.types)];
}

function scriptParts(scripts: Counts) {
  const all = Object.values(scripts).length;
  const ran = Object.fromEntries(Object.entries(scripts).filter(([, runs]) => runs > 0));
  const share = `${Object.values(ran).length} of ${all} ran`;
  return Object.values(ran).length === 0 ? [share] : [`${share}:`, ...countParts(ran, shown.scripts)];
}

/** The variables that have a value, and the number of those that are not shown. */
function variableLines(variables: Summary['variables']) {
  const entries = Object.entries(variables);
  const set = entries.filter(([, value]) => value !== null);
  const lines = set.slice(0, shown.variables).map(([name, value]) => `${printable(name)} = ${valueText(value)}`);
  if (set.length > shown.variables) lines.push(`… ${set.length - shown.variables} more (--json has all)`);
  if (entries.length > set.length) lines.push(`${entries.length - set.length} without a value`);
  return lines.length === 0 ? ['none'] : lines;
}

function valueText(value: ValueView) {
  const text = JSON.stringify(value);
  return printable(text.length > valueMax ? `${text.slice(0, valueMax)}…` : text);
}

function faultLines(faults: readonly Fault[]) {
  if (faults.length === 0) return ['none'];
  const often = [...faults].sort((a, b) => b.count - a.count);
  const lines = [`${amount(faults.length, 'place')}, ${faults.reduce((sum, { count }) => sum + count, 0)} in all`];
  for (const { code, at, message, count, firstTick } of often.slice(0, shown.faults)) {
    lines.push(`${count}x ${code} at ${printable(at)}, first in tick ${firstTick}`, `  ${printable(message)}`);
  }
  if (faults.length > shown.faults) lines.push(`… ${faults.length - shown.faults} more places (--json has all)`);
  return lines;
}

function skipLines(skips: Summary['skips']) {
  const times = skips.reduce((sum, { count }) => sum + count, 0);
  return [`actions in ${amount(skips.length, 'place')} had nothing to act on, ${times} times (--json has all)`];
}

function timeParts({ time, wallMs, startup, decisions }: Summary) {
  const parts = Object.entries(time).map(([part, ms]) => {
    return `${part} ${Math.round(ms)} ms (${wallMs > 0 ? Math.round((100 * ms) / wallMs) : 0} %)`;
  });
  if (decisions !== undefined)
    parts.push(
      `${amount(decisions.count, 'decision')} of bots that play to win, ${(decisions.ms / decisions.count).toFixed(1)} ms each`,
    );
  if (startup.firstTickMs !== null)
    parts.push(`first tick ${Math.round(startup.firstTickMs)} ms after the process started`);
  return parts;
}

function seconds(value: number) {
  return `${Number(value.toFixed(2))} s`;
}
