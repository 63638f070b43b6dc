import { rounded } from '../sweep/index.ts';
import { amount, shortened, tableLines } from '../text/index.ts';
import type { MeasureDiff } from './measure-diff.ts';
import type { PlayedDifference } from './play-diff.ts';

/** The result of `--play`. */
export interface PlayDiff {
  readonly bots: number;
  readonly seconds: number;
  /** One for each seed. */
  readonly plays: readonly PlayedDifference[];
  readonly measures: readonly MeasureDiff[];
}

const shownMax = 15;
const nameMax = 40;

/** Where the games first differ, and a table of the measures that differ. */
export function playLines({ bots, seconds, plays, measures }: PlayDiff): string[] {
  const what = `${amount(plays.length, 'seed')} of ${seconds} s with ${amount(bots, 'bot')}`;
  const parted = plays.filter(({ parted }) => parted !== null);
  const [first] = parted.toSorted((a, b) => a.parted!.tick - b.parted!.tick);
  if (first === undefined) return [`plays the same: ${what}`, ...measureTable(measures, what)];
  const { seed, ticksPerSecond } = first;
  const { tick, field } = first.parted!;
  const time = `tick ${tick} (${Number((tick / ticksPerSecond).toFixed(2))} s)`;
  const how =
    field === undefined
      ? ''
      : `: ${field.path}  ${shortened(field.left, nameMax)} → ${shortened(field.right, nameMax)}`;
  return [
    `plays differently from ${time} with seed ${seed}${how}`,
    `  in ${parted.length} of ${what}, with the same inputs`,
    ...measureTable(measures, what),
  ];
}

function measureTable(measures: readonly MeasureDiff[], what: string): string[] {
  const differing = measures.filter((measure) => measure.differing > 0);
  if (differing.length === 0) return [`measures: no difference in ${amount(measures.length, 'measure')}`];
  const rows = [
    ['measure', 'old', 'new', 'difference (95 % interval)'],
    ...differing
      .slice(0, shownMax)
      .map(({ measure, before, after, difference, seeds, differing }) => [
        shortened(measure, nameMax),
        before === null ? '' : rounded(before),
        after === null ? '' : rounded(after),
        difference === null ? `differs in ${differing} of ${amount(seeds, 'seed')}` : intervalText(difference),
      ]),
  ];
  const more = differing.length - shownMax;
  return [
    `measures at the end of ${what}:`,
    ...tableLines(rows).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … ${more} more`] : []),
  ];
}

function intervalText({ value, low, high }: { value: number; low: number | null; high: number | null }): string {
  const signed = (number: number): string => (number > 0 ? `+${rounded(number)}` : rounded(number));
  if (low === null || high === null) return signed(value);
  const isSure = low > 0 || high < 0;
  return `${signed(value)} (${signed(low)} to ${signed(high)})${isSure ? '' : ', may be chance'}`;
}
