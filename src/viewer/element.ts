type Attributes = { readonly [name: string]: string | number | boolean | undefined };

/** An element with attributes (`true` for one without a value, `false` and undefined for none) and children; texts are never read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** A button with a sign on it and words for those who cannot see it. `shortcut` is the key that does the same. */
export function button(sign: string, label: string, shortcut: string, act: () => void): HTMLButtonElement {
  const title = shortcut === '' ? label : `${label} (${shortcut})`;
  const made = element('button', { type: 'button', title, 'aria-label': label }, sign);
  made.addEventListener('click', act);
  return made;
}

/** Writes a text only where it is another: browsers lay out anew for each. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
