import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MarkdownView } from './markdown-view.tsx'
import { readChapter } from './read-chapter.ts'

const show = (markdown: string) =>
  render(<MarkdownView chapter={readChapter('test', markdown)} onGo={() => undefined} />)

test('HTML in a chapter is text', () => {
  const { container } = show(
    '# T\n\na <b onclick="x()">bold</b> <img src=x onerror=y>\n\n<script>z()</script>\n',
  )
  expect(container.querySelector('b, img, script')).toBeNull()
  expect(container.textContent).toContain('<script>z()</script>')
})

test('a link with the scheme of a program opens nothing', () => {
  show('# T\n\n[go](javascript:alert(1))\n')
  expect(screen.queryByRole('link')).toBeNull()
})

test('headings of the same text have different anchors, as on GitHub', () => {
  const { sections } = readChapter('test', '# 状态 “A”\n\n## 状态\n\n## 状态\n')
  expect(sections.map(({ slug }) => slug)).toEqual(['状态-a', '状态', '状态-1'])
})
