// Stands in for `node:fs`, `node:path` and `node:zlib` in the playground: a page has no files, and its current folder
// is the root. Code that names a file then reports it as missing, with its usual message.

export const existsSync = () => false;
export const readdirSync = () => [];
export const statSync = () => undefined;

function refuse() {
  throw new Error('a page has no files');
}

export {
  refuse as closeSync,
  refuse as gunzipSync,
  refuse as openSync,
  refuse as readFileSync,
  refuse as writeFileSync,
  refuse as writeSync,
};

export const resolve = (...paths) => {
  const whole = paths.reduce((base, path) => (path.startsWith('/') ? path : `${base}/${path}`), '');
  return `/${partsOf(whole).join('/')}`;
};
export const dirname = (path) => path.replace(/\/?[^/]*$/, '') || (path.startsWith('/') ? '/' : '.');
export const basename = (path) => partsOf(path).at(-1) ?? '';
export const join = (...paths) => partsOf(paths.join('/')).join('/') || '.';
export const relative = (from, to) => {
  const [base, target] = [partsOf(resolve(from)), partsOf(resolve(to))];
  const shared = base.findIndex((part, i) => part !== target[i]);
  const above = shared === -1 ? base.length : shared;
  return [...base.slice(above).map(() => '..'), ...target.slice(above)].join('/');
};

function partsOf(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}
