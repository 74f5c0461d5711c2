import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Limits for scripts after gzip, kB (docs/performance/console.md). */
const LIMITS_KB = { first: 420, further: 220 } as const

/** Modules that the first page loads besides the entry: the login, the shell, the home page, texts of one language. */
const FIRST_PAGE = [
  '/login-page.tsx',
  '/shell-layout.tsx',
  '/dashboard-page.tsx',
  '/app/texts/zh.ts',
] as const
const PAGE_LIST = /\/features\/[^/]+\/pages\.ts$/

/** Modules with the texts of a page, in the language that is used most. */
const toTexts = (page: string): readonly string[] =>
  ['zh.ts', 'pages.zh.ts'].map((file) => page.replace(/(\/features\/[^/]+)\/.*$/, `$1/locales/${file}`))

/** A script of the build. */
export interface Script {
  readonly kb: number
  /** Scripts that load together with it. */
  readonly imports: readonly string[]
  readonly modules: readonly string[]
}

export type Scripts = ReadonlyMap<string, Script>

/** Scripts of modules, with all that load together with them. Throws if a module is in no script. */
function findLoaded(modules: readonly string[], scripts: Scripts): ReadonlySet<string> {
  const loaded = new Set<string>()
  const add = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const imported of scripts.get(name)?.imports ?? []) add(imported)
  }
  for (const module of modules) {
    const [name] =
      [...scripts].find(([, script]) => script.modules.some((each) => each.endsWith(module))) ?? []
    if (name === undefined) throw new Error(`${module} is in no script of the build`)
    add(name)
  }
  return loaded
}

const sum = (names: Iterable<string>, scripts: Scripts): number =>
  [...names].reduce((kb, name) => kb + (scripts.get(name)?.kb ?? 0), 0)

/**
 * Pages whose scripts exceed their limit, each with its size. `entry` and `pages` are modules. A page counts what it loads besides
 * the first page. Not counted: views and parts that load later, such as a chart.
 */
export function findHeavyPages(entry: string, pages: readonly string[], scripts: Scripts): readonly string[] {
  const first = findLoaded([entry, ...FIRST_PAGE], scripts)
  const known = new Set([...scripts.values()].flatMap(({ modules }) => modules))
  const toFault = (what: string, kb: number, limit: number) =>
    kb > limit ? [`${what}: ${kb.toFixed(1)} kB, limit ${limit} kB`] : []
  return [
    ...toFault('first page', sum(first, scripts), LIMITS_KB.first),
    ...pages.flatMap((page) => {
      const texts = toTexts(page).filter((module) => known.has(module))
      const further = [...findLoaded([page, ...texts], scripts)].filter((name) => !first.has(name))
      return toFault(page, sum(further, scripts), LIMITS_KB.further)
    }),
  ]
}

/** Stops a build with a page that loads too much. */
export function checkSizes(): Plugin {
  return {
    name: 'isotherm-check-sizes',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const scripts = new Map(
        chunks.map(({ fileName, code, imports, moduleIds }) => [
          fileName,
          { kb: gzipSync(code, { level: 9 }).length / 1_000, imports, modules: moduleIds },
        ]),
      )
      const lists = [...this.getModuleIds()].filter((id) => PAGE_LIST.test(id))
      const pages = lists.flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      const entry = chunks.find(({ isEntry }) => isEntry)?.moduleIds.at(-1)
      if (entry === undefined || pages.length === 0) this.error('the build has no entry or no pages')
      const faults = findHeavyPages(entry, pages, scripts)
      if (faults.length > 0) this.error(`Too much JavaScript after gzip:\n${faults.join('\n')}`)
    },
  }
}
