import { element, setText } from '../parts/element.ts';

const linesMax = 80;
const textMax = 200;

/** Texts that tell players why a message was refused. */
const refusals: Readonly<Record<string, string>> = {
  'not-permitted': 'You are not allowed to chat.',
  'too-many': 'You have sent too many messages in a short time.',
  refused: 'Links, emoji, special characters and some words are not allowed.',
};

/** The chat of a game, with a field for messages. */
export class ChatBox {
  readonly root: HTMLElement;
  readonly input = element('input#chat', {
    type: 'text',
    maxlength: textMax,
    placeholder: 'Message',
    autocomplete: 'off',
    'aria-label': 'Message to everybody',
  });
  private readonly lines = element('div');
  private readonly form = element('form', this.input, element('button', { type: 'submit' }, 'Send'));
  /** The reason why there is no input field, if there is none. */
  private readonly closed = element('p#chat-closed.soft', { hidden: true });
  /** The texts of messages that have no result yet, by the sequence number of the input. */
  private readonly sent = new Map<number, string>();

  /**
   * `say` sends a message and returns its sequence number; if `say` is undefined, there is no input field. `done` is
   * called when a message was sent or cancelled.
   */
  constructor(say: ((text: string) => number) | undefined, done: () => void) {
    this.root = element(
      'section.chat',
      { 'aria-label': 'Chat' },
      // The newest line stays in view unless the reader has scrolled up, because the log lays out from its end.
      element('div.chat-log', { role: 'log', 'aria-label': 'Chat', tabindex: 0 }, this.lines),
    );
    if (say === undefined) return;
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text !== '') this.sent.set(say(text), text);
      this.input.value = '';
      done();
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') done();
    });
    this.root.append(this.form, this.closed);
  }

  /** Replaces the input field by an explanation. An empty explanation shows the field again. */
  close(why: string) {
    if (this.closed.textContent === why) return;
    if (why !== '') this.tell(why);
    setText(this.closed, why);
    this.closed.hidden = why === '';
    this.form.hidden = why !== '';
  }

  /**
   * Handles the result of an input, if that input was a message. A refused message is shown in the log, and put back
   * into the field for editing.
   */
  settle(sequence: number, code: string | undefined) {
    const text = this.sent.get(sequence);
    if (text === undefined) return;
    this.sent.delete(sequence);
    if (code === undefined) return;
    this.tell(`Not sent: “${text}”. ${refusals[code] ?? `The server refused the message (${code}).`}`);
    if (this.input.value === '') this.input.value = text;
  }

  /** Adds a line that is only for this player. The style makes it stand out for some seconds. */
  tell(text: string) {
    this.add('', text).classList.add('told');
  }

  /** Adds a line. `from` is empty for messages of the game itself. */
  add(from: string, text: string): HTMLElement {
    const line = element('p', ...(from === '' ? [] : [element('b', from), ' ']), text);
    if (from === '') line.className = 'soft';
    this.lines.append(line);
    if (this.lines.childElementCount > linesMax) this.lines.firstElementChild!.remove();
    return line;
  }
}
