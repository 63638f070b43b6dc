import { amount } from '../text/index.ts';
import { element, setText, textButton } from '../viewer/index.ts';
import type { Editor } from './editor.ts';
import { EnginePort } from './engine-port.ts';
import { problemList } from './problem-list.ts';
import type { Problems } from './worker-messages.ts';

/** The editing panel: a text editor, the problems of the text, and the button that plays it. */
export class EditPanel {
  readonly root = element('section#panel-edit.tool-panel', { 'aria-label': 'Edit' });
  private original: string;
  private isFormatted: boolean;
  private readonly status = element('output#edit-status.soft', { 'aria-live': 'polite' }, 'Loading the editor …');
  private readonly summary = element('summary', 'Problems');
  private readonly list = element('details.found-problems', this.summary);
  /** A separate worker for checks and completion, so that they do not slow down the game. */
  private tools: EnginePort | undefined;
  private editor: Editor | undefined;

  constructor(
    text: string,
    /** Plays the edited game. Resolves with a message about what happened. */
    private readonly play: (text: string, isFromStart: boolean) => Promise<string>,
    /** Whether the game cannot be played, so that the editor begins at its first problem. */
    private isBroken = false,
  ) {
    this.original = text;
    this.isFormatted = text.includes('\n');
  }

  /** The text as it is being edited. */
  get text(): string {
    if (this.editor !== undefined) return this.editor.text;
    // The text is formatted on demand, because formatting it when the game is opened would delay the first frame of a
    // large game.
    if (!this.isFormatted) this.original = formatted(this.original);
    this.isFormatted = true;
    return this.original;
  }

  /** Loads the editor when the panel is opened for the first time. */
  async open() {
    if (this.tools !== undefined) return;
    const tools = new EnginePort((why) => setText(this.status, `The checks have stopped: ${why}`));
    this.tools = tools;
    const again = textButton('Play on with the changes', () => this.run(false), {
      id: 'run',
      class: 'main',
      title: 'Repeats all inputs with the changed game up to this tick, and plays on (Ctrl+Enter)',
    });
    const restart = textButton('From the start', () => this.run(true), {
      id: 'restart',
      title: 'Begins a new play of the changed game',
    });
    this.root.replaceChildren(element('div.row', again, restart, this.status), this.list);
    const { Editor } = await import('./editor.ts');
    this.editor = new Editor(this.text, {
      label: 'The game definition',
      language: 'json',
      check: async (text) => {
        const found = await tools.request('check', { text });
        this.show(found);
        return found.problems;
      },
      complete: (text, offset) => tools.request('complete', { text, offset }),
      hover: (text, offset) => tools.request('hover', { text, offset }),
      run: () => void this.run(false),
    });
    this.root.insertBefore(this.editor.root, this.list);
    setText(this.status, 'Ctrl+Space completes');
  }

  close() {
    this.tools?.close();
  }

  private async run(isFromStart: boolean) {
    if (this.editor === undefined) return;
    setText(this.status, 'Playing …');
    const failed = (error: Error) => error.message;
    setText(this.status, await this.play(this.editor.text, isFromStart).catch(failed));
  }

  private show({ problems, counts }: Problems) {
    const { error, warning, info } = counts;
    setText(this.summary, `${amount(error, 'error')}, ${amount(warning, 'warning')}, ${amount(info, 'note')}`);
    this.summary.classList.toggle('bad', error > 0);
    this.list.replaceChildren(this.summary, problemList(problems, this.editor));
    const [first] = problems;
    if (!this.isBroken || first === undefined) return;
    this.isBroken = false;
    this.list.open = true;
    this.editor?.go(first.from, first.to);
  }
}

function formatted(text: string) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
