import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogFile, openStandardOutput } from './log-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const diskFull = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
}

test('a full disk drops lines, and the next line states how many', () => {
  let text = ''
  let isFull = false
  const write = openLogFile(join(folder, 'server.log'), {
    append: (_file, added) => {
      if (isFull) diskFull()
      text += added
    },
    rename: diskFull,
  })
  write('before')
  isFull = true
  write('lost 1')
  write('lost 2')
  isFull = false
  write('after')
  write('later')
  expect(text).toBe('before\n(2 lines could not be written)\nafter\nlater\n')
})

test('a file that cannot be renamed at its limit ends nothing', () => {
  const appended: string[] = []
  const write = openLogFile(join(folder, 'server.log'), {
    append: (file) => void appended.push(file),
    rename: diskFull,
  })
  write('x'.repeat(10_000_001))
  write('dropped')
  expect(appended).toHaveLength(1)
})

test('lines are appended to the file of the run before', () => {
  const file = join(folder, 'logs', 'server.log')
  openLogFile(file)('first run')
  openLogFile(file)('second run')
  expect(readFileSync(file, 'utf8')).toBe('first run\nsecond run\n')
})

test('a standard output that cannot be written loses lines, counts them and continues', () => {
  let text = ''
  let isFull = false
  const write = openStandardOutput((added) => {
    if (isFull) diskFull()
    text += added
  })
  write('before')
  isFull = true
  write('lost')
  isFull = false
  write('after')
  expect(text).toBe('before\n(1 lines could not be written)\nafter\n')
})
