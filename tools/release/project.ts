import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const root = join(import.meta.dirname, '../..')

/** What an archive runs on. glibc only: the library of ClickHouse has no build for musl. */
export interface Platform {
  readonly os: 'linux'
  readonly cpu: 'x64' | 'arm64'
}

export const platforms: readonly Platform[] = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
]
export const toPlatformName = ({ os, cpu }: Platform): string => `${os}-${cpu}`

export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
}

const project = z.object({ version: z.string(), dependencies: z.object({ node: z.string() }) })
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})
export type LockedPackage = z.infer<typeof lock>['packages'][string]

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Version of the product and of its Node.js, from package.json. */
export function readVersions(): { readonly version: string; readonly node: string } {
  const { version, dependencies } = project.parse(read(join(root, 'package.json')))
  return { version, node: dependencies.node }
}

/** The packages of package-lock.json by folder. */
export const readLock = (): Readonly<Record<string, LockedPackage>> =>
  lock.parse(read(join(root, 'package-lock.json'))).packages

/** Whether a package is for the product at run time on this platform. */
export const isShipped = (found: LockedPackage, { os, cpu }: Platform): boolean =>
  !found.dev &&
  !found.link &&
  (found.os?.includes(os) ?? true) &&
  (found.cpu?.includes(cpu) ?? true) &&
  (found.libc?.includes('glibc') ?? true)

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })

/** The commit that is released, with the time of its files in the archive. */
export function readCommit() {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return {
    commit: git('rev-parse', '--short=12', 'HEAD').trim() + (isChanged ? '-changed' : ''),
    /** Unix s. */
    time: Number(git('log', '-1', '--format=%ct')),
  }
}

/** Sources that are not needed to run: tests, benchmarks and tools. */
const leftOut = /^(?:tests|bench|\.ci)\/|^tools\/(?!broker-logins)|^[^/]*\.(?:ts|json)$|\.test\.\w+$|^\./
const stillNeeded: readonly string[] = ['package.json', 'package-lock.json']

/** The files of the repository that an archive has. */
export const listSources = (): readonly string[] =>
  git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && (stillNeeded.includes(path) || !leftOut.test(path)))

/** Runs npm of the running script, otherwise npm of the path. Throws ReleaseError with its output. */
export function runNpm(folder: string, words: readonly string[]): string {
  const script = process.env.npm_execpath
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script) && existsSync(script)
  const [file, args] = isNpm ? [process.execPath, [script, ...words]] : ['npm', words]
  // Settings of a running `npm run` name its project.
  const env = Object.entries(process.env).filter(([name]) => !/^npm_(?:config|package|lifecycle)_/.test(name))
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd: folder,
    env: Object.fromEntries(env),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return stdout
  throw new ReleaseError(`npm ${words.join(' ')} failed: ${error?.message ?? stderr.trim().slice(-600)}`)
}
