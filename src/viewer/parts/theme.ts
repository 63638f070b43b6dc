/** Toggles between light and dark. Until then the page follows the system. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  dataset['theme'] = isDark ? 'light' : 'dark';
}
