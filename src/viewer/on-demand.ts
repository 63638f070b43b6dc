/**
 * Loads modules on demand. It is separate from the door, because otherwise a bundler would put these modules into the
 * page's main file.
 */

export const loadHistory = () => import('./time/history.ts');
export const loadSearch = () => import('./time/search.ts');
export const loadQrCode = () => import('uqr');
