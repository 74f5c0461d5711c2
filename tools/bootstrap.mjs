/**
 * Installs the dependencies if they are missing or differ from package-lock.json, before every npm script that needs them.
 * Plain JavaScript for Node 20 without any package. If what is installed is of the same lock file it does nothing and needs
 * no network.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))

/** @returns {never} */
function refuse(/** @type {string} */ line) {
  console.error(`bootstrap: ${line}`)
  process.exit(1)
}

/**
 * The packages that a lock file lists, by folder.
 * @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[]}>}
 */
function readPackages(/** @type {string[]} */ ...path) {
  const file = join(root, ...path)
  if (!existsSync(file)) return {}
  const { '': _project, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  return packages
}

/** Whether npm installed each package of package-lock.json, but for the optional ones of other platforms. */
function isInstalled() {
  // npm writes this list at the end of an installation.
  const installed = readPackages('node_modules', '.package-lock.json')
  return Object.entries(readPackages('package-lock.json')).every(([folder, wanted]) => {
    const found = installed[folder]
    if (found) return found.version === wanted.version && found.integrity === wanted.integrity
    const isForHere =
      wanted.os?.includes(process.platform) && wanted.cpu?.includes(process.arch) && !wanted.libc
    return wanted.optional && !isForHere
  })
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

if (!isInstalled()) {
  const why = existsSync(join(root, 'node_modules')) ? 'package-lock.json has changed' : 'first start'
  console.log(`bootstrap: ${why}, installing the dependencies with npm ci`)
  // Tests need the development dependencies, independent of NODE_ENV and the user's npm settings.
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = runNpm(words)
  if (error) refuse(`npm cannot be run (${error.message})`)
  if (status !== 0) refuse(`npm ci failed with ${status}; its reason is above`)
}
