import postcss from 'postcss'
import { type Plugin, parseAst } from 'vite'
import {
  findTooNewFunctions,
  findTooNewStyles,
  type TooNewFunctions,
  type TooNewStyles,
} from './browser-gaps.ts'
import { DECORATIVE, DETECTED, NAMESAKES, PROVIDED } from './supported-browsers.ts'

interface SyntaxNode {
  readonly type: string
  readonly computed?: boolean
  readonly callee?: SyntaxNode
  readonly object?: SyntaxNode
  readonly property?: SyntaxNode
  readonly name?: string
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls visit for a node of a syntax tree and all nodes below it. */
function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (isNode(node)) {
    visit(node)
    for (const child of Object.values(node)) if (typeof child === 'object') walk(child, visit)
  }
}

const isAllowed = (name: string): boolean => PROVIDED.has(name) || DETECTED.has(name) || NAMESAKES.has(name)

/** Functions that a script calls although one of the oldest browsers lacks them. */
export function findInScript(code: string, { statics, methods }: TooNewFunctions): ReadonlySet<string> {
  const found = new Set<string>()
  walk(parseAst(code).body, ({ type, callee }) => {
    if (type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee.computed) return
    const method = callee.property?.name ?? ''
    const whole = `${callee.object?.name ?? ''}.${method}`
    if (statics.has(whole)) found.add(whole)
    else if (methods.has(method)) found.add(method)
  })
  return new Set([...found].filter((name) => !isAllowed(name)))
}

const FUNCTION = /(?<name>[a-z-]+)\(/g
const PSEUDO = /:(?<name>[a-z-]+)/g

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(({ groups }) => groups?.name ?? '')

/** Properties, functions, selectors and at-rules of a style sheet that one of the oldest browsers lacks. */
export function findInStyles(css: string, tooNew: TooNewStyles): ReadonlySet<string> {
  const found = new Set<string>()
  postcss.parse(css).walk((node) => {
    if (node.type === 'decl') {
      if (tooNew.properties.has(node.prop)) found.add(node.prop)
      for (const name of namesIn(node.value, FUNCTION)) if (tooNew.functions.has(name)) found.add(`${name}()`)
    }
    if (node.type === 'rule')
      for (const name of namesIn(node.selector, PSEUDO)) if (tooNew.selectors.has(name)) found.add(`:${name}`)
    if (node.type === 'atrule' && tooNew.atRules.has(node.name)) found.add(`@${node.name}`)
  })
  return new Set([...found].filter((name) => !DECORATIVE.has(name)))
}

const findInAsset = (name: string, source: string | Uint8Array, styles: TooNewStyles): ReadonlySet<string> =>
  name.endsWith('.css') ? findInStyles(String(source), styles) : new Set()

/** Stops a build that needs a newer browser than the oldest supported ones (supported-browsers.ts). */
export function checkBrowsers(): Plugin {
  return {
    name: 'isotherm-check-browsers',
    apply: 'build',
    generateBundle(_, bundle) {
      const [functions, styles] = [findTooNewFunctions(), findTooNewStyles()]
      const faults = Object.values(bundle).flatMap((file) => {
        const found =
          file.type === 'chunk'
            ? findInScript(file.code, functions)
            : findInAsset(file.fileName, file.source, styles)
        return found.size > 0 ? `${file.fileName}: ${[...found].join(', ')}` : []
      })
      if (faults.length > 0)
        this.error(
          `Not in every browser that apps/console/supported-browsers.ts promises:\n${faults.join('\n')}`,
        )
    },
  }
}
