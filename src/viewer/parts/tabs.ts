import { element, type Markup, nodeOf, setText, textButton } from './element.ts';
import { patchChildren } from './patch.ts';

interface TabPorts<T extends string> {
  /** Called when the user clicks an id. */
  readonly select: (id: string) => void;
  /** Called when the user clicks a tab. The function must call `choose` and draw the list of the tab. */
  readonly open: (tab: T) => void;
  /** An element above the lists. */
  readonly tools?: HTMLElement;
}

/** Tabs next to the stage, with the list of the current tab. */
export class Tabs<T extends string> {
  readonly root: HTMLElement;
  current: T;
  private readonly buttons = new Map<T, HTMLButtonElement>();
  private readonly body = element('div#panel.body', { role: 'tabpanel', tabindex: 0 });
  /** While the pointer is pressed, the list is not redrawn, because the click would be lost. */
  private isPressed = false;

  /** `tabs` are the labels by id; `first` is selected initially. */
  constructor(
    tabs: Readonly<Partial<Record<T, string>>>,
    first: T,
    private readonly ports: TabPorts<T>,
  ) {
    this.current = first;
    const list = element('div.tabs', { role: 'tablist', 'aria-label': 'Lists' });
    for (const tab of Object.keys(tabs) as T[]) {
      const about = { role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' };
      const made = textButton(tabs[tab] ?? '', () => this.ports.open(tab), about);
      list.append(made);
      this.buttons.set(tab, made);
    }
    list.addEventListener('keydown', (event) => this.walk(event));
    this.root = element(
      'aside.panels',
      { 'aria-label': 'Details' },
      element('h2.unseen', 'Details'),
      list,
      ports.tools !== undefined && ports.tools,
      this.body,
    );
    this.mark();
    this.body.addEventListener('pointerdown', () => {
      this.isPressed = true;
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      // The click event comes after this event, so the flag is reset a little later.
      addEventListener(end, () => setTimeout(() => (this.isPressed = false)));
    }
    this.body.addEventListener('click', ({ target }) => {
      const id = (target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset['id'];
      if (id !== undefined) this.ports.select(id);
    });
  }

  /** Changes the text of a tab. */
  label(tab: T, text: string) {
    setText(this.buttons.get(tab)!, text);
  }

  /** Makes a tab the current one. The caller must draw its list. */
  choose(tab: T) {
    if (!this.buttons.has(tab)) return;
    this.isPressed = false;
    if (tab !== this.current) this.body.scrollTop = 0;
    this.current = tab;
    this.mark();
  }

  show(content: readonly Markup[]) {
    if (!this.isPressed) patchChildren(this.body, content.map(nodeOf));
  }

  private mark() {
    for (const [tab, made] of this.buttons) {
      made.setAttribute('aria-selected', String(tab === this.current));
      made.tabIndex = tab === this.current ? 0 : -1;
    }
    this.body.setAttribute('aria-labelledby', `tab-${this.current}`);
  }

  private walk(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...this.buttons.keys()];
    const next = all[(all.indexOf(this.current) + step + all.length) % all.length]!;
    this.ports.open(next);
    this.buttons.get(next)!.focus();
  }
}
