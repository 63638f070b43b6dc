import { element, setText } from '../../../viewer/element.ts';
import type { Code } from '../../client/index.ts';

const linesMax = 80;
const textMax = 200;

/** Why a message was not published, for people. */
const refusals: Partial<Record<Code, string>> = {
  'not-permitted': 'You may not write in this chat.',
  'too-many': 'You wrote too much in a short time.',
  refused: 'Links, emoji and some other signs are not taken.',
};

/** The chat of the room, and a field to say something. */
export class ChatBox {
  readonly root: HTMLElement;
  readonly input = element('input', {
    ...{ type: 'text', id: 'chat', maxlength: textMax, placeholder: 'Say something', autocomplete: 'off' },
    'aria-label': 'Say something to everybody',
  });
  private readonly log = element('div', { class: 'chat-log', role: 'log', 'aria-label': 'Chat', tabindex: 0 });
  private readonly form = element('form', {}, this.input, element('button', { type: 'submit' }, 'Say'));
  /** Why there is no field. */
  private readonly closed = element('p', { class: 'soft', id: 'chat-closed', hidden: true });
  /** Messages whose results have not come yet, by the number of their input. */
  private readonly sent = new Map<number, string>();

  /** `say` sends a message and gives its number. Without it there is no field. `done`: somebody has sent a line, or does not want to. */
  constructor(say: ((text: string) => number) | undefined, done: () => void) {
    this.root = element('section', { class: 'chat', 'aria-label': 'Chat' }, this.log);
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

  /** Takes the field away and says why, or gives it back for an empty text. */
  close(why: string): void {
    setText(this.closed, why);
    this.closed.hidden = why === '';
    this.form.hidden = why !== '';
  }

  /** The result of an input, if it was a message. One that was not published stands in the log, and in the field to be changed. */
  settle(sequence: number, code: Code | undefined): void {
    const text = this.sent.get(sequence);
    if (text === undefined) return;
    this.sent.delete(sequence);
    if (code === undefined) return;
    this.add('', `Not sent: “${text}”. ${refusals[code] ?? `The server answers “${code}”.`}`);
    if (this.input.value === '') this.input.value = text;
  }

  /** `from` is empty for the game itself. */
  add(from: string, text: string): void {
    const isAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 30;
    const line = element('p', {}, ...(from === '' ? [] : [element('b', {}, from), ' ']), text);
    if (from === '') line.className = 'soft';
    this.log.append(line);
    while (this.log.childElementCount > linesMax) this.log.firstElementChild!.remove();
    if (isAtEnd) this.log.scrollTop = this.log.scrollHeight;
  }
}
