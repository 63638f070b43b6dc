import { element, textButton } from '../viewer/index.ts';
import type { LocatedProblem } from './worker-messages.ts';

/** A list of problems with their locations. `go` is called when one is chosen. */
export function problemList(problems: readonly LocatedProblem[], go?: (problem: LocatedProblem) => void): HTMLElement {
  return element(
    'ul.problems',
    ...problems.map((problem) => {
      const { severity, code, message, pointer, line, column } = problem;
      const place = line === undefined ? '' : `line ${line}, column ${column}`;
      const at =
        go === undefined || place === ''
          ? element('span.soft', place)
          : textButton(place, () => go(problem), { class: 'id' });
      return element(
        'li',
        element('span.head', element('span', { class: `severity ${severity}` }, severity), element('code', code), at),
        element('p', message),
        pointer !== '' && element('small.mono', pointer),
      );
    }),
  );
}
