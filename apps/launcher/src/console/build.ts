import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { oneByOne } from '../locks/one-by-one.ts'
import type { LineSink } from '../log-file.ts'
import { runNode } from '../node-process.ts'
import { repositoryRoot } from '../places.ts'

export const consoleDir = join(repositoryRoot, 'apps/console')
export const consoleDist = join(consoleDir, 'dist')
const stampName = '.sources'
/** Files on which the build depends. */
const sources = ['apps/console', 'packages/contract', 'packages/kernel', 'packages/tree', 'package-lock.json']
const ignored = new Set(['node_modules', 'dist', 'dist.new'])

/**
 * Builds the console unless dist contains the build of these sources. Returns whether it was built. Of several processes that
 * start at once, one builds and the others wait for it.
 */
export const ensureConsole = (abort: AbortSignal, report: LineSink): Promise<boolean> =>
  oneByOne(consoleDir, () => buildWhereChanged(abort, report), abort)

async function buildWhereChanged(abort: AbortSignal, report: LineSink): Promise<boolean> {
  const wanted = await hashSources()
  const found = await readFile(join(consoleDist, stampName), 'utf8').catch(() => undefined)
  if (found === wanted) return false
  report('building the console, about half a minute; later starts use it')
  // Built in a temporary folder, so that an interrupted build leaves no incomplete console.
  const fresh = join(consoleDir, 'dist.new')
  const args = [viteProgram(), 'build', consoleDir, '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  // With another NODE_ENV, say that of a developer's shell, Vite would take React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  await runNode({ name: 'the build of the console', args, env, abort })
  await writeFile(join(fresh, stampName), wanted)
  await rm(consoleDist, { recursive: true, force: true })
  await rename(fresh, consoleDist)
  return true
}

/** Path of Vite's command, resolved from the console. */
export function viteProgram(): string {
  const fromConsole = createRequire(join(consoleDir, 'package.json'))
  return join(dirname(fromConsole.resolve('vite/package.json')), 'bin/vite.js')
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(join(repositoryRoot, source))) {
      hash
        .update(`${relative(repositoryRoot, file)}\0`)
        .update(await readFile(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<string[]> {
  if (path.endsWith('.json')) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter(({ name }) => !ignored.has(name) && !name.includes('.test.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => {
        const inner = join(path, entry.name)
        return entry.isDirectory() ? listFiles(inner) : [inner]
      }),
  )
  return files.flat()
}
