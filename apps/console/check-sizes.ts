import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Limits for scripts after gzip, kB (docs/performance/console.md). */
const LIMITS_KB = { first: 420, further: 220 } as const

/** Modules that the first page loads besides the entry: the login, the shell, the home page, texts of one language. */
const FIRST_PAGE = /\/(login-page|shell-layout|dashboard-page)\.tsx$|\/app\/texts\/zh\.ts$/
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

/** Adds a script and all that load together with it. */
function addScript(name: string, scripts: Scripts, loaded: Set<string>): void {
  const script = scripts.get(name)
  if (!script || loaded.has(name)) return
  loaded.add(name)
  for (const imported of script.imports) addScript(imported, scripts, loaded)
}

const sum = (names: readonly string[], scripts: Scripts): number =>
  names.reduce((kb, name) => kb + (scripts.get(name)?.kb ?? 0), 0)

/**
 * Pages whose scripts exceed their limit, each with its size. `pages` are modules. A page counts what it loads besides the
 * first page; parts that it loads later, such as a chart, are not counted.
 */
export function findHeavyPages(entry: string, pages: readonly string[], scripts: Scripts): readonly string[] {
  const first = new Set<string>()
  addScript(entry, scripts, first)
  for (const [name, { modules }] of scripts)
    if (modules.some((module) => FIRST_PAGE.test(module))) addScript(name, scripts, first)
  const toFault = (what: string, kb: number, limit: number) =>
    kb > limit ? [`${what}: ${kb.toFixed(1)} kB, limit ${limit} kB`] : []
  return [
    ...toFault('first page', sum([...first], scripts), LIMITS_KB.first),
    ...pages.flatMap((page) => {
      const loaded = new Set<string>()
      const needed = [page, ...toTexts(page)]
      for (const [name, { modules }] of scripts)
        if (needed.some((module) => modules.includes(module))) addScript(name, scripts, loaded)
      return toFault(
        page,
        sum(
          [...loaded].filter((name) => !first.has(name)),
          scripts,
        ),
        LIMITS_KB.further,
      )
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
      const entry = chunks.find(({ isEntry }) => isEntry)?.fileName ?? ''
      const faults = findHeavyPages(entry, pages, scripts)
      if (faults.length > 0) this.error(`Too much JavaScript after gzip:\n${faults.join('\n')}`)
    },
  }
}
