import { expect, test } from 'vitest'
import { toParts } from './find-devices.ts'
import { decodeText, parseSerials } from './parse-serials.ts'

test('one serial per line, each once, without spaces, quotes and empty lines', () => {
  expect(parseSerials('\uFEFFV-1\r\n  V-2 \n\n"V-3"\nV-1\n')).toEqual(['V-1', 'V-2', 'V-3'])
})

test('of a CSV file the column of serials counts, else the first one', () => {
  expect(parseSerials('名称,设备编号,型号\n入口阀,V-1,LIN\n入口阀,V-2,LIN')).toEqual(['V-1', 'V-2'])
  expect(parseSerials('Name;IMEI\nInlet;V-1')).toEqual(['V-1'])
  expect(parseSerials('V-1,入口阀\nV-2,入口阀')).toEqual(['V-1', 'V-2'])
})

test('a file in UTF-8 or GB 18030 is read', () => {
  expect(decodeText(new TextEncoder().encode('设备编号').buffer)).toBe('设备编号')
  expect(decodeText(new Uint8Array([0xb1, 0xe0, 0xba, 0xc5]).buffer)).toBe('编号')
})

test('every part of a long list fits into one condition of 2,000 characters', () => {
  const serials = Array.from({ length: 1_000 }, (_, index) => `SERIAL-${index}`)
  const parts = toParts(serials)
  expect(parts.flat()).toEqual(serials)
  expect(Math.max(...parts.map((part) => part.join().length))).toBeLessThanOrEqual(2_000)
  expect(parts.length).toBeLessThan(8)
})
