import { element } from '../element.ts';

const linesMax = 80;
const textMax = 200;

/** The chat of the room, and a field to say something. */
export class ChatBox {
  readonly root: HTMLElement;
  readonly input = element('input', {
    ...{ type: 'text', id: 'chat', maxlength: textMax, placeholder: 'Say something', autocomplete: 'off' },
    'aria-label': 'Say something to everybody',
  });
  private readonly log = element('div', { class: 'chat-log', role: 'log', 'aria-label': 'Chat', tabindex: 0 });

  /** Without `say` there is no field. `done`: somebody has sent a line, or does not want to. */
  constructor(say: ((text: string) => void) | undefined, done: () => void) {
    this.root = element('section', { class: 'chat', 'aria-label': 'Chat' }, this.log);
    if (say === undefined) return;
    const form = element('form', {}, this.input, element('button', { type: 'submit' }, 'Say'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text !== '') say(text);
      this.input.value = '';
      done();
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') done();
    });
    this.root.append(form);
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
