export type Attributes = { readonly [name: string]: string | number | boolean | undefined };

/** The name of an element, its id and its classes: `p`, `p#fault` or `p#fault.bad.soft`. */
type Selector<Name extends keyof HTMLElementTagNameMap> = Name | `${Name}${'#' | '.'}${string}`;
/** The attributes of an element, which may be left out, and then its children. A child that is false is left out. */
type Content<Child> = readonly (Child | false)[] | readonly [Attributes, ...(Child | false)[]];

/**
 * Creates an element. The attribute value `true` gives an attribute without a value; `false` and undefined omit it.
 * Strings are never parsed as HTML.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  selector: Selector<Name>,
  ...content: Content<Node | string>
): HTMLElementTagNameMap[Name] {
  const { name, attributes, children } = partsOf(selector, content, (each): each is Node => each instanceof Node);
  const made = document.createElement(name as Name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

function partsOf<Child extends object>(
  selector: string,
  content: Content<Child | string>,
  isChild: (each: Child | Attributes) => each is Child,
) {
  const [start = '', ...classes] = selector.split('.');
  const [name = '', id] = start.split('#');
  const attributes: Attributes = { id, class: classes.join(' ') || undefined };
  const children: (Child | string)[] = [];
  for (const each of content) {
    if (typeof each === 'string' || (each !== false && isChild(each))) children.push(each);
    else Object.assign(attributes, each);
  }
  return { name, attributes, children };
}

/** A form that does not leave the page when it is submitted. */
export function formOf(
  attributes: Attributes,
  submit: () => void,
  ...children: readonly (Node | false)[]
): HTMLFormElement {
  const made = element('form', attributes, ...children);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return made;
}

/** An element as plain data, which a worker can build and send to its page. */
interface MarkupElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly Markup[];
}
export type Markup = MarkupElement | string;

/** Like `element`, as plain data. `style` is one property, such as `width:5%`. */
export function markup(selector: Selector<keyof HTMLElementTagNameMap>, ...content: Content<Markup>): MarkupElement {
  return partsOf(selector, content, (each): each is MarkupElement => 'children' in each);
}

/** The DOM node that the markup describes. */
export function nodeOf(given: Markup): Node {
  if (typeof given === 'string') return document.createTextNode(given);
  const { style, ...others } = given.attributes;
  const made = element(given.name as keyof HTMLElementTagNameMap, others, ...given.children.map(nodeOf));
  // The content security policy forbids the style attribute, so the property is set through the DOM.
  if (style !== undefined) {
    const [property = '', value = ''] = String(style).split(':');
    Object.assign(made.style, { [property]: value });
  }
  return made;
}

/** A button with a text. */
export function textButton(text: string, act: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', () => void act());
  return made;
}

/** A button with a symbol and an accessible label. `shortcut` is the equivalent key. */
export function button(sign: string, label: string, shortcut: string, act: () => void, id?: string): HTMLButtonElement {
  return textButton(sign, act, { id, title: shortcut === '' ? label : `${label} (${shortcut})`, 'aria-label': label });
}

/** Lets the browser save a file. */
export function saveFile(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Sets the text only if it changes: browsers redo the layout on each assignment. */
export function setText(target: HTMLElement, text: string) {
  if (target.textContent !== text) target.textContent = text;
}
