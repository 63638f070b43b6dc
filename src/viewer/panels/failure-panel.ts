import { onsetText, type ShownFailure } from '../../run/index.ts';
import { element, type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import { soft } from './details.ts';
import { tickButton, valueLink } from './links.ts';
import { withScripts } from './value-panel.ts';

/** The expected and found values, for the top of the page. */
export function failureHead({ title, report }: ShownFailure): HTMLElement {
  const { expected, found, because } = report;
  return element(
    'section.failed',
    { 'aria-label': 'The failure' },
    element('p', element('b.bad', '✗ '), element('b', title)),
    element('p.mono', element('b', expected)),
    ...found.map((line) => element('p.mono.found', line)),
    because !== undefined && element('p', `because ${because}`),
  );
}

/**
 * The details of the failure, and explanations of the values that it concerns. Ticks are buttons that go to the tick.
 */
export function failureContent(
  { report, onset }: ShownFailure,
  why: readonly Markup[],
  states: readonly Markup[],
  history: History | undefined,
): readonly Markup[] {
  const { differences, falseConditions, scripts, events, tick, seconds } = report;
  const rows = (title: string, list: readonly Markup[]): Markup[] =>
    list.length === 0 ? [] : [markup('h3', title), ...list];
  const linked = (text: string): Markup[] => (history === undefined ? [text] : withScripts(history, text));
  const hasOnset = onset !== undefined && onset.tick !== tick;
  return [
    markup('h2', 'Why it failed'),
    ...(onset === undefined ? [] : [markup('p', onsetText(onset, false))]),
    markup(
      'p.list',
      hasOnset && tickButton(onset.tick, `Wrong since tick ${onset.tick}`),
      tickButton(tick, `Failed at tick ${tick}, ${seconds.toFixed(2)} s of the scenario`),
    ),
    ...why,
    ...report.why.map((line) => markup('p', line)),
    ...states,
    ...rows(
      'Changes since the last passed expectation',
      differences.map(({ what, before, after }) =>
        markup(
          'p.event',
          // The texts of differences contain type names, such as `alice.unit (Human).health`. The link gets the
          // expression without them.
          valueLink(what.replace(/ \([^)]*\)(?=\.)/, ''), what),
          ' ',
          soft(before),
          ` → ${after}`,
        ),
      ),
    ),
    ...rows(
      'Conditions that were false',
      falseConditions.map((each) =>
        markup(
          'p.event',
          tickButton(each.tick),
          ' ',
          markup('code', each.text),
          markup(
            'small',
            ...linked(`"${each.script}"`),
            ...[...each.sides, each.count > 1 ? `${each.count} times` : ''].filter(Boolean).map((text) => ` · ${text}`),
          ),
        ),
      ),
    ),
    ...rows(
      'Scripts that ran',
      scripts.map(({ script, count }) => markup('p.event', ...linked(`"${script}"`), soft(` ${count}×`))),
    ),
    ...rows(
      'Last events',
      [...events]
        .reverse()
        .map((each) =>
          markup(
            'p.event',
            tickButton(each.tick),
            ` ${each.text}`,
            each.from !== undefined && markup('small', ...linked(each.from)),
          ),
        ),
    ),
  ];
}
