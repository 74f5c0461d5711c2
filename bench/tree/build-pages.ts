import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '../..')
const run = (program: string, args: readonly string[], cwd: string): void => {
  execFileSync(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs npm: the program next to this Node, or the one that started this process (the pinned Node has no npm). */
function runNpm(args: readonly string[]): void {
  const program = process.env.npm_execpath
  if (program) run(program, args, here)
  else execFileSync('npm', args, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Whether the other trees are installed. */
function hasPeers(): boolean {
  try {
    createRequire(join(here, 'package.json')).resolve('element-plus/package.json')
    return true
  } catch {
    return false
  }
}

/**
 * Installs the other trees at their pinned versions if they are missing, checks the types of the pages and builds them for
 * production. (The product's own type check excludes the pages, because it runs without the other trees.)
 */
export function buildPages(outDir: string): void {
  if (!hasPeers()) {
    console.log('Installing the trees to compare with, once ...')
    runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
  }
  run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', join(here, 'pages')], root)
  const fromConsole = createRequire(join(root, 'apps/console/package.json'))
  const vite = join(dirname(fromConsole.resolve('vite/package.json')), 'bin/vite.js')
  const config = ['--config', join(here, 'pages/vite.config.ts')]
  run(
    vite,
    ['build', join(here, 'pages'), ...config, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'],
    root,
  )
}
