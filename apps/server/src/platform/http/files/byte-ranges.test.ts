import { expect, test } from 'vitest'
import { hasVersion, readRange } from './byte-ranges.ts'

const file = { totalBytes: 1000, etag: '"a"' }
const read = (range: string, ifRange?: string) =>
  readRange({ range, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) }, file)

test('a range is read with both ends, without an end, and from the end', () => {
  expect(read('bytes=0-126')).toEqual({ start: 0, end: 126 })
  expect(read('bytes=900-')).toEqual({ start: 900, end: 999 })
  expect(read('bytes=-100')).toEqual({ start: 900, end: 999 })
  expect(read('bytes=-5000')).toEqual({ start: 0, end: 999 })
})

test('a range beyond the end is cut, and one that starts there has nothing', () => {
  expect(read('bytes=0-16383')).toEqual({ start: 0, end: 999 })
  expect(read('bytes=1000-1001')).toBe('beyond')
  expect(read('bytes=-0')).toBe('beyond')
})

test('what is no single range of bytes is the whole file', () => {
  for (const header of ['bytes=-', 'bytes=5-1', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=a-b', ''])
    expect(read(header), header).toBeUndefined()
  expect(readRange({}, file)).toBeUndefined()
})

test('a part of an older version is not continued with this one', () => {
  expect(read('bytes=10-19', '"a"')).toEqual({ start: 10, end: 19 })
  expect(read('bytes=10-19', '"b"')).toBeUndefined()
})

test('a version is known if it is one of those that the client has, weak or not, or if any is', () => {
  const has = (header: string | undefined) =>
    hasVersion(header === undefined ? {} : { 'if-none-match': header }, '"a"')
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*']) expect(has(header), header).toBe(true)
  for (const header of [undefined, '', '"b"', 'a']) expect(has(header), header).toBe(false)
})
