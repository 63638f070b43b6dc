import { button, element, formOf, textButton, toggleTheme } from '../viewer/index.ts';
import { type Sample, samples } from './samples.ts';

interface StartPorts {
  readonly sample: (sample: Sample) => void;
  readonly file: (file: File) => void;
  readonly text: (text: string) => void;
  readonly url: (url: string) => void;
}

/** The screen on which a game is chosen: the gallery, and every way to open one's own game. */
export class StartScreen {
  private readonly ends = new AbortController();

  constructor(root: HTMLElement, ports: StartPorts, fault: string) {
    const cards = samples.map((sample) => {
      const image = element('img', { src: `games/${sample.key}.svg`, alt: '' });
      const card = element(
        'button.sample',
        { type: 'button', 'data-sample': sample.key },
        element('span.picture', { 'aria-hidden': 'true' }, image),
        element('span.words', element('b', sample.title), element('small', sample.about), element('span.go', '▶ Play')),
      );
      card.addEventListener('click', () => ports.sample(sample));
      return element('li', card);
    });
    const chooser = element('input#file', { type: 'file', accept: '.json,.gz,application/json', hidden: true });
    chooser.addEventListener('change', () => {
      const file = chooser.files?.[0];
      if (file !== undefined) ports.file(file);
    });
    const choose = textButton('Choose a file', () => chooser.click(), { id: 'choose' });
    const drop = element(
      'div#drop.drop',
      element('p', element('b', 'Drop a game.json here'), ' – or its compressed .gz'),
      choose,
      chooser,
      element('p.soft', 'The game stays on this machine; nothing is sent anywhere.'),
    );
    const text = element('textarea#paste', { spellcheck: 'false', placeholder: '{ "data": { … } }' });
    const url = element('input#url', { type: 'url', placeholder: 'https://…/game.json', autocomplete: 'off' });
    const way = (label: string, verb: string, field: typeof text | typeof url, open: (entered: string) => void) =>
      formOf(
        {},
        () => {
          const entered = field.value.trim();
          if (entered !== '') open(entered);
        },
        element('label', { for: field.id }, label),
        field,
        element('button', { type: 'submit' }, verb),
      );
    const pasting = way('Paste a game', 'Open the text', text, ports.text);
    const linking = way('Load from a URL', 'Load', url, ports.url);
    root.replaceChildren(
      element(
        'div.start',
        element(
          'header',
          element('span.brand', 'Reenact playground'),
          element(
            'nav',
            { 'aria-label': 'Site' },
            element('a', { href: '../' }, 'Documentation'),
            button('◐', 'Light or dark', '', () => toggleTheme()),
          ),
        ),
        element(
          'main.choice',
          element(
            'section.hero',
            element('h1', 'Watch, play and test a 2D game from its JSON'),
            element(
              'p',
              'Press a game, and bots start to play it. Take over from a bot, look inside every script, go back in time, change a value, and share any moment as a link.',
            ),
            fault !== '' && element('p#fault.bad', { role: 'alert' }, fault),
          ),
          element('ul.gallery', { 'aria-label': 'Games' }, ...cards),
          element(
            'section.own',
            { 'aria-labelledby': 'own' },
            element('h2#own', 'Your own game'),
            drop,
            element('div.ways', pasting, linking),
          ),
        ),
        element(
          'footer',
          'Reenact runs a game definition without its client. The whole engine is in this page, and works offline.',
        ),
      ),
    );
    this.takePastes(ports);
    document.documentElement.dataset['state'] = 'start';
  }

  close() {
    this.ends.abort();
  }

  /** A pasted file or text is opened as a game, unless it is pasted into an input field. */
  private takePastes({ file, text }: StartPorts) {
    const { signal } = this.ends;
    document.addEventListener(
      'paste',
      ({ clipboardData, target }) => {
        const isOfField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
        const pasted = clipboardData?.files[0];
        const words = clipboardData?.getData('text/plain') ?? '';
        if (pasted !== undefined) file(pasted);
        else if (!isOfField && words.trim() !== '') text(words);
      },
      { signal },
    );
  }
}
