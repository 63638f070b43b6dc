import type { Stage } from '../drawing/stage.ts';

/** Switches between light and dark. Before the first switch, the page follows the system. */
export function toggleTheme(stage?: Stage) {
  const { dataset } = document.documentElement;
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  dataset['theme'] = isDark ? 'light' : 'dark';
  stage?.recolor();
}
