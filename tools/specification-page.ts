import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', '.data'])
const TEST = /\.(?:test|spec)\.tsx?$/
/** A quoted title that begins with one or more sections: '§2 §9 …'. */
const TITLE = /(['"`])((?:§\d+ )+)((?:(?!\1)[^\\\n]|\\.)+)\1/g

/** A test with a section of the specification in its title. */
export interface Proof {
  readonly section: number
  readonly title: string
  readonly file: string
}

/** The titles of one file that name a section, once for each section. */
export function findProofs(text: string, file: string): readonly Proof[] {
  return [...text.matchAll(TITLE)].flatMap(([, , sections = '', title = '']) =>
    [...sections.matchAll(/\d+/g)].map(([section]) => ({
      section: Number(section),
      title: title.replaceAll(/\\(.)/g, '$1'),
      file,
    })),
  )
}

function listTests(root: string, folder = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listTests(root, path)
    return TEST.test(entry.name) ? [path] : []
  })
}

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The page of tests by section of the specification: the titles that begin with its number. */
export function toSpecificationPage(root: string): string {
  const own = join('tools', 'specification-page.test.ts')
  const proofs = listTests(root)
    .filter((path) => relative(root, path) !== own)
    .flatMap((path) => findProofs(readFileSync(path, 'utf8'), relative(root, path).split(sep).join('/')))
  const sections = [...Map.groupBy(proofs, (proof) => proof.section)].toSorted(([a], [b]) => a - b)
  const parts = sections.map(([section, found]) => {
    const lines = found
      .toSorted((a, b) => byText(a.title, b.title) || byText(a.file, b.file))
      .map(({ title, file }) => `- ${title} (\`${file}\`)`)
    return [`## Section ${section}`, [...new Set(lines)].join('\n')].join('\n\n')
  })
  const head = [
    '<!-- Written by `npm run reference` from the titles of the tests. Do not edit. -->',
    '# What proves the specification',
    'Every test whose title begins with a section of the product’s specification, by section.',
  ]
  return `${[...head, ...parts].join('\n\n')}\n`
}
