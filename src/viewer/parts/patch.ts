/**
 * Updates the children of an element to match others, reusing equal nodes, so that a list that is redrawn five times a
 * second keeps clicks, selected text and focus. Elements are matched by `data-id`, others by position. Listeners are
 * not copied.
 */
export function patchChildren(target: Element, wanted: readonly Node[]) {
  let at = target.firstChild;
  for (const node of wanted) {
    const same = at === null ? undefined : matching(at, node);
    if (same === undefined) {
      target.insertBefore(node, at);
      continue;
    }
    // The skipped nodes are not in the new list, so they are removed.
    while (at !== null && at !== same) at = dropped(at);
    patchNode(same, node);
    at = same.nextSibling;
  }
  while (at !== null) at = dropped(at);
}

/** How many following nodes are searched for a match. */
const lookaheadMax = 40;

function matching(from: ChildNode, wanted: Node): ChildNode | undefined {
  const key = keyOf(wanted);
  if (key === undefined) return from.nodeName === wanted.nodeName && keyOf(from) === undefined ? from : undefined;
  let each: ChildNode | null = from;
  for (let steps = 0; each !== null && steps < lookaheadMax; steps++, each = each.nextSibling) {
    if (each.nodeName === wanted.nodeName && keyOf(each) === key) return each;
  }
  return undefined;
}

/** The id of an element, or of the first element inside it; undefined if there is none. */
function keyOf(node: Node): string | undefined {
  if (!(node instanceof HTMLElement)) return undefined;
  const own = node.dataset['id'];
  if (own !== undefined) return own;
  const first = node.tagName === 'LI' ? node.firstElementChild : null;
  return first instanceof HTMLElement ? first.dataset['id'] : undefined;
}

function dropped(node: ChildNode): ChildNode | null {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function patchNode(target: ChildNode, wanted: Node) {
  if (target.isEqualNode(wanted)) return;
  if (!(target instanceof HTMLElement) || !(wanted instanceof HTMLElement)) {
    target.nodeValue = wanted.nodeValue;
    return;
  }
  // The user's choice is kept: a collapsible section that was opened stays open.
  const isOwn = (name: string) => name === 'open' && target.tagName === 'DETAILS';
  for (const name of target.getAttributeNames())
    if (!wanted.hasAttribute(name) && !isOwn(name)) target.removeAttribute(name);
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name)!;
    if (target.getAttribute(name) === value) continue;
    // The content security policy forbids the style attribute, so the style is set through the DOM.
    if (name === 'style') target.style.cssText = wanted.style.cssText;
    else target.setAttribute(name, value);
  }
  patchChildren(target, [...wanted.childNodes]);
}
