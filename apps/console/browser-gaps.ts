import data from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import { OLDEST } from './supported-browsers.ts'

const isSince = ({ version_added: added }: SimpleSupportStatement, version: number): boolean =>
  typeof added === 'string' && Number.parseFloat(added.replace('≤', '')) <= version

/** True if a browser of the given version has the feature as the standard says, without flag or prefix. */
function hasFeature({ support }: CompatStatement, browser: keyof typeof OLDEST): boolean {
  const statements = [support[browser] ?? []].flat()
  return statements.some(
    (statement) =>
      isSince(statement, OLDEST[browser]) &&
      statement.version_removed === undefined &&
      statement.flags === undefined &&
      statement.prefix === undefined &&
      statement.alternative_name === undefined &&
      statement.partial_implementation !== true,
  )
}

/** True if one of the oldest supported browsers does not have the feature. */
const isTooNew = ({ __compat: compat }: Identifier): boolean =>
  compat !== undefined && !(hasFeature(compat, 'chrome') && hasFeature(compat, 'firefox'))

const childrenOf = (identifier: Identifier): [string, Identifier][] =>
  Object.entries(identifier).filter(([name]) => name !== '__compat') as [string, Identifier][]

const isPrototype = ({ __compat: compat }: Identifier): boolean =>
  [compat?.spec_url ?? []].flat().some((url) => /\.prototype\b|%.*%/i.test(url))

/** Functions that one of the oldest browsers lacks. */
export interface TooNewFunctions {
  /** `Class.name`. */
  readonly statics: ReadonlySet<string>
  /**
   * Names of methods that no class of the oldest browsers has, so a call by this name cannot mean another one. Without
   * the methods of classes that are too new themselves (iterator helpers): the types of the console do not know them.
   */
  readonly methods: ReadonlySet<string>
}

/**
 * Classes of the browser whose methods pages call. Other classes, such as those of GPUs, only share method names with
 * libraries.
 */
const PAGE_CLASSES = [
  'Element',
  'HTMLElement',
  'Document',
  'Window',
  'Node',
  'Response',
  'URLSearchParams',
  'Blob',
]

export function findTooNewFunctions(): TooNewFunctions {
  const statics = new Set<string>()
  const late = new Set<string>()
  const known = new Set<string>()
  const classes = [...childrenOf(data.javascript.builtins ?? {}), ...childrenOf(data.api)]
  for (const [className, members] of classes) {
    const isBuiltin = className in (data.javascript.builtins ?? {})
    for (const [name, member] of childrenOf(members)) {
      const isStatic = isBuiltin ? !isPrototype(member) : name.endsWith('_static')
      const plain = name.replace(/_static$/, '')
      if (isStatic && isTooNew(member)) statics.add(`${className}.${plain}`)
      if (isStatic) continue
      if (!isTooNew(member)) known.add(plain)
      else if (isTooNew(members)) continue
      else if (isBuiltin || PAGE_CLASSES.includes(className)) late.add(plain)
    }
  }
  return { statics, methods: new Set([...late].filter((name) => !known.has(name))) }
}

/** CSS that one of the oldest browsers lacks. */
export interface TooNewStyles {
  readonly properties: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  readonly selectors: ReadonlySet<string>
  readonly atRules: ReadonlySet<string>
}

const listTooNew = (identifier: Identifier | undefined): ReadonlySet<string> =>
  new Set(
    childrenOf(identifier ?? {})
      .filter(([, entry]) => isTooNew(entry))
      .map(([name]) => name),
  )

export function findTooNewStyles(): TooNewStyles {
  const { properties, selectors, types } = data.css
  const functions = childrenOf(types ?? {}).flatMap(([, type]) => [...listTooNew(type)])
  return {
    properties: listTooNew(properties),
    functions: new Set(functions),
    selectors: listTooNew(selectors),
    atRules: listTooNew(data.css['at-rules']),
  }
}
