import type { Dictionary } from '../../engine/core/index.ts';

interface Project {
  readonly name: string;
  /** The text of the game's file. */
  readonly game: string;
  /** The text of the file with its scenarios. */
  readonly scenarios: string;
  readonly dependencies: Dictionary<string>;
}

/** The files of a project with a game, by path, as `reenact init` writes them. */
export function projectFiles({ name, game, scenarios, dependencies }: Project): Record<string, string> {
  const schemas = './node_modules/reenact/schema';
  return {
    'game.json': game,
    'game.scenario.yaml': scenarios
      .replace(/^game: .*$/m, 'game: game.json')
      .replace(/^# yaml-language-server: .*$/m, `# yaml-language-server: $schema=${schemas}/scenario.schema.json`),
    'package.json': json({
      name: packageName(name),
      version: '1.0.0',
      private: true,
      scripts: {
        check: 'reenact check game.json --strict',
        start: 'reenact run game.json --bots 4',
        test: 'reenact test',
        bench: `reenact bench game.json --baseline bench.json --require "${benchLimit}"`,
        'bench:save': 'reenact bench game.json --save bench.json',
      },
      devDependencies: dependencies,
    }),
    '.vscode/settings.json': json({
      'json.schemas': [{ fileMatch: ['game.json'], url: `${schemas}/game-definition.schema.json` }],
      'yaml.schemas': { [`${schemas}/scenario.schema.json`]: '*.scenario.yaml' },
    }),
    '.vscode/extensions.json': json({ recommendations: ['redhat.vscode-yaml'] }),
    '.github/workflows/ci.yml': workflow,
    'README.md': readme.replace('NAME', name),
    [hookFile]: preCommit,
    '.gitattributes': 'game.json diff=reenact\n',
    '.gitignore': 'node_modules/\n.reenact/\n.wrangler/\n.dev.vars*\nresults.xml\nreport.html\nreenact-results*.json\n',
  };
}

/** The README of the project. */
const readme = `# NAME

A game for [Reenact](node_modules/reenact/README.md), which plays and tests it without a client. It needs Node.js 20.19 or newer.

\`\`\`sh
npm install
npm test                                             # plays the scenarios in *.scenario.yaml
npm start                                            # four bots play for a minute
npx reenact check game.json                          # finds mistakes in the game
npx reenact add                                      # lists recipes: teams, a gun, a shop, rounds, respawn …
npx reenact run game.json --bots 4 --record play.rj  # records a play …
npx reenact view play.rj --open                      # … and shows it
npx reenact print game.json                          # shows the game as text
\`\`\`

| file | what it is |
|---|---|
| \`game.json\` | the game: types of units and items, scripts, the map |
| \`game.scenario.yaml\` | scenarios of the game, with steps and expectations |
| \`.github/workflows/ci.yml\` | checks and tests each push |
| \`.githooks/pre-commit\` | checks and tests before each commit, after \`git config core.hooksPath .githooks\` |

Next: [write a game](node_modules/reenact/docs/writing-a-game.md), [recipes](node_modules/reenact/docs/recipes.md), [scenarios](node_modules/reenact/docs/scenarios.md), [editors](node_modules/reenact/docs/editors.md).
`;

export const hookFile = '.githooks/pre-commit';

/**
 * The git hook. It first changes to the folder of the project, because git runs hooks in the top folder of the
 * repository.
 */
const preCommit = `#!/bin/sh
# Refuses a commit while the game has issues or fails a scenario. To commit nevertheless: git commit --no-verify
cd "$(dirname "$0")/.." || exit 1
npx --no-install reenact check game.json --strict && npx --no-install reenact test --bail
`;

/**
 * The limit for the cost of a change: 5 % more actions. Actions are counted, because their number is the same on every
 * machine.
 */
const benchLimit = 'actions <= 1.05 * before.actions';

/** The benchmark step is skipped until `npm run bench:save` has written a baseline. */
const workflow = `name: ci
on: [push, pull_request]
jobs:
  game:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm install
      - run: npx reenact check game.json --strict
      - run: npx reenact test --reporter pretty --reporter github --reporter junit=results.xml --reporter html=report.html
      - run: if [ -f bench.json ]; then npm run bench; fi
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: |
            results.xml
            report.html
`;

function json(value: unknown) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Derives a valid npm package name from a folder: letters, digits and hyphens. */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'game' : name;
}
