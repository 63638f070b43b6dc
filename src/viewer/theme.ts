/** From light to dark or back; what the system prefers counts until then. */
export function turnTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  dataset['theme'] = isDark ? 'light' : 'dark';
}
