import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { checkFolderOrder, checkFolderSizes } from './folder-rules.ts'
import { checkImports } from './import-rules.ts'
import { findImports, type Import } from './imports.ts'
import { checkLiteralSpreads } from './literal-spreads.ts'
import { checkRetiredWords } from './retired-words.ts'
import { type MaskedSource, maskSource } from './source-text.ts'
import { checkLength, checkName, checkPlainText, checkText } from './text-rules.ts'
import type { Violation } from './violation.ts'

const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'dist',
  '.git',
  '.data',
  'test-results',
  'playwright-report',
  'coverage',
  '.stryker-tmp',
])
const SOURCE = /\.(?:ts|tsx|mjs)$/
const STYLE = /\.css$/
const PLAIN = /\.(?:md|json|ya?ml|sh|html)$|(?:^|\/)\.ci\/run$/
const GENERATED = /^package-lock\.json$/

/** Every file of the tree, relative to its root with forward slashes, in a stable order. */
function listFiles(root: string, folder = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listFiles(root, path)
      return entry.isFile() ? [relative(root, path).split(sep).join('/')] : []
    })
}

function checkSource(file: string, text: string, masked: MaskedSource, imports: readonly Import[]) {
  return [
    ...checkName(file),
    ...checkLength(file, text),
    ...checkImports(file, imports),
    ...checkText(file, text, masked),
    ...checkLiteralSpreads(file, masked),
    ...checkRetiredWords(file, text, masked),
  ]
}

/** Every violation in the tree below `root`, by file and line. */
export const checkTree = (
  root: string,
): { readonly files: number; readonly violations: readonly Violation[] } => {
  const files = listFiles(root)
  const importsByFile = new Map<string, readonly Import[]>()
  const inFiles = files.flatMap((file) => {
    const read = (): string => readFileSync(join(root, file), 'utf8')
    if (STYLE.test(file)) return checkLength(file, read())
    if (!SOURCE.test(file)) {
      return PLAIN.test(file) && !GENERATED.test(file) ? checkPlainText(file, read()) : []
    }
    const text = read()
    const masked = maskSource(text)
    const imports = findImports(file, masked)
    importsByFile.set(file, imports)
    return checkSource(file, text, masked, imports).toSorted((a, b) => a.line - b.line)
  })
  const violations = [...inFiles, ...checkFolderSizes(files), ...checkFolderOrder(importsByFile)]
  return { files: files.length, violations }
}
