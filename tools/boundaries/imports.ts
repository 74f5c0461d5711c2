import { posix } from 'node:path'
import { type MaskedSource, toLine } from './source-text.ts'

/** An import of a file. Paths are relative to the root of the tree, with forward slashes. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'workspace'; readonly name: string; readonly path: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'package'; readonly name: string }

export interface Import {
  readonly specifier: string
  readonly line: number
  /** The import has no effect at run time. */
  readonly typeOnly: boolean
  /** Exports everything of the target: `export * from`. */
  readonly reexportsAll: boolean
  readonly target: Target
}

const SCOPE = '@isotherm/'
const IMPORT = /\b(import|export)\b([^'"`;()]*?)(?:\bfrom\s*)?(['"])([^'"\n]+)\3/g
const DYNAMIC = /\b(?:import|require|vi\.(?:mock|importActual))\s*\(\s*(['"])([^'"\n]+)\1/g

function toTarget(fromFile: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(fromFile), specifier)) }
  }
  if (specifier.startsWith('node:')) return { kind: 'node', name: specifier.slice('node:'.length) }
  const parts = specifier.split('/')
  if (specifier.startsWith(SCOPE)) {
    return { kind: 'workspace', name: parts[1] ?? '', path: parts.slice(2).join('/') }
  }
  return { kind: 'package', name: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') }
}

/** Whether `clause`, the text between import or export and the specifier, imports only types. */
function isTypeOnly(clause: string): boolean {
  if (/^\s*type\b(?!\s*(?:,|from\b))/.test(clause)) return true
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]
  if (names === undefined) return false
  const list = names.split(',').filter((name) => name.trim() !== '')
  return list.length > 0 && list.every((name) => /^\s*type\s/.test(name))
}

/** Every static and dynamic import and re-export of a file. */
export function findImports(file: string, { withoutComments, codeOnly }: MaskedSource): readonly Import[] {
  const found: Import[] = []
  const isCode = (index: number): boolean => codeOnly[index] !== ' '
  for (const match of withoutComments.matchAll(IMPORT)) {
    const [, word, clause = '', , specifier = ''] = match
    const isDeclaration = /\bfrom\s*['"]/.test(match[0]) || (word === 'import' && clause.trim() === '')
    if (!isCode(match.index) || !isDeclaration) continue
    const line = toLine(withoutComments, match.index)
    const reexportsAll = word === 'export' && /^\s*(?:type\s+)?\*/.test(clause)
    const target = toTarget(file, specifier)
    found.push({
      specifier,
      line,
      typeOnly: isTypeOnly(clause.replace(/\bfrom\s*$/, '')),
      reexportsAll,
      target,
    })
  }
  for (const match of withoutComments.matchAll(DYNAMIC)) {
    const specifier = match[2] ?? ''
    if (!isCode(match.index)) continue
    const line = toLine(withoutComments, match.index)
    found.push({ specifier, line, typeOnly: false, reexportsAll: false, target: toTarget(file, specifier) })
  }
  return found
}
