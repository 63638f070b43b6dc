import { vi } from 'vitest';

/**
 * A document without a browser, as far as our pages use one: tests compare everything that a page shows, and everything
 * that it draws, with the expected text. `page.test.ts` and others run the same code in a real browser.
 */

export type Props = Readonly<Record<string, unknown>>;
type Listener = (event: FakeEvent) => void;

interface FakeEvent extends Props {
  readonly type: string;
  target: FakeElement;
  isPrevented: boolean;
  isStopped: boolean;
}

class FakeNode {
  parent: FakeElement | null = null;
  /** Null for elements. */
  nodeValue: string | null = null;
  readonly nodeName: string;

  constructor(nodeName: string) {
    this.nodeName = nodeName;
  }

  get nextSibling(): FakeNode | null {
    const siblings = this.parent?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get textContent(): string {
    return this.nodeValue ?? '';
  }

  remove(): void {
    this.parent?.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
    this.parent = null;
  }

  replaceWith(other: FakeNode): void {
    this.parent?.insertBefore(other, this);
    this.remove();
  }

  isEqualNode(other: FakeNode): boolean {
    return htmlOf(this) === htmlOf(other);
  }
}

class FakeText extends FakeNode {
  constructor(text: string) {
    super('#text');
    this.nodeValue = text;
  }
}

/** The declarations of a `style` attribute. */
class FakeStyle {
  [name: string]: unknown;

  setProperty(name: string, value: string): void {
    this[name] = value;
  }

  get cssText(): string {
    return Object.entries(this)
      .map(([name, value]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}`)
      .join('; ');
  }

  set cssText(text: string) {
    for (const name of Object.keys(this)) delete this[name];
    for (const part of text.split('; ')) if (part !== '') this[part.split(': ')[0]!] = part.split(': ')[1];
  }
}

/** Properties that reflect an attribute without a value. */
const flags = ['hidden', 'disabled', 'open'] as const;
/** Properties that reflect an attribute. */
const reflected = ['id', 'className', 'min', 'max', 'title', 'type', 'name'] as const;

export class FakeElement extends FakeNode {
  readonly tagName: string;
  readonly childNodes: FakeNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly style = new FakeStyle();
  readonly listeners = new Map<string, Listener[]>();
  value = '';
  tabIndex = -1;
  scrollTop = 0;
  width = 0;
  height = 0;
  clientWidth = 0;
  clientHeight = 0;
  /** Calls and assignments of the context of a canvas. */
  readonly drawn: string[] = [];
  /** The canvas that was last copied into this one. */
  copied: FakeElement | undefined;
  readonly captured = new Set<number>();

  declare hidden: boolean;
  declare disabled: boolean;
  declare open: boolean;
  declare id: string;

  constructor(name: string) {
    super(name.toUpperCase());
    this.tagName = this.nodeName;
    for (const flag of flags) {
      Object.defineProperty(this, flag, {
        get: () => this.attributes.has(flag),
        set: (on: boolean) => (on ? this.attributes.set(flag, '') : this.attributes.delete(flag)),
      });
    }
    for (const name of reflected) {
      const attribute = name === 'className' ? 'class' : name;
      Object.defineProperty(this, name, {
        get: () => this.attributes.get(attribute) ?? '',
        set: (value: string) => this.attributes.set(attribute, String(value)),
      });
    }
  }

  get dataset(): Record<string, string | undefined> {
    const nameOf = (key: string) => `data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return new Proxy({} as Record<string, string | undefined>, {
      get: (_, key) => this.attributes.get(nameOf(String(key))),
      set: (_, key, value) => Boolean(this.attributes.set(nameOf(String(key)), String(value))),
      deleteProperty: (_, key) => this.attributes.delete(nameOf(String(key))) || true,
    });
  }

  get classList() {
    const all = () => new Set((this.attributes.get('class') ?? '').split(' ').filter(Boolean));
    const store = (names: Set<string>) => this.attributes.set('class', [...names].join(' '));
    return {
      add: (name: string) => store(all().add(name)),
      remove: (name: string) => {
        const names = all();
        if (names.delete(name)) store(names);
      },
      contains: (name: string) => all().has(name),
      toggle: (name: string, isOn = !all().has(name)) =>
        isOn ? this.classList.add(name) : this.classList.remove(name),
    };
  }

  get valueAsNumber(): number {
    return this.value === '' ? Number.NaN : Number(this.value);
  }

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get children(): FakeElement[] {
    return this.childNodes.filter((node) => node instanceof FakeElement);
  }

  get firstElementChild(): FakeElement | null {
    return this.children[0] ?? null;
  }

  get childElementCount(): number {
    return this.children.length;
  }

  override get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('');
  }

