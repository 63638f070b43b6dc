/** More marks on one letter than any orthography needs: they cover the lines above and below. */
const marksMax = 4;
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{M}]/u;
const stacked = new RegExp(`([\\p{Mn}\\p{Me}]{${marksMax}})[\\p{Mn}\\p{Me}]+`, 'gu');

/**
 * Whether a text shows something, and its marks do not cover the texts of others. Spaces that Unicode counts as letters
 * show nothing.
 */
export function isLegible(text: string): boolean {
  // Invisible characters may not hide that marks are stacked.
  const shown = text.replace(invisible, '');
  return visible.test(shown) && shown.replace(stacked, '$1') === shown;
}

/** Removes what makes a text illegible; empty if nothing would be seen. */
export function legible(text: string): string {
  const shown = text.replace(invisible, '').replace(stacked, '$1');
  return visible.test(shown) ? shown : '';
}
