import { onsetText, type ShownFailure } from '../run/failure-report.ts';
import { element } from './element.ts';

/** The expected and found values, for the top of the page. */
export function failureHead({ title, report }: ShownFailure): HTMLElement {
  const { expected, found, because } = report;
  return element(
    'section',
    { class: 'failed', 'aria-label': 'The failure' },
    element('p', {}, element('b', { class: 'bad' }, '✗ '), element('b', {}, title)),
    element('p', { class: 'mono' }, element('b', {}, expected)),
    ...found.map((line) => element('p', { class: 'mono found' }, line)),
    ...(because === undefined ? [] : [element('p', {}, `because ${because}`)]),
  );
}

/** The details of the failure. Ticks are buttons that seek there. */
export function failureContent({ report, onset }: ShownFailure): readonly Node[] {
  const { differences, falseConditions, scripts, events, tick, seconds } = report;
  const rows = (title: string, list: readonly Node[]): Node[] =>
    list.length === 0 ? [] : [element('h3', {}, title), ...list];
  const hasOnset = onset !== undefined && onset.tick !== tick;
  return [
    element('h2', {}, 'Why it failed'),
    ...(onset === undefined ? [] : [element('p', {}, onsetText(onset))]),
    element(
      'p',
      { class: 'list' },
      ...(hasOnset ? [tickButton(onset.tick, `Wrong since tick ${onset.tick}`)] : []),
      tickButton(tick, `Failed at tick ${tick} (${seconds.toFixed(2)} s)`),
    ),
    ...rows(
      'Changes since the last passed expectation',
      differences.map(({ what, before, after }) =>
        element(
          'p',
          { class: 'event' },
          element('code', {}, what),
          ' ',
          element('span', { class: 'soft' }, before),
          ` → ${after}`,
        ),
      ),
    ),
    ...rows(
      'Conditions that were false',
      falseConditions.map((each) =>
        element(
          'p',
          { class: 'event' },
          tickButton(each.tick),
          ' ',
          element('code', {}, each.text),
          element(
            'small',
            {},
            [each.script, ...each.sides, each.count > 1 ? `${each.count} times` : ''].filter(Boolean).join(' · '),
          ),
        ),
      ),
    ),
    ...rows(
      'Scripts that ran',
      scripts.map(({ script, count }) =>
        element('p', { class: 'event' }, script, element('span', { class: 'soft' }, ` ${count}×`)),
      ),
    ),
    ...rows(
      'Last events',
      [...events]
        .reverse()
        .map((each) =>
          element(
            'p',
            { class: 'event' },
            tickButton(each.tick),
            ` ${each.text}`,
            ...(each.from === undefined ? [] : [element('small', {}, each.from)]),
          ),
        ),
    ),
  ];
}

function tickButton(tick: number, text = `tick ${tick}`): HTMLElement {
  return element('button', { type: 'button', class: 'id', 'data-tick': tick }, text);
}
