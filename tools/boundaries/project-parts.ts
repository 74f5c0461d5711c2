/** The part of the project that a file belongs to. Features are read from the path. */
export type ProjectPart =
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'console'; readonly zone: 'app' }
  | { readonly kind: 'console'; readonly zone: 'shared' }
  | { readonly kind: 'console'; readonly zone: 'feature'; readonly feature: string }
  | { readonly kind: 'server'; readonly zone: 'root' }
  | { readonly kind: 'server'; readonly zone: 'platform' }
  | { readonly kind: 'server'; readonly zone: 'module'; readonly module: string }
  | { readonly kind: 'app'; readonly name: string }
  | { readonly kind: 'outside' }

export function toProjectPart(path: string): ProjectPart {
  const [top, name = '', src, zone = '', part = ''] = path.split('/')
  if (top === 'packages') return { kind: 'package', name }
  if (top !== 'apps') return { kind: 'outside' }
  if (name === 'console' && src === 'src') {
    if (zone === 'features' && part !== '') return { kind: 'console', zone: 'feature', feature: part }
    return { kind: 'console', zone: zone === 'shared' ? 'shared' : 'app' }
  }
  if (name === 'server' && src === 'src') {
    if (zone === 'modules' && part !== '') return { kind: 'server', zone: 'module', module: part }
    return { kind: 'server', zone: zone === 'platform' ? 'platform' : 'root' }
  }
  return { kind: 'app', name }
}

/** The workspace a path belongs to, as `packages/x` or `apps/x`; undefined for the folders of the root. */
export function toWorkspace(path: string): string | undefined {
  const [top, name] = path.split('/')
  return (top === 'packages' || top === 'apps') && name ? `${top}/${name}` : undefined
}

/** Tests and their helpers, which may use more than the product code. */
export const isTest = (path: string): boolean =>
  /\.(?:test|spec|testkit)\.tsx?$/.test(path) || /(?:^|\/)(?:tests?|testing|testkit)\//.test(path)

/** Files that may be long: a contract is a list, and formulas that belong together stay in one file. */
export const isLengthExempt = (path: string): boolean =>
  /^packages\/(?:contract|hydraulics|thermal|balancing|irrigation|codecs)\//.test(path) ||
  /\/locales\/|(?:^|\/)generated\/|\.generated\./.test(path)

/** Files that may name retired words, each with the reason. */
const plainWordsExemptions: Readonly<Record<string, string>> = {
  'tools/boundaries/retired-words.ts': 'lists them',
  'tools/boundaries/check-tree.test.ts': 'tests the check',
  'apps/server/src/modules/alarms/model/tables.ts': 'names stored columns',
  'apps/server/src/modules/commands/model/tables.ts': 'names stored columns',
  'apps/server/src/modules/commands/store/insert-batch.pg.ts': 'names stored columns',
  'apps/console/src/shared/section/building-columns.tsx': 'react-virtual calls columns lanes',
  'apps/server/src/modules/balancing/rename-keys.pg.ts': 'names stored keys',
  'apps/server/src/modules/balancing/migrations.test.ts': 'names stored keys',
  'bench/balancing.ts': 'names a figure of the budgets',
  'bench/tree/pages/react-arborist.tsx': 'react-arborist calls a field mostRecent',
}
export const isPlainWordsExempt = (path: string): boolean => Object.hasOwn(plainWordsExemptions, path)

/** Workspaces and registry packages that each package may import. */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  contract: ['@isotherm/kernel', 'zod'],
  hydraulics: ['@isotherm/kernel'],
  thermal: ['@isotherm/kernel'],
  irrigation: ['@isotherm/kernel'],
  tree: [],
  codecs: ['@isotherm/kernel'],
  profiles: ['@isotherm/kernel', '@isotherm/contract', '@isotherm/codecs'],
  balancing: ['@isotherm/kernel', '@isotherm/hydraulics', '@isotherm/thermal'],
}

/** Packages without I/O, clock, randomness or framework. engines is the one that is not pure. */
export const isPurePackage = (name: string): boolean => Object.hasOwn(packageImports, name)

/**
 * Packages that an app may not import: the twin must not know its controller, a browser starts no engine, and a gateway only
 * translates.
 */
export const packagesClosedTo: Readonly<Record<string, readonly string[]>> = {
  twin: ['balancing', 'irrigation', 'engines'],
  console: ['engines'],
  gateway: ['balancing', 'engines', 'hydraulics', 'irrigation', 'thermal', 'tree'],
}
