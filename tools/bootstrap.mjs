/**
 * Installs the dependencies if they are missing or differ from package-lock.json, before every npm script that needs them.
 * Plain JavaScript for Node 20 without any package. If the last install was of the same lock file it does nothing and needs
 * no network.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.isotherm-lock')

/** @returns {never} */
function refuse(/** @type {string} */ line) {
  console.error(`bootstrap: ${line}`)
  process.exit(1)
}

function hashLock() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

/** npm of the running script, otherwise npm on the path. */
function runNpm(/** @type {string[]} */ words) {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script)
  const [file, args] = isNpm ? [process.execPath, [script, ...words]] : ['npm', words]
  const shell = !isNpm && process.platform === 'win32'
  return spawnSync(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell })
}

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 20) refuse(`Node ${process.versions.node} is too old, 20 or newer is needed`)

const wanted = hashLock()
const found = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
if (found !== wanted) {
  const why = existsSync(join(root, 'node_modules')) ? 'package-lock.json has changed' : 'first start'
  console.log(`bootstrap: ${why}, installing the dependencies with npm ci`)
  // Tests need the development dependencies, independent of NODE_ENV and the user's npm settings.
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = runNpm(words)
  if (error) refuse(`npm cannot be run (${error.message})`)
  if (status !== 0) refuse(`npm ci failed with ${status}; its reason is above`)
  writeFileSync(stamp, wanted)
}
