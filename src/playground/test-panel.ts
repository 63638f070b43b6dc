import { messageOf } from '../../engine/core/index.ts';
import { element, setText, textButton } from '../viewer/index.ts';
import type { Editor } from './editor.ts';
import { EnginePort } from './engine-port.ts';
import { problemList } from './problem-list.ts';
import type { ScenarioResult, ScenarioRun } from './worker-messages.ts';

interface TestPorts {
  /** Returns the text of the game with which the scenarios are played. */
  readonly game: () => string;
  /** Loads the initial scenarios, as text. */
  readonly first: () => Promise<string>;
}

/** A scenario that most games pass, for a game that has none yet. */
export const exampleScenario = `game: game.json
scenarios:
  - name: bots play a minute without a fault
    given: { bots: 4 }
    steps:
      - { wait: 1 min }
      - { expect: players >= 1 }
`;

const signs = { passed: '✓', failed: '✗', skipped: '–' } as const;

/** The panel with the scenarios of the game. They are run with the game as it is being edited. */
export class TestPanel {
  readonly root = element('section#panel-test.tool-panel', { 'aria-label': 'Test' });
  private readonly status = element('output#test-status.soft', { 'aria-live': 'polite' }, 'Loading …');
  private readonly list = element('div#results.results');
  private readonly runButton = textButton('Run the scenarios', () => this.run(), { class: 'main', id: 'run-tests' });
  private tools: EnginePort | undefined;
  /** The run in progress; the button stops it. */
  private running: EnginePort | undefined;
  private editor: Editor | undefined;

  constructor(private readonly ports: TestPorts) {}

  /** The text of the scenarios; undefined before the panel was first opened. */
  get text(): string | undefined {
    return this.editor?.text;
  }

  async open() {
    if (this.tools !== undefined) return;
    const tools = new EnginePort((why) => setText(this.status, `The checks have stopped: ${why}`));
    this.tools = tools;
    this.root.replaceChildren(element('div.row', this.runButton, this.status), this.list);
    const [{ Editor }, text] = await Promise.all([import('./editor.ts'), this.ports.first()]);
    this.editor = new Editor(text, {
      label: 'The scenarios',
      language: 'yaml',
      check: (given) => tools.request('checkScenarios', { text: given, game: this.ports.game() }),
      complete: (given, offset) => tools.request('completeScenario', { text: given, offset, game: this.ports.game() }),
      hover: (given, offset) => tools.request('hoverScenario', { text: given, offset }),
      run: () => void this.run(),
    });
    this.root.insertBefore(this.editor.root, this.list);
    setText(this.status, 'The scenarios play the text of the game under "Edit and check"');
  }

  close() {
    this.tools?.close();
    this.running?.close();
  }

  private async run() {
    if (this.running !== undefined) {
      this.end('Stopped.');
      return;
    }
    if (this.editor === undefined) return;
    const port = new EnginePort((why) => this.end(`The run has stopped: ${why}`));
    this.running = port;
    setText(this.runButton, 'Stop');
    try {
      const { text } = this.editor;
      const params = { text, game: this.ports.game() };
      this.show(await port.request('runScenarios', params, (_share, doing) => setText(this.status, doing)));
    } catch (error) {
      if (this.running === port) this.end(messageOf(error));
    }
  }

  private show({ problems, results }: ScenarioRun) {
    this.list.replaceChildren(
      problems.length > 0
        ? problemList(problems, this.editor)
        : element('ul', ...results.map((each) => this.itemOf(each))),
    );
    const failed = results.filter(({ outcome }) => outcome === 'failed').length;
    const passed = results.filter(({ outcome }) => outcome === 'passed').length;
    const ms = results.reduce((sum, { wallMs }) => sum + wallMs, 0);
    const counts = `${passed} passed, ${failed} failed, in ${(ms / 1000).toFixed(1)} s`;
    this.end(problems.length > 0 ? 'These scenarios cannot be run.' : counts);
    this.status.classList.toggle('bad', failed + problems.length > 0);
  }

  private itemOf({ title, outcome, note, line, simulatedSeconds, story, picture }: ScenarioResult) {
    const time = outcome === 'skipped' ? '' : `${simulatedSeconds.toFixed(1)} s`;
    const head = [
      element('span', { class: `sign ${outcome === 'failed' ? 'bad' : outcome}`, title: outcome }, signs[outcome]),
      element('span.title', title, note !== undefined && element('small', ` ${note}`)),
      element('small', time),
    ];
    if (story === undefined) return element('li', element('div.head', ...head));
    const place = textButton(`line ${line ?? 1}`, () => this.editor?.goToLine(line ?? 1), { class: 'id' });
    return element(
      'li',
      element(
        'details',
        { open: true },
        element('summary.head', ...head),
        place,
        element('pre', { tabindex: 0 }, story),
        picture !== '' &&
          element('img', { alt: 'The map at that moment', src: `data:image/svg+xml,${encodeURIComponent(picture)}` }),
      ),
    );
  }

  private end(says: string) {
    this.running?.close();
    this.running = undefined;
    setText(this.runButton, 'Run the scenarios');
    setText(this.status, says);
  }
}
