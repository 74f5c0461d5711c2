import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const repository = join(import.meta.dirname, '..')

/** The relative targets of the links and images of a Markdown text, without anchors. Links in code are not links. */
const listTargets = (markdown: string): readonly string[] =>
  [
    ...markdown
      .replace(/^ *```.*?^ *```/gms, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^()\s]+)[^()]*\)/g),
  ]
    .map(([, link = '']) => decodeURI(link).replace(/#.*/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))

/** The links of Markdown files that lead to no file or folder, as `file: target`. */
const findBrokenLinks = (root: string, files: readonly string[]): readonly string[] =>
  files.flatMap((file) =>
    listTargets(readFileSync(join(root, file), 'utf8'))
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )

const DOCUMENTS = ['*.md', 'docs/**/*.md', '{apps,packages}/*/*.md', '{bench,tests,tools}/**/*.md']

test('every relative link of the documents leads to an existing file or folder', () => {
  const documents = globSync(DOCUMENTS, { cwd: repository })
  expect(documents).toContain('README.md')
  expect(findBrokenLinks(repository, documents)).toEqual([])
})

test('a broken link is found in text, with its anchor and in an image; links in code are ignored', () => {
  const root = mkdtempSync(join(tmpdir(), 'isotherm-links-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'docs'))
  writeFileSync(
    join(root, 'README.md'),
    '[a](docs/a.md#part) [web](https://example.org) ![no](docs/no.png)\n',
  )
  writeFileSync(
    join(root, 'docs/a.md'),
    '[up](../README.md) [part](#part) [lost](b.md#part "title")\n`[code](c.md)`\n```\n[code](d.md)\n```\n',
  )
  expect(findBrokenLinks(root, ['README.md', 'docs/a.md'])).toEqual([
    'README.md: docs/no.png',
    'docs/a.md: b.md',
  ])
})