  override set textContent(text: string) {
    this.replaceChildren(text);
  }

  append(...nodes: readonly (FakeNode | string)[]): void {
    for (const node of nodes) this.insertBefore(typeof node === 'string' ? new FakeText(node) : node, null);
  }

  prepend(...nodes: readonly FakeNode[]): void {
    for (const node of [...nodes].reverse()) this.insertBefore(node, this.firstChild);
  }

  replaceChildren(...nodes: readonly (FakeNode | string)[]): void {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }

  insertBefore(node: FakeNode, before: FakeNode | null): void {
    // An empty text has no place in a page.
    if (node instanceof FakeText && node.nodeValue === '') return;
    node.remove();
    node.parent = this;
    this.childNodes.splice(before === null ? this.childNodes.length : this.childNodes.indexOf(before), 0, node);
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
    if (name === 'value') this.value = String(value);
    if (name === 'tabindex') this.tabIndex = Number(value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  getAttributeNames(): string[] {
    const styled = this.style.cssText === '' ? [] : ['style'];
    return [...this.attributes.keys(), ...styled];
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  /**
   * What a user does with the element: the event goes to its listeners and to those of the elements around it. Returns
   * whether its default was prevented.
   */
  fire(type: string, props: Props = {}): boolean {
    const event: FakeEvent = {
      pointerId: 1,
      button: 0,
      offsetX: 0,
      offsetY: 0,
      key: '',
      ...props,
      type,
      target: this,
      isPrevented: false,
      isStopped: false,
      preventDefault: () => (event.isPrevented = true),
      stopPropagation: () => (event.isStopped = true),
      composedPath: () => ancestorsOf(this),
    };
    for (const element of ancestorsOf(this)) {
      for (const listener of element.listeners.get(type) ?? []) listener(event);
      if (event.isStopped) break;
    }
    return event.isPrevented;
  }

  click(): void {
    if (!this.disabled) this.fire('click');
  }

  /**
   * Supports a tag name, and after it or alone `#id`, `.class`, `[attribute]` or `[attribute=value]`; several with
   * commas.
   */
  matches(selector: string): boolean {
    if (selector.includes(',')) return selector.split(',').some((each) => this.matches(each));
    const [, tag = '', kind = '', name = '', value] =
      /^([\w-]*)(?:([#.[])([\w-]+)(?:="?([^\]"]*)"?)?\]?)?$/.exec(selector) ?? [];
    if (tag !== '' && this.tagName !== tag.toUpperCase()) return false;
    if (kind === '#') return this.id === name;
    if (kind === '.') return this.classList.contains(name);
    if (kind === '[') return value === undefined ? this.hasAttribute(name) : this.getAttribute(name) === value;
    return tag !== '';
  }

  closest(selector: string): FakeElement | null {
    return ancestorsOf(this).find((element) => element.matches(selector)) ?? null;
  }

  all(selector: string): FakeElement[] {
    return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.all(selector)]);
  }

  /** The only element inside that fits, as a test names it. */
  one(selector: string, text?: string): FakeElement {
    const found = this.all(selector).filter((element) => text === undefined || element.textContent === text);
    if (found.length !== 1) throw new Error(`There are ${found.length} elements ${selector} ${text ?? ''}.`);
    return found[0]!;
  }

  querySelector(selector: string): FakeElement | null {
    return this.all(selector)[0] ?? null;
  }

  querySelectorAll(selector: string): FakeElement[] {
    return this.all(selector);
  }

  dispatchEvent({ type }: Event): void {
    this.fire(type);
  }

  scrollIntoView(): void {}

  contains(node: FakeNode): boolean {
    return node === this || ancestorsOf(node).includes(this);
  }

  focus(): void {
    page().activeElement = this;
  }

  blur(): void {
    page().activeElement = null;
  }

  select(): void {}

  showModal(): void {
    this.open = true;
  }

  close(): void {
    this.open = false;
    this.fire('close');
  }

  setPointerCapture(id: number): void {
    this.captured.add(id);
  }

  hasPointerCapture(id: number): boolean {
    return this.captured.has(id);
  }

  getBoundingClientRect(): Props {
    const { clientWidth: width, clientHeight: height } = this;
    return { left: 0, top: 0, right: width, bottom: height, width, height };
  }

  getContext(): object {
    return recordedContext(this);
  }
}

function ancestorsOf(node: FakeNode): FakeElement[] {
  const found: FakeElement[] = [];
  for (let at: FakeNode | null = node; at !== null; at = at.parent) if (at instanceof FakeElement) found.push(at);
  return found;
}

const digits = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);

/** Records what is drawn. Assignments of the same value are left out. Letters are 7 px wide. */
function recordedContext(canvas: FakeElement): object {
  const { drawn } = canvas;
  const state: Record<string, unknown> = {};
  return new Proxy(state, {
    get: (_, name) => {
      if (name === 'measureText') return (text: string) => ({ width: 7 * text.length });
      if (String(name) in state) return state[String(name)];
      return (...values: readonly unknown[]) => {
        if (values[0] instanceof FakeElement) canvas.copied = values[0];
        drawn.push(`${String(name)}(${values.map(shown).join(', ')})`);
      };
    },
    set: (_, name, value) => {
      if (state[String(name)] !== value) drawn.push(`${String(name)} = ${shown(value)}`);
      state[String(name)] = value;
      return true;
    },
  });
}

function shown(value: unknown): string {
  if (value instanceof FakePath) return `path[${value.rectangles.join(' ')}]`;
  if (Array.isArray(value)) return `[${value.map(digits).join(', ')}]`;
  if (value instanceof FakeElement) return 'canvas';
  if (typeof value === 'object' && value !== null && 'src' in value) return `image ${String(value.src)}`;
  return String(digits(value));
}

class FakePath {
  readonly rectangles: string[] = [];

  rect(...numbers: readonly number[]): void {
    this.rectangles.push(numbers.map(digits).join(','));
  }
}

class FakeImage {
  src = '';
  referrerPolicy = '';
  private isDecoded = (): void => {};
  private readonly decoded = new Promise<void>((resolve) => {
    this.isDecoded = resolve;
  });
  private size = { width: 0, height: 0 };

  constructor() {
    page().images.push(this);
  }

  decode(): Promise<void> {
    return this.decoded;
  }

  /** Lets it arrive, and waits until the page has taken it. */
  async arrive(width: number, height: number): Promise<void> {
    this.size = { width, height };
    this.isDecoded();
    await new Promise((resolve) => setTimeout(resolve));
  }

  get bitmap(): { readonly src: string; readonly width: number; readonly height: number } {
    return { src: this.src, ...this.size };
  }
}

/** The class of elements with a tag, for `instanceof`. */
function kindOf(tagName: string): object {
  const value = (node: unknown) => node instanceof FakeElement && node.tagName === tagName;
  return Object.defineProperty(class {}, Symbol.hasInstance, { value });
}

/** A node as HTML: attributes in their order, without escapes. */
export function htmlOf(node: unknown): string {
  if (node instanceof FakeElement) {
    const style = node.style.cssText === '' ? '' : ` style="${node.style.cssText}"`;
    const attributes = [...node.attributes].map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}="${value}"`));
    const name = node.tagName.toLowerCase();
    return `<${name}${attributes.join('')}${style}>${node.childNodes.map(htmlOf).join('')}</${name}>`;
  }
  return (node as FakeNode).nodeValue ?? '';
}

/** The HTML of nodes, one per line. */
export function linesOf(nodes: readonly unknown[]): string {
  return nodes.map(htmlOf).join('\n');
}

export interface FakePage {
  readonly body: FakeElement;
  readonly documentElement: FakeElement;
  readonly images: FakeImage[];
  readonly listeners: Map<string, Listener[]>;
  /** For both `localStorage` and `sessionStorage`. */
  readonly storage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  activeElement: FakeElement | null;
  isFocused: boolean;
  title: string;
  /** The history of the browser: the addresses, the current one last. */
  readonly visits: string[];
  readonly location: { readonly href: string; readonly pathname: string; readonly search: string; hash: string };
  /** What the page does when it is idle. */
  readonly idle: (() => void)[];
  /** Sends an event to the window. */
  fire(type: string, props?: Props): void;
}

let current: FakePage | undefined;
function page(): FakePage {
  return current!;
}

/** Replaces the globals of a browser until `vi.unstubAllGlobals`. */
export function fakePage(): FakePage {
  const documentElement = new FakeElement('html');
  const body = new FakeElement('body');
  documentElement.append(body);
  const listeners = new Map<string, Listener[]>();
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  const made: FakePage = {
    body,
    documentElement,
    images: [],
    listeners,
    storage,
    activeElement: null,
    isFocused: true,
    title: '',
    visits: ['file:///play.html'],
    idle: [],
    location: { href: 'file:///play.html', pathname: '/play.html', search: '', hash: '' },
    fire(type, props = {}) {
      for (const listener of listeners.get(type) ?? []) listener({ type, ...props } as unknown as FakeEvent);
    },
  };
  current = made;
  const addEventListener = (type: string, listener: Listener, { signal }: { signal?: AbortSignal } = {}) => {
    listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    signal?.addEventListener('abort', () => {
      listeners.set(
        type,
        listeners.get(type)!.filter((each) => each !== listener),
      );
    });
  };
  const globals: Props = {
    document: Object.assign(made, {
      createElement: (name: string) => new FakeElement(name),
      createTextNode: (text: string) => new FakeText(text),
      getElementById: (id: string) => documentElement.all(`#${id}`)[0] ?? null,
      querySelectorAll: (selector: string) => documentElement.all(selector),
      addEventListener,
      hasFocus: () => made.isFocused,
    }),
    Node: FakeNode,
    Text: FakeText,
    Element: FakeElement,
    HTMLElement: FakeElement,
    Path2D: FakePath,
    Image: FakeImage,
    createImageBitmap: async ({ bitmap }: FakeImage) => bitmap,
    HTMLInputElement: kindOf('INPUT'),
    HTMLButtonElement: kindOf('BUTTON'),
    HTMLTextAreaElement: kindOf('TEXTAREA'),
    ResizeObserver: class {
      observe(): void {}
    },
    IntersectionObserver: class {
      observe(): void {}
      disconnect(): void {}
    },
    devicePixelRatio: 2,
    innerWidth: 1280,
    innerHeight: 800,
    // Nobody has pressed anything, so the page must not make a sound.
    navigator: { userActivation: { hasBeenActive: false }, getGamepads: () => [] },
    localStorage: storage,
    sessionStorage: storage,
    addEventListener,
    location: made.location,
    history: {
      pushState: (_state: unknown, _title: string, url: string) => made.visits.push(url),
      replaceState: (_state: unknown, _title: string, url: string) => made.visits.splice(-1, 1, url),
    },
    requestIdleCallback: (work: (deadline: { timeRemaining(): number }) => void) =>
      made.idle.push(() => work({ timeRemaining: () => 50 })),
    getComputedStyle: () => ({ getPropertyValue: (name: string) => ` ${name.slice(2)}Color ` }),
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  return made;
}
