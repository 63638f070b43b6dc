import { literalText } from '../../../engine/index.ts';
import { colourMeant, colourNames, isColour } from '../../../engine/internal.ts';
import type { Rule } from '../rule.ts';

/** The areas of the screen in which clients show texts. */
const screenAreas: ReadonlySet<string> = new Set(['top', 'center', 'center-lg', 'scoreboard']);

export const unknownValue: Rule = {
  because: 'Clients know a fixed list of words for this, and show a default for others.',
  wrong: `[{ "type": "updateUiTextForEveryone", "target": "scorebord", "value": "Go" }]`,
  right: `[{ "type": "updateUiTextForEveryone", "target": "scoreboard", "value": "Go" }]`,
  visit: ({ report, near }) => ({
    action({ rule, operands }) {
      Object.entries(rule?.params ?? {}).forEach(([key, { name }], i) => {
        const found = name === 'screen area' || key === 'color' ? literalText(operands[i]!) : undefined;
        if (found === undefined) return;
        if (name === 'screen area') {
          // Clients may have other areas, so only likely misspellings are reported.
          const suggestion = screenAreas.has(found) ? undefined : near(found, screenAreas);
          if (suggestion !== undefined)
            report(operands[i]!, `There is no area "${found}" of the screen.`, { found, suggestion });
        } else if (!isColour(found)) {
          const suggestion = colourMeant(found) ?? near(found, colourNames);
          const expected = suggestion === undefined ? 'a name, or #rrggbb' : undefined;
          report(operands[i]!, `There is no colour "${found}".`, { found, expected, suggestion });
        }
      });
    },
  }),
};
