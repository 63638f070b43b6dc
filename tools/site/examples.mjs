// The games and scenarios in the documentation that the playground can open.
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { mergedWith } from '../../dist/src/scenario/index.js';

const project = new URL('../../', import.meta.url);

/** What the blocks of a page extend: those of a recipe the blank game, those of the guide each other. */
const pages = {
  'docs/recipes.md': {
    base: JSON.parse(readFileSync(new URL('templates/blank/game.json', project), 'utf8')),
    startsAgain: true,
  },
  'docs/writing-a-game.md': { base: {}, startsAgain: false },
};

/**
 * The examples of a page: the text of the block, the game (a sample, or the text of all pieces up to the block), and
 * the scenarios if the block shows some.
 */
export function examplesOf(path, markdown) {
  const { base, startsAgain } = pages[path] ?? { base: {}, startsAgain: false };
  const examples = [];
  let game = base;
  for (const [, title, kind, block] of markdown.matchAll(
    /^#{2,3} (.+)$|(?:^<!-- (game|scenario) -->\n)?^```(?:json|yaml)\n([\s\S]*?)^```/gm,
  )) {
    if (title !== undefined && startsAgain) game = base;
    if (kind === 'game') game = mergedWith(game, JSON.parse(block));
    const source = { text: JSON.stringify(game, null, 2), name: 'game.json' };
    if (kind === 'game') examples.push({ block, game: source });
    else if (kind === 'scenario')
      examples.push({
        block,
        game: source,
        scenarios: `game: game.json\nscenarios:\n${block.replaceAll(/^/gm, '  ')}`,
      });
    else if (/^game: outbreak\.json/m.test(block ?? ''))
      examples.push({ block, game: { sample: 'outbreak' }, scenarios: block });
  }
  return examples;
}

/** What examples that show no game configure, by how they begin. The playground has no use for these. */
const configurations = {
  'what check reports': /^\{\s*"(?:check|rules)":/,
  'an editor': /^\{\s*"lsp":/,
  'an assistant': /^\{\s*"mcpServers":/,
  'the platform of a server': /^\{\s*"ads":/,
  'a server': /^#.*serve\.schema\.json/,
  'a workflow': /^on:/,
};

/** What a block of JSON or YAML configures, if it shows no game and no scenario. */
export function configured(block) {
  return Object.keys(configurations).find((each) => configurations[each].test(block));
}

/** The part of an address of the playground that opens an example: see `src/playground/link.ts`. */
export function fragmentOf({ game, scenarios }) {
  return `#try=${deflateRawSync(JSON.stringify({ game, scenarios })).toString('base64url')}`;
}
