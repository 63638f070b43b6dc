import { Option } from '@commander-js/extra-typings';
import type { WholeReport } from '../report/index.ts';
import { decimalNumber } from './options.ts';

/** Shares in percent below which a run fails. */
interface Thresholds {
  readonly coverageMin?: number;
  readonly mutationMin?: number;
}

export function coverageMinOption() {
  const text = 'fail if less than this percentage of the actions of a game ran';
  return new Option('--coverage-min <percent>', text).argParser(decimalNumber(0, 100));
}

export function mutationMinOption() {
  const text = 'fail if less than this percentage of the changes to a game is detected';
  return new Option('--mutation-min <percent>', text).argParser(decimalNumber(0, 100));
}

/** One line for each game that does not meet a threshold. */
export function unmetThresholds(
  { coverage, mutation }: Pick<WholeReport, 'coverage' | 'mutation'>,
  { coverageMin = 0, mutationMin = 0 }: Thresholds,
): string[] {
  const share = (part: number, total: number, min: number, text: (share: string) => string): string[] => {
    if (part * 100 >= min * total) return [];
    const percent = Math.floor((part * 1000) / total) / 10;
    return [`${text(`${part} of ${total}`)} (${percent} %), but ${min} % is required`];
  };
  return [
    ...coverage.flatMap(({ game, actions: { ran, total } }) =>
      share(ran, total, coverageMin, (found) => `coverage of ${game}: ${found} actions ran`),
    ),
    ...mutation.flatMap(({ game, noticed, total }) =>
      share(noticed, total, mutationMin, (found) => `mutation of ${game}: ${found} changes were detected`),
    ),
  ];
}
