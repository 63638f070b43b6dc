import { element, textButton } from '../viewer/index.ts';
import type { Editor } from './editor.ts';
import type { LocatedProblem } from './worker-messages.ts';

/** A list of problems with their locations, which lead there in the editor. */
export function problemList(problems: readonly LocatedProblem[], editor?: Pick<Editor, 'go'>): HTMLElement {
  return element(
    'ul.problems',
    ...problems.map((problem) => {
      const { severity, code, message, pointer, line, column, from, to } = problem;
      const place = line === undefined ? '' : `line ${line}, column ${column}`;
      const at =
        editor === undefined || place === ''
          ? element('span.soft', place)
          : textButton(place, () => editor.go(from, to), { class: 'id' });
      return element(
        'li',
        element('span.head', element('span', { class: `severity ${severity}` }, severity), element('code', code), at),
        element('p', message),
        pointer !== '' && element('small.mono', pointer),
      );
    }),
  );
}
