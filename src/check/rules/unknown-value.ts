import { literalText, type Node } from '../../../engine/index.ts';
import { colourMeant, colourNames, dataTypes, isColour } from '../../../engine/tools.ts';
import { attributesOfTypes } from '../attributes.ts';
import type { Reports, Rule } from '../rule.ts';

/** The areas of the screen in which clients show texts. */
const screenAreas = new Set('top center center-lg scoreboard'.split(' '));

/** Relationships between players (reference: players#relationships), and `everything` for all of them. */
const affected = new Set('hostile friendly neutral everything'.split(' '));

/** Where clients show the bar of an attribute (specification, Attribute); `everywhere` is what `true` is read as. */
const shownAt = new Set(
  'centerBar unitBar unitBarFriendly unitBarNeutral unitBarHostile scoreboard everywhere'.split(' '),
);

export const unknownValue: Rule = {
  because: 'Clients know a fixed list of words for this field, and use a default for other words.',
  wrong: `[{ "type": "updateUiTextForEveryone", "target": "scorebord", "value": "Go" }]`,
  right: `[{ "type": "updateUiTextForEveryone", "target": "scoreboard", "value": "Go" }]`,
  check(context) {
    const { definition, entityTypes, once } = context;
    const { itemTypes, playerTypes, particleTypes, particles, entityTypeVariables, playerTypeVariables } = definition;
    const owners = [definition, ...entityTypes, ...playerTypes.values()];
    for (const variables of [entityTypeVariables, playerTypeVariables, ...owners.map((each) => each.variables)])
      for (const { dataType, pointer } of variables.values())
        if (dataType !== '') word(context, 'data type', dataType, dataTypes, `${pointer}/dataType`);
    for (const { isVisible, color, pointer } of once(attributesOfTypes)) {
      isVisible.forEach((found, i) => {
        likelyWord(context, 'place for attribute bars called', found, shownAt, `${pointer}/isVisible/${i}`);
      });
      colour(context, color, `${pointer}/color`);
    }
    const coloured = [playerTypes, particleTypes, particles, ...entityTypes.map((type) => type.particles)];
    for (const { color, pointer } of coloured.flatMap((each) => [...each.values()]))
      colour(context, color, `${pointer}/color`);
    for (const { damage, pointer } of itemTypes.values())
      damage?.targetsAffected.forEach((found, i) => {
        word(context, 'kind of target', found, affected, `${pointer}/damage/targetsAffected/${i}`);
      });
  },
  visit: (context) => ({
    action({ rule, operands }) {
      Object.entries(rule?.params ?? {}).forEach(([key, { name }], i) => {
        const operand = operands[i]!;
        const found = literalText(operand);
        if (found !== undefined && name === 'screen area')
          likelyWord(context, 'area of the screen called', found, screenAreas, operand);
        else if (key === 'color') colour(context, found, operand);
      });
    },
  }),
};

function word(
  { report, near }: Reports,
  noun: string,
  found: string,
  known: ReadonlySet<string>,
  at: Node | string,
  suggestion = near(found, known),
  expected = [...known].slice(0, 8).join(', '),
) {
  if (known.has(found)) return;
  report(at, `There is no ${noun} "${found}".`, suggestion === undefined ? expected : undefined, found, suggestion);
}

/** Reports only likely misspellings, because clients and scripts may define other words. */
function likelyWord(context: Reports, noun: string, found: string, known: ReadonlySet<string>, at: Node | string) {
  if (context.near(found, known) !== undefined) word(context, noun, found, known, at);
}

function colour(context: Reports, found: string | undefined, at: Node | string) {
  if (found === undefined || isColour(found)) return;
  const suggestion = colourMeant(found) ?? context.near(found, colourNames);
  word(context, 'colour', found, colourNames, at, suggestion, 'the name of a CSS colour, or #rrggbb');
}
