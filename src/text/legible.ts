/**
 * The maximum number of marks on one letter. No orthography needs more, and more would cover the lines above and below.
 */
const marksMax = 4;
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{M}]/u;
const stacked = new RegExp(`([\\p{Mn}\\p{Me}]{${marksMax}})[\\p{Mn}\\p{Me}]+`, 'gu');

/**
 * Whether a text shows anything, and has no stacked marks that would cover the text around it. Letters that look like
 * spaces do not count as visible.
 */
export function isLegible(text: string): boolean {
  // Remove invisible characters first, because they could hide that marks are stacked.
  const shown = text.replace(invisible, '');
  return visible.test(shown) && shown.replace(stacked, '$1') === shown;
}

/** Removes invisible characters and stacked marks from a text; empty if nothing visible is left. */
export function legible(text: string): string {
  const shown = text.replace(invisible, '').replace(stacked, '$1');
  return visible.test(shown) ? shown : '';
}
